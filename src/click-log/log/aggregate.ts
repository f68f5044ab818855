import { DAY_MS, HOUR_MS } from "../../limits.ts";
import { PART_DIMENSIONS, valuesOf, type Dimension, type ProfilePart } from "../profile.ts";
import type { RollupSegment, Segment, TotalsSegment } from "./encoding.ts";
import type { Filters } from "./filters.ts";
import { createPartMatchers, SegmentCounts, type PartMatchers } from "./segment-counts.ts";
import { unpackVisitors } from "./packed-visitors.ts";
import { LEVEL, readRollup, readSegments, readTotals, type Row } from "./rows.ts";
import { increase, ValueCounts, type Count, type CountedDimension, type CountLists } from "./value-counts.ts";
import { VisitorTable } from "./visitor-table.ts";
import { MAX_PROFILES_IN_MEMORY } from "../limits.ts";

// Counts clicks. Pure: no storage and no clock.

const WEEK_HOURS = 7 * 24;
/** 5 January 1970 was a Monday: hours since 1970. */
const FIRST_MONDAY_HOUR = 4 * 24;

/** A query for totals. Times are Unix milliseconds. */
export interface AggregateQuery {
  start: number;
  /** Exclusive. */
  end: number;
  /** The start of each bucket of the time series, ascending. Clicks before the second one are in the first bucket. */
  boundaries: number[];
  filters: Filters;
  /**
   * Given: the clicks of each hour of the week are counted, from the first time on. How far the clocks are ahead of UTC from each time
   * on, ascending, in milliseconds.
   */
  clocks?: readonly { from: number; offset: number }[] | undefined;
  /** More frequent values of each dimension that the lists leave out; 0 by default. */
  offset?: number;
}

/** A bucket of the time series. */
export interface TimeBucket {
  /** Unix milliseconds. */
  start: number;
  clicks: number;
  /** Visitors whose first click of a UTC day on a link is in the bucket, of the clicks that the query counts. */
  unique: number;
}

export interface Totals {
  bots: number;
  timeseries: TimeBucket[];
  /** The clicks of the 168 hours of a week, that from Monday midnight on first, if the query has clocks. */
  weekHours?: number[];
  /** The most frequent values first. An empty value is unknown. */
  counts: Record<CountedDimension, Count[]>;
  /** The clicks with less frequent values. */
  others: Record<CountedDimension, number>;
}

/** The totals of a whole day without filters, as they are stored. Buckets without clicks are left out. */
export interface Summary {
  bots: number;
  timeseries: TimeBucket[];
  counts: CountLists;
}

export class Aggregator {
  readonly #query: AggregateQuery;
  readonly #timeseries: TimeBucket[];
  readonly #weekHours: number[] | null;
  readonly #matchers: PartMatchers;
  #bots = 0;
  /** The bucket of the last click: clicks come nearly in order of time. */
  #bucket = 0;
  readonly #values = new ValueCounts();
  /** Origins and clients repeat from segment to segment, so each text is split once. */
  readonly #texts = { origin: new Map<string, number>(), client: new Map<string, number>() };
  #linkDay = "";
  /** The visitors of the link's day, with the bucket of their first click. */
  #visitors = new VisitorTable();

  constructor(query: AggregateQuery) {
    this.#query = query;
    this.#timeseries = query.boundaries.map((start) => ({ start, clicks: 0, unique: 0 }));
    this.#weekHours = query.clocks === undefined ? null : Array.from({ length: WEEK_HOURS }, () => 0);
    this.#matchers = createPartMatchers(query.filters);
  }

  /** Counts the clicks of a row that match. All rows of a link's day must come one after another. */
  addRow(row: Row): void {
    const { day, link } = row;
    const linkDay = `${day}/${link}`;
    if (linkDay !== this.#linkDay) {
      this.#linkDay = linkDay;
      this.#visitors = new VisitorTable();
    }
    const dayStart = day * DAY_MS;
    for (const visitor of unpackVisitors(row.visitors)) this.#visitors.keepLowest(visitor, 0);
    if (row.level === LEVEL.clicks) for (const segment of readSegments(row)) this.#addSegment(link, dayStart, segment);
    else if (row.level < LEVEL.dayTotals)
      for (const segment of readRollup(row)) this.#addRollup(link, dayStart, segment);
    else for (const segment of readTotals(row)) this.#addTotals(link, dayStart, segment);
  }

  /** Adds a day without filters that is within the time of this query. */
  addSummary({ bots, timeseries, counts }: Summary): void {
    this.#bots += bots;
    for (const { start, clicks, unique } of timeseries) {
      const bucket = this.#bucketAt(start);
      bucket.clicks += clicks;
      bucket.unique += unique;
      this.#countHour(start, clicks);
    }
    this.#values.addLists(counts);
  }

