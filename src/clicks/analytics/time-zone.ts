import { DAY_MS, HOUR_MS } from "../../limits.ts";
import { MAX_TIME_ZONE_CHARS } from "./limits.ts";

/** A local calendar day, written as midnight UTC of the same date, so that its arithmetic has no clock changes. */
export type LocalDate = number;

export interface TimeZone {
  /** How far the local clock is ahead of UTC at a time, in milliseconds. */
  offsetAt: (time: number) => number;
}

// Some names without a slash that Intl accepts are only in ICU, such as ACT for Darwin. These are in the IANA database.
const SHORT_NAMES = new Set([
  "UTC",
  "GMT",
  "UCT",
  "CET",
  "MET",
  "EET",
  "WET",
  "EST",
  "MST",
  "HST",
  "PRC",
  "ROC",
  "ROK",
]);
const NAME = /^[a-z][a-z0-9_+-]*(\/[a-z0-9_+-]+)*$/i;
const NO_PLACE = /^(systemv\/|factory$)/i;

/** Whether the text is a name in the IANA database, in any case. Offsets such as +02:00 have no clock changes and are not. */
export function isTimeZone(text: string): boolean {
  if (text.length > MAX_TIME_ZONE_CHARS || !NAME.test(text) || NO_PLACE.test(text)) return false;
  if (text.length <= 3 && !SHORT_NAMES.has(text.toUpperCase()) && !/^(gb|nz)$/i.test(text)) return false;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: text }).format(0) !== "";
  } catch {
    return false;
  }
}

/** Throws a RangeError if {@link isTimeZone} does not accept the name. */
export function timeZoneOf(name: string): TimeZone {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  return { offsetAt: (time) => readOffset(format.format(time)) };
}

// "GMT", "GMT+05:45" or, before standard time, "GMT-00:44:30".
function readOffset(formatted: string): number {
  const [, sign, hours, minutes, seconds = "0"] = /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(formatted) ?? [];
  if (sign === undefined) return 0;
  const offset = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
  return sign === "-" ? -offset : offset;
}

export function localDateAt(time: number, zone: TimeZone): LocalDate {
  return floorTo(time + zone.offsetAt(time), DAY_MS);
}

/**
 * The start of a local day: its first midnight, or its first moment if the clock skips midnight. A day that the calendar
 * skips starts together with the next one.
 */
export function startOfLocalDate(date: LocalDate, zone: TimeZone): number {
  // Offsets are between -12 and +14 hours, so the day starts between these two times.
  const earliest = date - DAY_MS;
  const latest = date + DAY_MS;
  const before = zone.offsetAt(earliest);
  const after = zone.offsetAt(latest);
  if (before === after) return date - before;
  const change = findChange(earliest, latest, zone);
  return date - before < change ? date - before : Math.max(change, date - after);
}

/** How far the local clock is ahead of UTC from a time on, both in milliseconds. */
export interface ClockOffset {
  from: number;
  offset: number;
}

/** No zone changes its clocks and back within it. */
const CLOCK_STEP_MS = 7 * DAY_MS;

/** The offsets of a zone from `start` to `end`, ascending: the first one from `start` on, and one for each change of the clock. */
export function clockOffsets(start: number, end: number, zone: TimeZone): ClockOffset[] {
  const offsets = [{ from: start, offset: zone.offsetAt(start) }];
  for (let at = start; at < end; at += CLOCK_STEP_MS) {
    const next = Math.min(at + CLOCK_STEP_MS, end);
    if (zone.offsetAt(next) === zone.offsetAt(at)) continue;
    const from = findChange(at, next, zone);
    offsets.push({ from, offset: zone.offsetAt(from) });
  }
  return offsets;
}

/** The start of the local hour of a time. A clock change starts a new hour. */
export function startOfLocalHour(time: number, zone: TimeZone): number {
  const offset = zone.offsetAt(time);
  const start = floorTo(time + offset, HOUR_MS) - offset;
  return zone.offsetAt(start) === offset ? start : findChange(start, time, zone);
}

/** The end of the local hour that began at `start`: the next full hour, or an earlier clock change. */
export function nextLocalHour(start: number, zone: TimeZone): number {
  const offset = zone.offsetAt(start);
  const end = floorTo(start + offset, HOUR_MS) + HOUR_MS - offset;
  return zone.offsetAt(end) === offset ? end : findChange(start, end, zone);
}

/** The first time after `from`, at most `to`, whose offset differs from that at `from`. There must be one. */
function findChange(from: number, to: number, zone: TimeZone): number {
  const before = zone.offsetAt(from);
  let same = from;
  let other = to;
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (zone.offsetAt(middle) === before) same = middle;
    else other = middle;
  }
  return other;
}

function floorTo(time: number, unit: number): number {
  return Math.floor(time / unit) * unit;
}
