import { DAY_MS, HOUR_MS, MAX_TIMESTAMP_MS } from "../../limits.ts";
import {
  localDateAt,
  nextLocalHour,
  startOfLocalDate,
  startOfLocalHour,
  timeZoneOf,
  type LocalDate,
  type TimeZone,
} from "./time-zone.ts";
import { MAX_BUCKETS, MAX_DAILY_PERIOD_MS, MAX_HOURLY_PERIOD_MS, MAX_PERIOD_MS, MAX_PERIOD_YEARS } from "./limits.ts";
import { fault, type Fault } from "../../platform/http/faults.ts";

export const INTERVALS = ["24h", "today", "yesterday", "7d", "mtd", "30d", "90d", "1y", "all"] as const;
export const COMPARISONS = ["previous", "year"] as const;
export const BUCKETS = ["hour", "day", "month"] as const;
type Bucket = (typeof BUCKETS)[number];
type Interval = (typeof INTERVALS)[number];
type Comparison = (typeof COMPARISONS)[number];
const DAYS = { "7d": 7, "30d": 30, "90d": 90 };

/** The time that a query covers, and its buckets. All times are Unix milliseconds. */
export interface Period {
  start: number;
  /** Exclusive. */
  end: number;
  bucket: Bucket;
  /**
   * The start of each bucket in the user's time zone. A bucket ends where the next one starts, the last one at `end`.
   * The first one may start before `start`; it counts only clicks from `start` on, so the series adds up to the total.
   */
  boundaries: number[];
}

export interface PeriodQuery {
  /** Not together with `start` and `end`. Without any of the three it is `30d`. */
  interval?: Interval | undefined;
  /** The start of a custom range; `createdAt` by default. */
  start?: number | undefined;
  /** The end of a custom range; the end of the current bucket by default. */
  end?: number | undefined;
  /** The length of the buckets. By default it follows from the length of the period. */
  bucket?: Bucket | undefined;
  /** A name that `isTimeZone` accepts. */
  timezone: string;
  now: number;
  /** When the link was created, or when the account's first click was stored. */
  createdAt: number;
}

export type PeriodResult = { ok: true; period: Period } | { ok: false; fault: Fault };

/**
 * The period of a query. An interval ends with the current hour, day or month, but `yesterday` with that day. It starts
 * - `24h`: so that it has 24 hours, including the current one,
 * - `today`, `yesterday`: with that day,
 * - `7d`, `30d`, `90d`: so that it has 7, 30 or 90 local days, including today,
 * - `mtd`: with the current month (month to date),
 * - `1y`: so that it has 12 local months, including the current one,
 * - `all`: with the hour, day or month of `createdAt`. Its buckets depend on its length, like those of a custom range.
 */
export function periodOf(query: PeriodQuery): PeriodResult {
  const { interval, start, end } = query;
  if (start === undefined && end === undefined) return cut(rangeOf(interval ?? "30d", query), query);
  if (interval !== undefined)
    return refuse(fault("interval", "not_together", { field: start === undefined ? "end" : "start" }));
  return ofRange(query);
}

/**
 * The period with which `period`, the period of `query`, is compared:
 * - `previous`: the one before, with as many local days, or as many milliseconds if it begins or ends within a day,
 * - `year`: the same local days a year earlier (29 February has 28 February), or as many milliseconds from the same local time.
 */
export function comparedWith(comparison: Comparison, query: PeriodQuery, { start, end, bucket }: Period): PeriodResult {
  const { interval, timezone } = query;
  if (interval === "all") return refuse(fault("compare", "no_period_before"));
  const zone = timeZoneOf(timezone);
  const isDays = interval !== "24h" && isStartOfDay(start, zone) && isStartOfDay(end, zone);
  const range = (comparison === "year" ? yearBefore : periodBefore)({ start, end }, zone, isDays);
  return cut({ ...range, bucket }, { ...query, bucket });
}

/** Two times in Unix milliseconds, the second one exclusive. */
type Span = Pick<Period, "start" | "end">;

function periodBefore({ start, end }: Span, zone: TimeZone, isDays: boolean): Span {
  const days = localDateAt(end, zone) - localDateAt(start, zone);
  return {
    start: isDays ? startOfLocalDate(localDateAt(start, zone) - days, zone) : start - (end - start),
    end: start,
  };
}

function yearBefore({ start, end }: Span, zone: TimeZone, isDays: boolean): Span {
  const first = localDateAt(start, zone);
  const firstBefore = dateAYearBefore(first);
  if (isDays) {
    const lastBefore = dateAYearBefore(localDateAt(end - 1, zone));
    return { start: startOfLocalDate(firstBefore, zone), end: startOfLocalDate(lastBefore + DAY_MS, zone) };
  }
  const sameInUtc = start - (first - firstBefore);
  const before = sameInUtc + zone.offsetAt(start) - zone.offsetAt(sameInUtc);
  return { start: before, end: before + (end - start) };
}

function dateAYearBefore(date: LocalDate): LocalDate {
  const day = new Date(date);
  const isLeapDay = day.getUTCMonth() === 1 && day.getUTCDate() === 29;
  return Date.UTC(day.getUTCFullYear() - 1, day.getUTCMonth(), isLeapDay ? 28 : day.getUTCDate());
}

function isStartOfDay(time: number, zone: TimeZone): boolean {
  return startOfLocalDate(localDateAt(time, zone), zone) === time;
}

/** A period that is not cut into buckets yet. */
type Range = Pick<Period, "start" | "end" | "bucket">;

