import { DAY_MS, HOUR_MS } from "#src/limits.ts";
import { lazily, LOCALE } from "../../lib/format.ts";
import type { Sums } from "./queries.ts";
import type { View } from "./view.ts";

// Times in the time zone of the view.

type Bucket = Sums["bucket"];

function format(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(LOCALE, { ...options, timeZone });
}

const DAY: Intl.DateTimeFormatOptions = { day: "numeric", month: "short", year: "numeric" };
const HOUR: Intl.DateTimeFormatOptions = { hour: "numeric", minute: "2-digit" };

const IN_FULL: Record<Bucket, Intl.DateTimeFormatOptions> = {
  // With the name of the zone: where the clock goes back, two hours have the same number.
  hour: { weekday: "short", day: "numeric", month: "short", ...HOUR, timeZoneName: "short" },
  day: { weekday: "long", ...DAY },
  month: { month: "long", year: "numeric" },
};

const SHORT: Record<Bucket, Intl.DateTimeFormatOptions> = {
  hour: HOUR,
  day: { day: "numeric", month: "short" },
  month: { month: "short", year: "2-digit" },
};

/** Returns what writes the time of a bucket in full: "Thursday, 5 March 2026". */
export function bucketFormat(bucket: Bucket, timeZone: string): (at: number) => string {
  const full = format(timeZone, IN_FULL[bucket]);
  return (at) => full.format(at);
}

/** Returns what writes the time of a bucket at the axis: "5 Mar". */
export function axisFormat(bucket: Bucket, timeZone: string): (at: number) => string {
  const short = format(timeZone, SHORT[bucket]);
  return (at) => short.format(at);
}

/** The day of a time: "5 Mar 2026". */
export function formatDay(at: number, timeZone: string): string {
  return format(timeZone, DAY).format(at);
}

/** Returns what writes a time to the minute: "5 Mar 2026, 14:03". */
export function momentFormat(timeZone: string): (at: number) => string {
  const moment = format(timeZone, { ...DAY, ...HOUR });
  return (at) => moment.format(at);
}

/** Some buckets in a row: "5 – 9 Mar 2026". `end` is exclusive. */
export function formatSpan(bucket: Bucket, start: number, end: number, timeZone: string): string {
  const options = bucket === "hour" ? { ...DAY, ...HOUR } : bucket === "day" ? DAY : IN_FULL.month;
  return format(timeZone, options).formatRange(start, bucket === "hour" ? end : end - 1);
}

/** The own period of a view. */
export function formatPeriod({ period, timezone }: View): string {
  if (!("start" in period)) return "";
  const { start, end } = period;
  if (typeof start === "string" && typeof end === "string")
    return format("UTC", DAY).formatRange(Date.parse(start), Date.parse(end));
  return format(timezone, { ...DAY, ...HOUR }).formatRange(Number(start), Number(end));
}

/** 1 January 2024 was a Monday. */
const MONDAY = Date.UTC(2024, 0, 1);

function weekdays(weekday: "long" | "short"): string[] {
  const name = format("UTC", { weekday });
  return Array.from({ length: 7 }, (_, day) => name.format(MONDAY + day * DAY_MS));
}

/** The names from Monday on. Made once: a formatter costs more than a cell. */
export const weekdayNames = lazily(() => ({ long: weekdays("long"), short: weekdays("short") }));

/** The names from midnight on. */
export const hourNames = lazily((): readonly string[] => {
  const name = format("UTC", HOUR);
  return Array.from({ length: 24 }, (_, hour) => name.format(MONDAY + hour * HOUR_MS));
});
