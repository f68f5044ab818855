import { DAY_MS } from "../../limits.ts";
import { timeOfId } from "../click-id.ts";
import type { StoredClick } from "../click-record.ts";
import type { RetentionVariables } from "../retention-days.ts";
import { readRetentionDays } from "./account-retention.ts";
import { createPreFilter, type Filters } from "./filters.ts";
import { createPartMatchers, SegmentCounts } from "./segment-counts.ts";
import { daysBetween } from "./queries.ts";
import { readPart, readSegments, type Row } from "./rows.ts";
import { toStoredClick } from "./stored-clicks.ts";
import { SelectedRows, type LinkSelection } from "./selected-rows.ts";

/** A query for single clicks, newest first. Times are Unix milliseconds. */
export interface RecordQuery {
  links: LinkSelection;
  start: number;
  /** Exclusive. */
  end: number;
  filters: Filters;
  bots: "include" | "only" | "exclude";
  /** Only clicks before the one with this id. */
  before: string | null;
  offset: number;
  limit: number;
}

/** Single clicks of the days for which they are kept. Reads only the rows that have the newest ones. */
export function listRecords(
  { sql, kv }: Pick<DurableObjectStorage, "sql" | "kv">,
  env: RetentionVariables,
  query: RecordQuery,
  now: number,
): StoredClick[] {
  const { before, offset, limit } = query;
  const end = before === null ? query.end : Math.min(query.end, timeOfId(before) + 1);
  const wanted = offset + limit;
  const rows = new SelectedRows(sql, query.links);
  let found: StoredClick[] = [];
  const { first, last } = daysBetween(sql, query.start, end, now);
  const oldest = Math.max(first, Math.floor(now / DAY_MS) - readRetentionDays(kv, env));
  for (let day = last; day >= oldest && found.length < wanted; day--) {
    for (const part of rows.partsBefore(day, end)) {
      // Sorted only when that can end the search, as there may be thousands of rows.
      if (found.length >= wanted) found = newest(found, wanted);
      if ((found[wanted - 1]?.clickedAt ?? -Infinity) > part.last_at) break;
      const row = readPart(sql, part.link, day, part.part);
      for (const record of readRecords(row, { ...query, end })) found.push(record);
    }
  }
  return newest(found, wanted).slice(offset);
}

/** The clicks of a row that the query wants, in no order. */
export function readRecords(
  row: Row,
  { start, end, filters, bots, before }: Pick<RecordQuery, "start" | "end" | "filters" | "bots" | "before">,
): StoredClick[] {
  const records: StoredClick[] = [];
  if (!createPreFilter(filters)(row.segments)) return records;
  const matchers = createPartMatchers(filters);
  const { day, link } = row;
  for (const segment of readSegments(row)) {
    const [, origins, targets, clients, clicks] = segment;
    const counts = new SegmentCounts([origins, targets, clients], matchers);
    for (const click of clicks) {
      const [atInDay, , , , origin, target, client] = click;
      const at = day * DAY_MS + atInDay;
      if (at < start || at >= end || !counts.matches(origin, target, client)) continue;
      if (bots !== "include" && counts.isBot(client) !== (bots === "only")) continue;
      const stored = toStoredClick({ link, day, segment }, click);
      if (before === null || stored.id < before) records.push(stored);
    }
  }
  return records;
}

/** The newest of the records, at most `max`. */
function newest(records: StoredClick[], max: number): StoredClick[] {
  return records.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, max);
}
