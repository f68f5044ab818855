import { DAY_MS, HOUR_MS } from "../../lib/duration.ts";
import { MAX_DAILY_PERIOD_MS, MAX_HOURLY_PERIOD_MS, MAX_PERIOD_MS, MAX_TIMESTAMP_MS } from "../../limits.ts";
import {
  localDateAt,
  nextLocalHour,
  startOfLocalDate,
  startOfLocalHour,
  timeZoneOf,
  type LocalDate,
  type TimeZone,
} from "./time-zone.ts";

export const INTERVALS = ["24h", "7d", "30d", "90d", "1y", "all"] as const;
type Interval = (typeof INTERVALS)[number];
const DAYS = { "7d": 7, "30d": 30, "90d": 90 };

/** The time that a query covers, and its buckets. All times are Unix milliseconds. */
export interface Period {
  start: number;
  /** Exclusive. */
  end: number;
  bucket: "hour" | "day" | "month";
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
  /** A name that `isTimeZone` accepts. */
  timezone: string;
  now: number;
  /** When the link was created, or when the account's first click was stored. */
  createdAt: number;
}

export type PeriodResult =
  | { ok: true; period: Period }
  | { ok: false; path: "interval" | "start" | "end"; message: string };

/**
 * The period of a query. An interval ends with the current hour, day or month. It starts
 * - `24h`: so that it has 24 hours, including the current one,
 * - `7d`, `30d`, `90d`: so that it has 7, 30 or 90 local days, including today,
 * - `1y`: so that it has 12 local months, including the current one,
 * - `all`: with the hour, day or month of `createdAt`. Its buckets depend on its length, like those of a custom range.
 */
export function periodOf(query: PeriodQuery): PeriodResult {
  const { interval, start, end } = query;
  if (start === undefined && end === undefined) return { ok: true, period: ofInterval(interval ?? "30d", query) };
  if (interval !== undefined) return refuse("interval", "give either interval or start and end, not both");
  return ofRange(query);
}

function ofInterval(interval: Interval, { timezone, now, createdAt }: PeriodQuery): Period {
  const zone = timeZoneOf(timezone);
  const today = localDateAt(now, zone);
  const tomorrow = startOfLocalDate(today + DAY_MS, zone);
  if (interval === "24h") return lastHours(24, now, zone);
  if (interval === "1y") return cut(startOfLocalDate(monthOf(today, -11), zone), tomorrow, "month", zone);
  if (interval === "all") return sinceCreation(Math.min(createdAt, now), now, zone);
  return cut(startOfLocalDate(today - (DAYS[interval] - 1) * DAY_MS, zone), tomorrow, "day", zone);
}

/** Counted from the end, because a clock change of half an hour adds a bucket. */
function lastHours(count: number, now: number, zone: TimeZone): Period {
  const end = endOf("hour", now, zone);
  const boundaries = boundariesOf(end - (count + 1) * HOUR_MS, end, "hour", zone).slice(-count);
  return { start: boundaries[0] ?? end, end, bucket: "hour", boundaries };
}

function sinceCreation(createdAt: number, now: number, zone: TimeZone): Period {
  const bucket = bucketOf(now - createdAt);
  const [start = createdAt] = boundariesOf(createdAt, createdAt + 1, bucket, zone);
  return cut(start, endOf(bucket, now, zone), bucket, zone);
}

function ofRange(query: PeriodQuery): PeriodResult {
  const { timezone, now, createdAt } = query;
  const zone = timeZoneOf(timezone);
  const start = query.start ?? createdAt;
  if (!isTime(start)) return refuse("start", "must be whole Unix milliseconds from 1970 to 9999");
  if (query.end !== undefined && !isTime(query.end))
    return refuse("end", "must be whole Unix milliseconds from 1970 to 9999");
  if (query.end === undefined && start > now) return refuse("start", "must not lie in the future unless end is given");
  const end = query.end ?? endOf(bucketOf(now - start), now, zone);
  if (end <= start)
    return refuse(
      "end",
      query.start === undefined ? "must be after the creation; otherwise give start too" : "must be after start",
    );
  if (end - start > MAX_PERIOD_MS)
    return refuse("start", "must be at most 20 years before the end; interval=all covers everything");
  return { ok: true, period: cut(start, end, bucketOf(end - start), zone) };
}

function refuse(path: "interval" | "start" | "end", message: string): PeriodResult {
  return { ok: false, path, message };
}

function isTime(time: number): boolean {
  return Number.isInteger(time) && time >= 0 && time <= MAX_TIMESTAMP_MS;
}

function bucketOf(length: number): Period["bucket"] {
  return length <= MAX_HOURLY_PERIOD_MS ? "hour" : length <= MAX_DAILY_PERIOD_MS ? "day" : "month";
}

function cut(start: number, end: number, bucket: Period["bucket"], zone: TimeZone): Period {
  return { start, end, bucket, boundaries: boundariesOf(start, end, bucket, zone) };
}

/** The end of the bucket that holds `now`. In a month it is the end of the current day: the other days are in the future. */
function endOf(bucket: Period["bucket"], now: number, zone: TimeZone): number {
  return bucket === "hour"
    ? nextLocalHour(startOfLocalHour(now, zone), zone)
    : startOfLocalDate(localDateAt(now, zone) + DAY_MS, zone);
}

/** From the last boundary at or before `start` to the last one before `end`. */
function boundariesOf(start: number, end: number, bucket: Period["bucket"], zone: TimeZone): number[] {
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
