import { MAX_PROFILES_AT_HAND } from "../../limits.ts";
import { DIMENSIONS, isBot, valuesOf, type Dimension } from "../profile.ts";

// Counting clicks. Pure.

export const DAY_MS = 86_400_000;
/** Hours and days begin at a multiple of this in every time zone. */
export const QUARTER_MS = 900_000;

/** A question about clicks. Times are Unix milliseconds. */
export interface Question {
  start: number;
  /** Exclusive. */
  end: number;
  /** The beginning of each bucket of the series, ascending. What is before the second is in the first bucket. */
  borders: number[];
  /** Only clicks that have these values. */
  filters: Filters;
}

export type Filters = Partial<Record<Dimension, string>>;

export interface Count {
  value: string;
  clicks: number;
}

export interface Tallied {
  bots: number;
  /** One entry a bucket: its clicks, and those of them that were a visitor's first of the day. */
  timeseries: { start: number; clicks: number; unique: number }[];
  /** The most frequent values first; '' is unknown. */
  counts: Record<Dimension, Count[]>;
}

/** Counts clicks that answer a question. */
export class Tally {
  readonly #question: Question;
  readonly #timeseries: Tallied["timeseries"];
  readonly #asksFor: (profile: string) => boolean;
  #bots = 0;
  /** The bucket of the last click, since clicks come nearly in order of time. */
  #bucket = 0;
  readonly #profiles = new Map<string, number>();
  readonly #values = ofEach(() => new Map<string, number>());

  constructor(question: Question) {
    this.#question = question;
    this.#timeseries = question.borders.map((start) => ({ start, clicks: 0, unique: 0 }));
    this.#asksFor = matcher(question.filters);
  }

  /** Counts `clicks` clicks of one profile at one time. */
  add(at: number, clicks: number, unique: number, profile: string): void {
    if (at < this.#question.start || at >= this.#question.end || !this.#asksFor(profile)) return;
    if (isBot(profile)) {
      this.#bots += clicks;
    } else {
      this.#count(at, clicks, unique);
      add(this.#profiles, profile, clicks);
      if (this.#profiles.size === MAX_PROFILES_AT_HAND) this.#readProfiles();
    }
  }

  /** Counts what another tally without filters has counted; all of it is within the question's time. */
  addTallied({ bots, timeseries, counts }: Tallied): void {
    this.#bots += bots;
    for (const { start, clicks, unique } of timeseries) this.#count(start, clicks, unique);
    for (const dimension of DIMENSIONS) {
      for (const { value, clicks } of counts[dimension]) add(this.#values[dimension], value, clicks);
    }
  }

  /** `values`: at most so many of each dimension. */
  result(values: number): Tallied {
    this.#readProfiles();
    const counts = ofEach((dimension) => mostFrequent(this.#values[dimension], values));
    return { bots: this.#bots, timeseries: this.#timeseries, counts };
  }

  #readProfiles(): void {
    for (const [text, clicks] of this.#profiles) {
      const values = valuesOf(text);
      for (const [index, dimension] of DIMENSIONS.entries()) add(this.#values[dimension], values[index] ?? "", clicks);
    }
    this.#profiles.clear();
  }

  #count(at: number, clicks: number, unique: number): void {
    const { borders } = this.#question;
    while (this.#bucket > 0 && at < (borders[this.#bucket] ?? 0)) this.#bucket--;
    while (at >= (borders[this.#bucket + 1] ?? Infinity)) this.#bucket++;
    const bucket = this.#timeseries[this.#bucket];
    if (bucket === undefined) return;
    bucket.clicks += clicks;
    bucket.unique += unique;
  }
}

/** Whether a profile has every value that is asked for. */
export function matcher(filters: Filters): (profile: string) => boolean {
  const asked = (Object.entries(filters) as [Dimension, string][]).map(
    ([dimension, value]) => [DIMENSIONS.indexOf(dimension), value] as const,
  );
  if (asked.length === 0) return () => true;
  return (profile) => {
    // Most do not even have the text somewhere.
    if (!asked.every(([, value]) => profile.includes(value))) return false;
    const values = valuesOf(profile);
    return asked.every(([index, value]) => values[index] === value);
  };
}

/** Whether clicks that have every value that is asked for may be in this JSON: a look at it is quicker than reading it. */
export function finder(filters: Filters): (json: string) => boolean {
  const asked = Object.values(filters).map((value) => JSON.stringify(value).slice(1, -1));
  return (json) => asked.every((value) => json.includes(value));
}

function ofEach<T>(make: (dimension: Dimension) => T): Record<Dimension, T> {
  return Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, make(dimension)])) as Record<Dimension, T>;
}

function add(counts: Map<string, number>, value: string, clicks: number): void {
  counts.set(value, (counts.get(value) ?? 0) + clicks);
}

function mostFrequent(counts: Map<string, number>, most: number): Count[] {
  return [...counts]
    .map(([value, clicks]) => ({ value, clicks }))
    .sort((a, b) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1))
    .slice(0, most);
}