  /** The totals so far, with at most `maxValues` values for each dimension. */
  totals(maxValues: number): Totals {
    this.#splitTexts();
    const total = this.#timeseries.reduce((sum, { clicks }) => sum + clicks, 0);
    const lists = this.#values.page(total, this.#query.offset ?? 0, maxValues);
    const weekHours = this.#weekHours;
    return { bots: this.#bots, timeseries: this.#timeseries, ...(weekHours && { weekHours }), ...lists };
  }

  /** The totals so far with at most `maxValues` values for each dimension, to be stored. */
  summary(maxValues: number): Summary {
    this.#splitTexts();
    const timeseries = this.#timeseries.filter(({ clicks }) => clicks > 0);
    return { bots: this.#bots, timeseries, counts: this.#values.lists(maxValues) };
  }

  #addSegment(link: string, dayStart: number, [, origins, targets, clients, clicks]: Segment): void {
    const segment = new SegmentCounts([origins, targets, clients], this.#matchers);
    let counted = 0;
    for (const [at, , , visitor, origin, target, client] of clicks) {
      if (!this.#isCounted(dayStart + at, 1, segment, origin, target, client)) continue;
      const bucket = this.#bucketAt(dayStart + at);
      bucket.clicks++;
      this.#countHour(dayStart + at, 1);
      counted++;
      if (visitor !== 0) this.#addVisitor(visitor);
    }
    this.#addCounts(link, segment, counted);
  }

  #addRollup(link: string, dayStart: number, [origins, targets, clients, buckets]: RollupSegment): void {
    const segment = new SegmentCounts([origins, targets, clients], this.#matchers);
    let counted = 0;
    for (const [at, clicks, unique, origin, target, client] of buckets) {
      if (!this.#isCounted(dayStart + at, clicks, segment, origin, target, client)) continue;
      const bucket = this.#bucketAt(dayStart + at);
      bucket.clicks += clicks;
      bucket.unique += unique;
      this.#countHour(dayStart + at, clicks);
      counted += clicks;
    }
    this.#addCounts(link, segment, counted);
  }

  /** Clicks without profiles: no filter finds them, and their values are among the others. */
  #addTotals(link: string, dayStart: number, [clicks, unique, bots]: TotalsSegment): void {
    const { start, end, filters } = this.#query;
    if (dayStart < start || dayStart >= end || Object.keys(filters).length > 0) return;
    const bucket = this.#bucketAt(dayStart);
    bucket.clicks += clicks;
    bucket.unique += unique;
    this.#bots += bots;
    if (clicks > 0) this.#values.add("link", link, clicks);
  }

  /** Whether the clicks match and are not of a crawler. Counts those of crawlers, and the values of the others. */
  #isCounted(
    at: number,
    clicks: number,
    segment: SegmentCounts,
    origin: number,
    target: number,
    client: number,
  ): boolean {
    const { start, end } = this.#query;
    if (at < start || at >= end || !segment.matches(origin, target, client)) return false;
    const isBot = segment.isBot(client);
    if (isBot) this.#bots += clicks;
    else segment.count(clicks, origin, target, client);
    return !isBot;
  }

  /** Counts the visitor in the current bucket, unless an earlier one has its first click. */
  #addVisitor(visitor: number): void {
    const known = this.#visitors.keepLowest(visitor, this.#bucket);
    if (known !== null && known <= this.#bucket) return;
    const before = known === null ? undefined : this.#timeseries[known];
    const bucket = this.#timeseries[this.#bucket];
    if (before !== undefined) before.unique--;
    if (bucket !== undefined) bucket.unique++;
  }

  #addCounts(link: string, segment: SegmentCounts, clicks: number): void {
    if (clicks === 0) return;
    this.#values.add("link", link, clicks);
    for (const [text, count] of segment.counted("target")) this.#addValues("target", text, count);
    for (const part of ["origin", "client"] as const) {
      const texts = this.#texts[part];
      for (const [text, count] of segment.counted(part)) increase(texts, text, count);
      if (texts.size >= MAX_PROFILES_IN_MEMORY) this.#splitTexts();
    }
  }

  #splitTexts(): void {
    for (const part of ["origin", "client"] as const) {
      for (const [text, clicks] of this.#texts[part]) this.#addValues(part, text, clicks);
      this.#texts[part].clear();
    }
  }

  #addValues(part: ProfilePart, text: string, clicks: number): void {
    const values = valuesOf(text);
    const dimensions: readonly Dimension[] = PART_DIMENSIONS[part];
    for (const [index, dimension] of dimensions.entries()) this.#values.add(dimension, values[index] ?? "", clicks);
  }

  /** Counts clicks in their hour of the week. */
  #countHour(at: number, clicks: number): void {
    const clock = this.#query.clocks?.findLast(({ from }) => from <= at);
    if (clock === undefined) return;
    const hours = Math.floor((at + clock.offset) / HOUR_MS) - FIRST_MONDAY_HOUR;
    const hour = ((hours % WEEK_HOURS) + WEEK_HOURS) % WEEK_HOURS;
    if (this.#weekHours !== null) this.#weekHours[hour] = (this.#weekHours[hour] ?? 0) + clicks;
  }

  /** Makes the bucket of a time the current one. */
  #bucketAt(at: number): TimeBucket {
    const { boundaries } = this.#query;
    while (this.#bucket > 0 && at < (boundaries[this.#bucket] ?? 0)) this.#bucket--;
    while (at >= (boundaries[this.#bucket + 1] ?? Infinity)) this.#bucket++;
    return (this.#timeseries[this.#bucket] ??= { start: at, clicks: 0, unique: 0 });
  }
}
