import {
  MAX_SUMMARY_VALUES,
  MAX_VALUES_PER_DIMENSION,
  SUMMARIES_READ_AT_ONCE,
  SUMMARISED_FROM_CLICKS,
} from "../../limits.ts";
import { eachClick, oldestDay, rowsOfDay, rowsOfLink } from "./rows.ts";
import { DAY_MS, QUARTER_MS, finder, Tally, type Question, type Tallied } from "./aggregate.ts";

/**
 * Tallies the clicks that a question asks for, of one link or (null) of all. An unfiltered question takes
 * whole days from their summaries, which are made where they are missing; every other reads the clicks.
 */
export function tally(sql: SqlStorage, link: string | null, question: Question, now: number): Tallied {
  const { start, end, filters } = question;
  const counted = new Tally(question);
  const mayHave = finder(filters);
  const { first, last } = daysOf(sql, start, end, now);
  const unfiltered = Object.keys(filters).length === 0;
  let summaries = new Map<number, string>();
  for (let day = first; day <= last; day++) {
    if (unfiltered && (day - first) % SUMMARIES_READ_AT_ONCE === 0)
      summaries = readSummaries(sql, link, day, Math.min(last, day + SUMMARIES_READ_AT_ONCE - 1));
    const summary = summaries.get(day);
    const whole = start <= day * DAY_MS && (day + 1) * DAY_MS <= end;
    if (whole && summary !== undefined) counted.addTallied(JSON.parse(summary) as Tallied);
    else if (whole && unfiltered) counted.addTallied(tallyDay(sql, link, day, now));
    else addDay(sql, link, day, counted, mayHave);
  }
  return counted.result(MAX_VALUES_PER_DIMENSION);
}

/** Makes the summary of a day that is over, if it is worth keeping, and returns it. */
export function tallyDay(sql: SqlStorage, link: string | null, day: number, now: number): Tallied {
  const start = day * DAY_MS;
  const borders = Array.from({ length: DAY_MS / QUARTER_MS }, (_, quarter) => start + quarter * QUARTER_MS);
  const counted = new Tally({ start, end: start + DAY_MS, borders, filters: {} });
  const clicks = addDay(sql, link, day, counted);
  const { timeseries, ...rest } = counted.result(MAX_SUMMARY_VALUES);
  const tallied = { ...rest, timeseries: timeseries.filter((bucket) => bucket.clicks > 0) };
  if (clicks >= SUMMARISED_FROM_CLICKS && start + DAY_MS <= now) {
    sql.exec("INSERT OR REPLACE INTO summaries VALUES (?, ?, ?)", link ?? "", day, JSON.stringify(tallied));
  }
  return tallied;
}

/** Forgets what was tallied of days whose clicks have changed. */
export function dropSummaries(sql: SqlStorage, link: string, day: number): void {
  sql.exec("DELETE FROM summaries WHERE day = ? AND link IN (?, '')", day, link);
}

/** Counts the clicks of a day, all in all or those in rows that `mayHave` some of interest; returns how many it looked at. */
function addDay(
  sql: SqlStorage,
  link: string | null,
  day: number,
  counted: Tally,
  mayHave: (lines: string) => boolean = () => true,
): number {
  let size = 0;
  const start = day * DAY_MS;
  for (const row of link === null ? rowsOfDay(sql, day) : rowsOfLink(sql, link, day)) {
    if (!mayHave(row.lines)) continue;
    eachClick(row, (at, clicks, unique, profile) => {
      size += clicks;
      counted.add(start + at, clicks, unique, profile);
    });
  }
  return size;
}

/** The days of a time in which there can be clicks. */
export function daysOf(sql: SqlStorage, start: number, end: number, now: number): { first: number; last: number } {
  return {
    first: Math.max(oldestDay(sql) ?? Infinity, Math.floor(start / DAY_MS)),
    // The isolates' clocks may be a little ahead of this object's.
    last: Math.min(Math.floor(now / DAY_MS) + 1, Math.floor((end - 1) / DAY_MS)),
  };
}

function readSummaries(sql: SqlStorage, link: string | null, first: number, last: number): Map<number, string> {
  const rows = sql.exec<{ day: number; summary: string }>(
    "SELECT day, summary FROM summaries WHERE link = ? AND day BETWEEN ? AND ?",
    link ?? "",
    first,
    last,
  );
  return new Map([...rows].map(({ day, summary }) => [day, summary]));
}
