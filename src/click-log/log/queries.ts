import { DAY_MS, MAX_VALUES_PER_DIMENSION } from "../../limits.ts";
import { Aggregator, type AggregateQuery, type Summary, type Totals } from "./aggregate.ts";
import { createPreFilter } from "./filters.ts";
import { LEVEL, oldestDay, QUARTER_HOUR_MS, type Row } from "./rows.ts";
import { SelectedRows, type LinkSelection } from "./selected-rows.ts";
import { MAX_SUMMARY_CHARS, MAX_SUMMARY_VALUES, MIN_CLICKS_FOR_SUMMARY, SUMMARIES_PER_READ } from "../limits.ts";

/**
 * The totals of links. A query without filters, of one link or of all, takes whole days from their summaries and makes
 * those that are missing. Any other query reads the clicks.
 */
export function aggregateClicks(sql: SqlStorage, links: LinkSelection, query: AggregateQuery, now: number): Totals {
  const { start, end, filters } = query;
  const aggregator = new Aggregator(query);
  const days = daysBetween(sql, start, end, now);
  const hasSummaries = links === null || links.length === 1;
  if (hasSummaries && Object.keys(filters).length === 0) {
    addDays(sql, links?.[0] ?? null, query, days, aggregator, now);
  } else {
    const mayMatch = createPreFilter(filters);
    for (const row of new SelectedRows(sql, links).ofDays(days.first, days.last))
      if (row.visitors !== "" || mayMatch(row.segments)) aggregator.addRow(row);
  }
  return aggregator.totals(MAX_VALUES_PER_DIMENSION);
}

/** Counts the clicks of a link, or of all links, without filters. */
function addDays(
  sql: SqlStorage,
  link: string | null,
  { start, end }: AggregateQuery,
  { first, last }: { first: number; last: number },
  aggregator: Aggregator,
  now: number,
): void {
  let summaries = new Map<number, string>();
  for (let day = first; day <= last; day++) {
    if ((day - first) % SUMMARIES_PER_READ === 0)
      summaries = readSummaries(sql, link, day, Math.min(last, day + SUMMARIES_PER_READ - 1));
    const summary = summaries.get(day);
    const isWhole = start <= day * DAY_MS && (day + 1) * DAY_MS <= end;
    if (isWhole && summary !== undefined) aggregator.addSummary(JSON.parse(summary) as Summary);
    else if (isWhole) aggregator.addSummary(summariseDay(sql, link, day, now));
    else for (const row of rowsOf(sql, link, day)) aggregator.addRow(row);
  }
}

function rowsOf(sql: SqlStorage, link: string | null, day: number): Iterable<Row> {
  return new SelectedRows(sql, link === null ? null : [link]).ofDay(day);
}

/** The totals of a day. They are stored as its summary if the day is over and has enough clicks. */
export function summariseDay(sql: SqlStorage, link: string | null, day: number, now: number): Summary {
  const start = day * DAY_MS;
  const boundaries = Array.from(
    { length: DAY_MS / QUARTER_HOUR_MS },
    (_, quarter) => start + quarter * QUARTER_HOUR_MS,
  );
  const aggregator = new Aggregator({ start, end: start + DAY_MS, boundaries, filters: {} });
  let isSmall = link !== null;
  for (const row of rowsOf(sql, link, day)) {
    aggregator.addRow(row);
    if (row.level < LEVEL.dayTotals) isSmall = false;
  }
  const { summary, json } = toStored(aggregator);
  const clicks = summary.bots + summary.timeseries.reduce((sum, bucket) => sum + bucket.clicks, 0);
  // The totals of a link's day are smaller than their summary.
  if (clicks >= MIN_CLICKS_FOR_SUMMARY && !isSmall && start + DAY_MS <= now) {
    sql.exec("INSERT OR REPLACE INTO summaries (link, day, summary) VALUES (?, ?, ?)", link ?? "", day, json);
  }
  return summary;
}

/** The summary without the rarest values if it would be too long for a row. */
function toStored(aggregator: Aggregator): { summary: Summary; json: string } {
  for (let maxValues = MAX_SUMMARY_VALUES; ; maxValues = Math.floor(maxValues / 2)) {
    const summary = aggregator.summary(maxValues);
    const json = JSON.stringify(summary);
    if (json.length <= MAX_SUMMARY_CHARS) return { summary, json };
  }
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
