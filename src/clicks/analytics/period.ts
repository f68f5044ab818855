import { MAX_DAILY_PERIOD_MS, MAX_HOURLY_PERIOD_MS, MAX_PERIOD_MS, MAX_TIMESTAMP_MS } from "../../limits.ts";
import {
  DAY_MS,
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

/** The time that a question about clicks covers and how it is cut. All times are Unix milliseconds. */
export interface Period {
  start: number;
  /** Exclusive. */
  end: number;
  bucket: "hour" | "day" | "month";
  /**
   * `borders[i]` is where bucket i begins in the user's time zone; it ends where the next one begins, the last one
   * at `end`. The first may begin before `start`: only what is not before `start` counts in it, so that the
   * series adds up to the total.
   */
  borders: number[];
}

export interface PeriodQuestion {
  /** Not together with `start` and `end`; without any of them the last 30 days. */
  interval?: Interval | undefined;
  /** Without it an own range begins at `createdAt`, */
  start?: number | undefined;
  /** and without this it ends with the current bucket. */
  end?: number | undefined;
  /** One that `isTimeZone` takes. */
  timezone: string;
  now: number;
  /** When what is asked about began to exist: a link or an account. */
  createdAt: number;
}

export type PeriodResult =
  | { ok: true; period: Period }
  | { ok: false; path: "interval" | "start" | "end"; message: string };

/**
 * The intervals end with the current hour, day or month, and begin
 * - `24h`: with the hour 24 hours ago, so that it holds all of the last 24 hours (25 buckets),
 * - `7d`, `30d`, `90d`: so many local days ago, today being one of them,
 * - `1y`: with the same date a year ago (13 months, the first one in part),
 * - `all`: with the hour, day or month of `createdAt`, cut by its length as own ranges are.
 */
export function periodOf(question: PeriodQuestion): PeriodResult {
  const { interval, start, end } = question;
  if (start === undefined && end === undefined) return { ok: true, period: ofInterval(interval ?? "30d", question) };
  if (interval !== undefined) return refuse("interval", "give either interval or start and end, not both");
  return ofRange(question);
}

function ofInterval(interval: Interval, { timezone, now, createdAt }: PeriodQuestion): Period {
  const zone = timeZoneOf(timezone);
  const today = localDateAt(now, zone);
  const tomorrow = startOfLocalDate(today + DAY_MS, zone);
  if (interval === "24h") return cut(startOfLocalHour(now - DAY_MS, zone), endOf("hour", now, zone), "hour", zone);
  if (interval === "1y") return cut(startOfLocalDate(yearBefore(today), zone), tomorrow, "month", zone);
  if (interval === "all") return sinceCreation(Math.min(createdAt, now), now, zone);
  return cut(startOfLocalDate(today - (DAYS[interval] - 1) * DAY_MS, zone), tomorrow, "day", zone);
}

function sinceCreation(createdAt: number, now: number, zone: TimeZone): Period {
  const bucket = bucketOf(now - createdAt);
  const [start = createdAt] = bordersOf(createdAt, createdAt + 1, bucket, zone);
  return cut(start, endOf(bucket, now, zone), bucket, zone);
}

function ofRange(question: PeriodQuestion): PeriodResult {
  const { timezone, now, createdAt } = question;
  const zone = timeZoneOf(timezone);
  const start = question.start ?? createdAt;
  if (!isTime(start)) return refuse("start", "must be whole Unix milliseconds from 1970 to 9999");
  if (question.end !== undefined && !isTime(question.end))
    return refuse("end", "must be whole Unix milliseconds from 1970 to 9999");
  if (question.end === undefined && start > now)
    return refuse("start", "must not lie in the future unless end is given");
  const end = question.end ?? endOf(bucketOf(now - start), now, zone);
  if (end <= start)
    return refuse(
      "end",
      question.start === undefined ? "must be after the creation, or start be given" : "must be after start",
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
  return { start, end, bucket, borders: bordersOf(start, end, bucket, zone) };
}

/** Where the bucket that holds `now` ends; of months only the current day, the rest being in the future. */
function endOf(bucket: Period["bucket"], now: number, zone: TimeZone): number {
  return bucket === "hour"
    ? nextLocalHour(startOfLocalHour(now, zone), zone)
    : startOfLocalDate(localDateAt(now, zone) + DAY_MS, zone);
}

/** From the last border that is not after `start` to the last one before `end`. */
function bordersOf(start: number, end: number, bucket: Period["bucket"], zone: TimeZone): number[] {
  const borders: number[] = [];
  for (const border of bucket === "hour" ? hoursFrom(start, zone) : datesFrom(start, bucket, zone)) {
    if (border >= end) break;
    if (border <= start) borders.length = 0;
    // A day that the calendar skipped begins with the next one.
    if (border !== borders.at(-1)) borders.push(border);
  }
  return borders;
}

function* hoursFrom(start: number, zone: TimeZone): Generator<number> {
  for (let border = startOfLocalHour(start, zone); ; border = nextLocalHour(border, zone)) yield border;
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

/** The same date a year ago; of February 29 the day before. */
function yearBefore(date: LocalDate): LocalDate {
  const day = new Date(date);
  const lastOfMonth = new Date(Date.UTC(day.getUTCFullYear() - 1, day.getUTCMonth() + 1, 0)).getUTCDate();
  return Date.UTC(day.getUTCFullYear() - 1, day.getUTCMonth(), Math.min(day.getUTCDate(), lastOfMonth));
}