function rangeOf(interval: Interval, { timezone, now, createdAt, bucket }: PeriodQuery): Range {
  const zone = timeZoneOf(timezone);
  const today = localDateAt(now, zone);
  const startOf = (date: LocalDate) => startOfLocalDate(date, zone);
  const end = startOf(today + DAY_MS);
  if (interval === "24h") return lastHours(24, now, zone);
  if (interval === "today") return { start: startOf(today), end, bucket: "hour" };
  if (interval === "yesterday") return { start: startOf(today - DAY_MS), end: startOf(today), bucket: "hour" };
  if (interval === "mtd") return { start: startOf(monthOf(today, 0)), end, bucket: "day" };
  if (interval === "1y") return { start: startOf(monthOf(today, -11)), end, bucket: "month" };
  if (interval === "all") return sinceCreation(Math.min(createdAt, now), now, zone, bucket);
  return { start: startOf(today - (DAYS[interval] - 1) * DAY_MS), end, bucket: "day" };
}

/** Counted from the end, because a clock change of half an hour adds a bucket. */
function lastHours(count: number, now: number, zone: TimeZone): Range {
  const end = endOf("hour", now, zone);
  const boundaries = boundariesOf(end - (count + 1) * HOUR_MS, end, "hour", zone).slice(-count);
  return { start: boundaries[0] ?? end, end, bucket: "hour" };
}

function sinceCreation(createdAt: number, now: number, zone: TimeZone, wanted?: Bucket): Range {
  const bucket = wanted ?? bucketOf(now - createdAt);
  const [start = createdAt] = boundariesOf(createdAt, createdAt + 1, bucket, zone);
  return { start, end: endOf(bucket, now, zone), bucket };
}

function ofRange(query: PeriodQuery): PeriodResult {
  const { timezone, now, createdAt } = query;
  const zone = timeZoneOf(timezone);
  const start = query.start ?? createdAt;
  if (!isTime(start)) return refuse(fault("start", "not_a_time"));
  if (query.end !== undefined && !isTime(query.end)) return refuse(fault("end", "not_a_time"));
  if (query.end === undefined && start > now) return refuse(fault("start", "in_the_future"));
  const end = query.end ?? endOf(query.bucket ?? bucketOf(now - start), now, zone);
  if (end <= start)
    return refuse(
      query.start === undefined ? fault("end", "before_creation") : fault("end", "not_after", { field: "start" }),
    );
  if (end - start > MAX_PERIOD_MS) return refuse(fault("start", "period_too_long", { max: MAX_PERIOD_YEARS }));
  return cut({ start, end, bucket: bucketOf(end - start) }, query);
}

function refuse(reason: Fault): PeriodResult {
  return { ok: false, fault: reason };
}

function isTime(time: number): boolean {
  return Number.isInteger(time) && time >= 0 && time <= MAX_TIMESTAMP_MS;
}

function bucketOf(length: number): Bucket {
  return length <= MAX_HOURLY_PERIOD_MS ? "hour" : length <= MAX_DAILY_PERIOD_MS ? "day" : "month";
}

const SHORTEST_MS = { hour: HOUR_MS, day: DAY_MS, month: 28 * DAY_MS };

/** Cuts the range into the buckets that the query wants, or into those of the range. */
function cut({ start, end, bucket: usual }: Range, query: PeriodQuery): PeriodResult {
  const bucket = query.bucket ?? usual;
  const isShort = (end - start) / SHORTEST_MS[bucket] <= MAX_BUCKETS;
  const boundaries = isShort ? boundariesOf(start, end, bucket, timeZoneOf(query.timezone)) : [];
  if (!isShort || boundaries.length > MAX_BUCKETS)
    return refuse(fault("bucket", "too_many_buckets", { max: MAX_BUCKETS }));
  return { ok: true, period: { start, end, bucket, boundaries } };
}

/** The end of the bucket that holds `now`. In a month it is the end of the current day: the other days are in the future. */
function endOf(bucket: Bucket, now: number, zone: TimeZone): number {
  return bucket === "hour"
    ? nextLocalHour(startOfLocalHour(now, zone), zone)
    : startOfLocalDate(localDateAt(now, zone) + DAY_MS, zone);
}

/** From the last boundary at or before `start` to the last one before `end`. */
function boundariesOf(start: number, end: number, bucket: Bucket, zone: TimeZone): number[] {
  const boundaries: number[] = [];
  for (const boundary of bucket === "hour" ? hoursFrom(start, zone) : datesFrom(start, bucket, zone)) {
    if (boundary >= end) break;
    if (boundary <= start) boundaries.length = 0;
    // A day that the calendar skips starts together with the next one.
    if (boundary !== boundaries.at(-1)) boundaries.push(boundary);
  }
  return boundaries;
}

function* hoursFrom(start: number, zone: TimeZone): Generator<number> {
  for (let boundary = startOfLocalHour(start, zone); ; boundary = nextLocalHour(boundary, zone)) yield boundary;
}

function* datesFrom(start: number, bucket: "day" | "month", zone: TimeZone): Generator<number> {
  let date = localDateAt(start, zone);
  if (bucket === "month") date = monthOf(date, 0);
  for (; ; date = bucket === "day" ? date + DAY_MS : monthOf(date, 1)) yield startOfLocalDate(date, zone);
}

function monthOf(date: LocalDate, monthsLater: number): LocalDate {
  const day = new Date(date);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + monthsLater, 1);
}
