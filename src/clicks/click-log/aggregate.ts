import { MAX_PROFILES_IN_MEMORY } from "../../limits.ts";
import { DIMENSIONS, isBot, valuesOf, type Dimension } from "../profile.ts";

// Counts clicks. Pure: no storage and no clock.

/** A query for totals. Times are Unix milliseconds. */
export interface AggregateQuery {
  start: number;
  /** Exclusive. */
  end: number;
  /** The start of each bucket of the time series, ascending. Clicks before the second one are in the first bucket. */
  boundaries: number[];
  filters: Filters;
}

/** Only clicks with all these values are counted. */
export type Filters = Partial<Record<Dimension, string>>;

export interface Count {
  value: string;
  clicks: number;
}

export interface Totals {
  bots: number;
  /** For each bucket its clicks, and those of them that were a visitor's first of the day. */
  timeseries: { start: number; clicks: number; unique: number }[];
  /** The most frequent values first. An empty value is unknown. */
  counts: Record<Dimension, Count[]>;
}

export class Aggregator {
  readonly #query: AggregateQuery;
  readonly #timeseries: Totals["timeseries"];
  readonly #matches: (profile: string) => boolean;
  #bots = 0;
  /** The bucket of the last click: clicks come nearly in order of time. */
  #bucket = 0;
  readonly #profiles = new Map<string, number>();
  readonly #values = mapDimensions(() => new Map<string, number>());

  constructor(query: AggregateQuery) {
    this.#query = query;
    this.#timeseries = query.boundaries.map((start) => ({ start, clicks: 0, unique: 0 }));
    this.#matches = createMatcher(query.filters);
  }

  /** Counts a number of clicks of one profile at one time. */
  add(at: number, clicks: number, unique: number, profile: string): void {
    if (at < this.#query.start || at >= this.#query.end || !this.#matches(profile)) return;
    if (isBot(profile)) {
      this.#bots += clicks;
    } else {
      this.#addToSeries(at, clicks, unique);
      increase(this.#profiles, profile, clicks);
      if (this.#profiles.size === MAX_PROFILES_IN_MEMORY) this.#splitProfiles();
    }
  }

  /** Adds the totals of a query without filters. All their clicks are within the time of this query. */
  addTotals({ bots, timeseries, counts }: Totals): void {
    this.#bots += bots;
    for (const { start, clicks, unique } of timeseries) this.#addToSeries(start, clicks, unique);
    for (const dimension of DIMENSIONS) {
      for (const { value, clicks } of counts[dimension]) increase(this.#values[dimension], value, clicks);
    }
  }

  /** The totals so far, with at most `maxValues` values for each dimension. */
  result(maxValues: number): Totals {
    this.#splitProfiles();
    const counts = mapDimensions((dimension) => mostFrequent(this.#values[dimension], maxValues));
    return { bots: this.#bots, timeseries: this.#timeseries, counts };
  }

  #splitProfiles(): void {
    for (const [profile, clicks] of this.#profiles) {
      const values = valuesOf(profile);
      for (const [index, dimension] of DIMENSIONS.entries())
        increase(this.#values[dimension], values[index] ?? "", clicks);
    }
    this.#profiles.clear();
  }

  #addToSeries(at: number, clicks: number, unique: number): void {
    const { boundaries } = this.#query;
    while (this.#bucket > 0 && at < (boundaries[this.#bucket] ?? 0)) this.#bucket--;
    while (at >= (boundaries[this.#bucket + 1] ?? Infinity)) this.#bucket++;
    const bucket = this.#timeseries[this.#bucket];
    if (bucket === undefined) return;
    bucket.clicks += clicks;
    bucket.unique += unique;
  }
}

/** Returns a function that tells whether a profile passes the filters. */
export function createMatcher(filters: Filters): (profile: string) => boolean {
  const wanted = (Object.entries(filters) as [Dimension, string][]).map(
    ([dimension, value]) => [DIMENSIONS.indexOf(dimension), value] as const,
  );
  if (wanted.length === 0) return () => true;
  return (profile) => {
    // Most profiles do not contain the text anywhere.
    if (!wanted.every(([, value]) => profile.includes(value))) return false;
    const values = valuesOf(profile);
    return wanted.every(([index, value]) => values[index] === value);
  };
}

/** Returns a function that tells whether JSON of clicks may contain one that passes the filters. It costs less than parsing. */
export function createPreFilter(filters: Filters): (json: string) => boolean {
  const wanted = Object.values(filters).map((value) => JSON.stringify(value).slice(1, -1));
  return (json) => wanted.every((value) => json.includes(value));
}

function mapDimensions<T>(make: (dimension: Dimension) => T): Record<Dimension, T> {
  return Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, make(dimension)])) as Record<Dimension, T>;
}

function increase(counts: Map<string, number>, value: string, clicks: number): void {
  counts.set(value, (counts.get(value) ?? 0) + clicks);
}

function mostFrequent(counts: Map<string, number>, max: number): Count[] {
  return [...counts]
    .map(([value, clicks]) => ({ value, clicks }))
    .sort((a, b) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1))
    .slice(0, max);
}
