import { FOLDED_AFTER_DAYS } from "../../limits.ts";
import { clickId, timeOfId } from "../click-id.ts";
import { isBot } from "../profile.ts";
import { daysOf } from "./queries.ts";
import { eachOfLine } from "./encoding.ts";
import { readLines, readPart, type Row } from "./rows.ts";
import { DAY_MS, finder, matcher, type Filters } from "./aggregate.ts";

/** A question for single clicks, newest first. Times are Unix milliseconds. */
export interface RecordQuestion {
  /** Null: all. */
  link: string | null;
  start: number;
  /** Exclusive. */
  end: number;
  filters: Filters;
  /** Crawlers' visits: besides the others, none but them, or none of them. */
  bots: "include" | "only" | "exclude";
  /** Only clicks before the one with this id. */
  before: string | null;
  offset: number;
  limit: number;
}

export interface StoredRecord {
  id: string;
  linkId: string;
  clickedAt: number;
  profile: string;
}

/** What is kept of single clicks: those of folded days are gone. Reads the rows that have the newest, and no others. */
export function listRecords(sql: SqlStorage, question: RecordQuestion, now: number): StoredRecord[] {
  const { before, offset, limit } = question;
  const end = before === null ? question.end : Math.min(question.end, timeOfId(before) + 1);
  const wanted = offset + limit;
  let found: StoredRecord[] = [];
  const { first, last } = daysOf(sql, question.start, end, now);
  const oldest = Math.max(first, Math.floor(now / DAY_MS) - FOLDED_AFTER_DAYS - 1);
  for (let day = last; day >= oldest && found.length < wanted; day--) {
    for (const part of partsOf(sql, question.link, day, end)) {
      if ((found[wanted - 1]?.clickedAt ?? -Infinity) > part.last_at) break;
      found = newest([...found, ...recordsOf(sql, question, part, end)], wanted);
    }
  }
  return found.slice(offset);
}

type Part = Pick<Row, "day" | "link" | "part" | "last_at">;

function partsOf(sql: SqlStorage, link: string | null, day: number, end: number): Part[] {
  const query = `SELECT day, link, part, last_at FROM clicks
    WHERE day = ? AND folded = 0 AND first_at < ? ${link === null ? "" : "AND link = ?"} ORDER BY last_at DESC`;
  return sql.exec<Part>(query, day, end, ...(link === null ? [] : [link])).toArray();
}

function recordsOf(
  sql: SqlStorage,
  { start, filters, bots, before }: RecordQuestion,
  { day, link, part }: Part,
  end: number,
): StoredRecord[] {
  const asksFor = matcher(filters);
  const records: StoredRecord[] = [];
  const row = readPart(sql, link, day, part);
  if (!finder(filters)(row.lines)) return records;
  for (const line of readLines(row)) {
    eachOfLine(line, (at, batchId, index, _visitor, _unique, profile) => {
      const clickedAt = day * DAY_MS + at;
      if (clickedAt < start || clickedAt >= end || !asksFor(profile)) return;
      if (bots !== "include" && isBot(profile) !== (bots === "only")) return;
      const id = clickId(clickedAt, batchId, index);
      if (before === null || id < before) records.push({ id, linkId: link, clickedAt, profile });
    });
  }
  return records;
}

function newest(records: StoredRecord[], most: number): StoredRecord[] {
  return records.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, most);
}
