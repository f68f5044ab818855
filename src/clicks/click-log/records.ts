import { DAY_MS } from "../../lib/duration.ts";
import { ROLLUP_AFTER_DAYS } from "../../limits.ts";
import { clickId, timeOfId } from "../click-id.ts";
import type { StoredClick } from "../click-record.ts";
import { isBot } from "../profile.ts";
import { createMatcher, createPreFilter, type Filters } from "./aggregate.ts";
import { decodeClicks } from "./encoding.ts";
import { daysBetween } from "./queries.ts";
import { readPart, readSegments, type Row } from "./rows.ts";

/** A query for single clicks, newest first. Times are Unix milliseconds. */
export interface RecordQuery {
  /** Null: all links. */
  link: string | null;
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

/** Single clicks, which exist until their day is rolled up. Reads only the rows that have the newest ones. */
export function listRecords(sql: SqlStorage, query: RecordQuery, now: number): StoredClick[] {
  const { before, offset, limit } = query;
  const end = before === null ? query.end : Math.min(query.end, timeOfId(before) + 1);
  const wanted = offset + limit;
  let found: StoredClick[] = [];
  const { first, last } = daysBetween(sql, query.start, end, now);
  const oldest = Math.max(first, Math.floor(now / DAY_MS) - ROLLUP_AFTER_DAYS - 1);
  for (let day = last; day >= oldest && found.length < wanted; day--) {
    for (const part of partsOf(sql, query.link, day, end)) {
      if ((found[wanted - 1]?.clickedAt ?? -Infinity) > part.last_at) break;
      const row = readPart(sql, part.link, day, part.part);
      found = newest([...found, ...readRecords(row, { ...query, end })], wanted);
    }
  }
  return found.slice(offset);
}

type Part = Pick<Row, "day" | "link" | "part" | "last_at">;

function partsOf(sql: SqlStorage, link: string | null, day: number, end: number): Part[] {
  const query = `SELECT day, link, part, last_at FROM clicks
    WHERE day = ? AND is_rollup = 0 AND first_at < ? ${link === null ? "" : "AND link = ?"} ORDER BY last_at DESC`;
  return sql.exec<Part>(query, day, end, ...(link === null ? [] : [link])).toArray();
}

/** The clicks of a row that the query wants, in no order. */
export function readRecords(
  row: Row,
  { start, end, filters, bots, before }: Pick<RecordQuery, "start" | "end" | "filters" | "bots" | "before">,
): StoredClick[] {
  const matches = createMatcher(filters);
  const records: StoredClick[] = [];
  if (!createPreFilter(filters)(row.segments)) return records;
  for (const { at, batchId, index, profile } of readSegments(row).flatMap(decodeClicks)) {
    const clickedAt = row.day * DAY_MS + at;
    if (clickedAt < start || clickedAt >= end || !matches(profile)) continue;
    if (bots !== "include" && isBot(profile) !== (bots === "only")) continue;
    const id = clickId(clickedAt, batchId, index);
    if (before === null || id < before) records.push({ id, linkId: row.link, clickedAt, profile });
  }
  return records;
}

function newest(records: StoredClick[], max: number): StoredClick[] {
  return records.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, max);
}
