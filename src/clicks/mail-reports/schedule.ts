import { localDateAt, startOfLocalDate, timeZoneOf, type LocalDate, type TimeZone } from "../analytics/time-zone.ts";
import { DAY_MS, HOUR_MS } from "../../limits.ts";
import type { Frequency } from "./contract.ts";
import { MAIL_REPORT_HOUR } from "./limits.ts";

/** When reports are due, and what they are about. All times are Unix milliseconds. */

/** The first time after `after` that is 07:00 on a Monday, or on the first day of a month. */
export function nextMailReportAt(frequency: Frequency, timezone: string, after: number): number {
  const zone = timeZoneOf(timezone);
  const date = firstDateOf(frequency, localDateAt(after, zone));
  const due = hourOn(date, zone);
  return due > after ? due : hourOn(dateAfter(frequency, date), zone);
}

/** The week or month before the report. */
export function mailedPeriod(frequency: Frequency, timezone: string, reportAt: number): { start: number; end: number } {
  const zone = timeZoneOf(timezone);
  const date = firstDateOf(frequency, localDateAt(reportAt, zone));
  const start = firstDateOf(frequency, date - DAY_MS);
  return { start: startOfLocalDate(start, zone), end: startOfLocalDate(date, zone) };
}

/** The Monday or the first day of the month. */
function firstDateOf(frequency: Frequency, date: LocalDate): LocalDate {
  const day = new Date(date);
  const daysAgo = frequency === "weekly" ? (day.getUTCDay() + 6) % 7 : day.getUTCDate() - 1;
  return date - daysAgo * DAY_MS;
}

function dateAfter(frequency: Frequency, date: LocalDate): LocalDate {
  const day = new Date(date);
  return frequency === "weekly" ? date + 7 * DAY_MS : Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1);
}

/** {@link MAIL_REPORT_HOUR} of a local day, whose clock may have changed since midnight. */
function hourOn(date: LocalDate, zone: TimeZone): number {
  const hoursLater = MAIL_REPORT_HOUR * HOUR_MS;
  return date + hoursLater - zone.offsetAt(startOfLocalDate(date, zone) + hoursLater);
}
