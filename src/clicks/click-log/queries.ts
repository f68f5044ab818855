import { DAY_MS } from "../../lib/duration.ts";
import {
  MAX_SUMMARY_VALUES,
  MAX_VALUES_PER_DIMENSION,
  MIN_CLICKS_FOR_SUMMARY,
  SUMMARIES_PER_READ,
} from "../../limits.ts";
import { Aggregator, createPreFilter, type AggregateQuery, type Totals } from "./aggregate.ts";
import { oldestDay, QUARTER_HOUR_MS, readBuckets, rowsOfDay, rowsOfLink } from "./rows.ts";

/**
 * The totals of a link, or of all links if `link` is null. A query without filters takes whole days from their
 * summaries and makes those that are missing. Any other query reads the clicks.
 */
export function aggregateClicks(sql: SqlStorage, link: string | null, query: AggregateQuery, now: number): Totals {
  const { start, end, filters } = query;
  const aggregator = new Aggregator(query);
  const mayMatch = createPreFilter(filters);
  const { first, last } = daysBetween(sql, start, end, now);
  const isUnfiltered = Object.keys(filters).length === 0;
  let summaries = new Map<number, string>();
  for (let day = first; day <= last; day++) {
    if (isUnfiltered && (day - first) % SUMMARIES_PER_READ === 0)
      summaries = readSummaries(sql, link, day, Math.min(last, day + SUMMARIES_PER_READ - 1));
    const summary = summaries.get(day);
    const isWhole = start <= day * DAY_MS && (day + 1) * DAY_MS <= end;
    if (isWhole && summary !== undefined) aggregator.addTotals(JSON.parse(summary) as Totals);
    else if (isWhole && isUnfiltered) aggregator.addTotals(summariseDay(sql, link, day, now));
    else addDay(sql, link, day, aggregator, mayMatch);
  }
  return aggregator.result(MAX_VALUES_PER_DIMENSION);
}

/** The totals of a day. They are stored as its summary if the day is over and has enough clicks. */
export function summariseDay(sql: SqlStorage, link: string | null, day: number, now: number): Totals {
  const start = day * DAY_MS;
  const boundaries = Array.from(
    { length: DAY_MS / QUARTER_HOUR_MS },
    (_, quarter) => start + quarter * QUARTER_HOUR_MS,
  );
  const aggregator = new Aggregator({ start, end: start + DAY_MS, boundaries, filters: {} });
  const clicks = addDay(sql, link, day, aggregator);
  const { timeseries, ...rest } = aggregator.result(MAX_SUMMARY_VALUES);
  const totals = { ...rest, timeseries: timeseries.filter((bucket) => bucket.clicks > 0) };
  if (clicks >= MIN_CLICKS_FOR_SUMMARY && start + DAY_MS <= now) {
    sql.exec("INSERT OR REPLACE INTO summaries VALUES (?, ?, ?)", link ?? "", day, JSON.stringify(totals));
  }
  return totals;
}

/** Deletes the summaries of a day whose clicks have changed. */
export function deleteSummaries(sql: SqlStorage, link: string, day: number): void {
  sql.exec("DELETE FROM summaries WHERE day = ? AND link IN (?, '')", day, link);
}

/** Counts the clicks of a day in all rows that `mayMatch` accepts; returns how many clicks those have. */
function addDay(
  sql: SqlStorage,
  link: string | null,
  day: number,
  aggregator: Aggregator,
  mayMatch: (segments: string) => boolean = () => true,
): number {
  let count = 0;
  const start = day * DAY_MS;
  for (const row of link === null ? rowsOfDay(sql, day) : rowsOfLink(sql, link, day)) {
    if (!mayMatch(row.segments)) continue;
    for (const [at, clicks, unique, profile] of readBuckets(row)) {
      count += clicks;
      aggregator.add(start + at, clicks, unique, profile);
    }
  }
  return count;
}

/** The days of a period that may have clicks. */
export function daysBetween(sql: SqlStorage, start: number, end: number, now: number): { first: number; last: number } {
  return {
    first: Math.max(oldestDay(sql) ?? Infinity, Math.floor(start / DAY_MS)),
    // The clocks of the isolates that captured the clicks may be ahead.
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
