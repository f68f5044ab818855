import { MINUTE_MS } from "../../lib/duration.ts";
import { MAX_SOUGHT_LINKS } from "../../limits.ts";
import type { RollupSegment, Segment } from "./encoding.ts";

/**
 * A row holds the clicks of a link and a UTC day. A full row is followed by another part. The clicks that are stored at
 * once are appended as one segment, so they cost one written row for each link, and a query reads one row a day. A
 * written row costs as much as a thousand read ones.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS clicks (
    day INTEGER NOT NULL,              -- days since 1970, UTC
    link TEXT NOT NULL,
    part INTEGER NOT NULL,
    is_rollup INTEGER NOT NULL,
    clicks INTEGER NOT NULL,           -- without crawlers
    first_at INTEGER NOT NULL,         -- Unix milliseconds, like all other times
    last_at INTEGER NOT NULL,
    last_click_at INTEGER NOT NULL,    -- without crawlers; 0: none
    changed_at INTEGER NOT NULL,
    segments TEXT NOT NULL,            -- a JSON array without its brackets: segments, or those of a rollup
    PRIMARY KEY (day, link, part)
  ) STRICT, WITHOUT ROWID;
  -- The totals of a day, stored by the first query for them. They can always be derived again.
  CREATE TABLE IF NOT EXISTS summaries (
    link TEXT NOT NULL,                -- '' for all links
    day INTEGER NOT NULL,
    summary TEXT NOT NULL,
    PRIMARY KEY (link, day)
  ) STRICT, WITHOUT ROWID;`;

/** Runs in the constructor, so a new version of the tables exists before anything else uses them: CONTRIBUTING.md, "Change the schema". */
export function createTables(sql: SqlStorage): void {
  sql.exec(SCHEMA);
}

/** The resolution of rollups and summaries: hours and days begin at a multiple of it in every time zone. */
export const QUARTER_HOUR_MS = 15 * MINUTE_MS;

/** The links whose clicks a query wants; null: all links. */
export type LinkSelection = readonly string[] | null;

export type Row = {
  day: number;
  link: string;
  part: number;
  is_rollup: number;
  first_at: number;
  last_at: number;
  segments: string;
};

const COLUMNS = "day, link, part, is_rollup, first_at, last_at, segments";

export function oldestDay(sql: SqlStorage): number | null {
  return sql.exec<{ day: number | null }>("SELECT min(day) AS day FROM clicks").one().day;
}

/** The rows of a link's day in the order in which they were filled. Read one by one: together they may exceed the memory. */
export function rowsOfLink(sql: SqlStorage, link: string, day: number): Iterable<Row> {
  return sql.exec<Row>(`SELECT ${COLUMNS} FROM clicks WHERE day = ? AND link = ? ORDER BY part`, day, link);
}

export function readPart(sql: SqlStorage, link: string, day: number, part: number): Row {
  return sql.exec<Row>(`SELECT ${COLUMNS} FROM clicks WHERE day = ? AND link = ? AND part = ?`, day, link, part).one();
}

/** The rows of the links of a day, one link after another, read one by one. */
export function rowsOfDay(sql: SqlStorage, links: LinkSelection, day: number): Iterable<Row> {
  const { condition, values } = selectLinks(links);
  return sql.exec<Row>(`SELECT ${COLUMNS} FROM clicks WHERE day = ? ${condition} ORDER BY link, part`, day, ...values);
}

/** The rows of the links of several days: {@link rowsOfDay} for each day. */
export function* rowsOfDays(sql: SqlStorage, links: LinkSelection, first: number, last: number): Generator<Row> {
  for (let day = first; day <= last; day++) yield* rowsOfDay(sql, links, day);
}

/** SQL for the links of a day. Few links are looked up one by one; for many it costs less to read all rows of the day. */
function selectLinks(links: LinkSelection): { condition: string; values: string[] } {
  if (links === null) return { condition: "", values: [] };
  if (links.length === 1) return { condition: "AND link = ?", values: [...links] };
  const column = links.length <= MAX_SOUGHT_LINKS ? "link" : "+link";
  return { condition: `AND ${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(links)] };
}

/** The rows of a day that have single clicks before `end`, the one with the newest click first. */
export function partsBefore(
  sql: SqlStorage,
  links: LinkSelection,
  day: number,
  end: number,
): Pick<Row, "link" | "part" | "last_at">[] {
  const { condition, values } = selectLinks(links);
  const query = `SELECT link, part, last_at FROM clicks
    WHERE day = ? AND is_rollup = 0 AND first_at < ? ${condition} ORDER BY last_at DESC`;
  return sql.exec<Pick<Row, "link" | "part" | "last_at">>(query, day, end, ...values).toArray();
}

/** The rows of a day with single clicks, the last one by link and part first, from the one before `after` on. */
export function rowsBefore(
  sql: SqlStorage,
  links: LinkSelection,
  day: number,
  after: Pick<Row, "link" | "part"> | null,
): Iterable<Row> {
  const { condition, values } = selectLinks(links);
  const isBefore = after === null ? "" : "AND (link, part) < (?, ?)";
  return sql.exec<Row>(
    `SELECT ${COLUMNS} FROM clicks WHERE day = ? AND is_rollup = 0 ${condition} ${isBefore} ORDER BY link DESC, part DESC`,
    day,
    ...values,
    ...(after === null ? [] : [after.link, after.part]),
  );
}

/** The single clicks of a day, without crawlers. */
export function countClicks(sql: SqlStorage, links: LinkSelection, day: number): number {
  const { condition, values } = selectLinks(links);
  const query = `SELECT coalesce(sum(clicks), 0) AS clicks FROM clicks WHERE day = ? AND is_rollup = 0 ${condition}`;
  return sql.exec<{ clicks: number }>(query, day, ...values).one().clicks;
}

export function readSegments({ segments }: Row): Segment[] {
  return JSON.parse(`[${segments}]`) as Segment[];
}

export function readRollup({ segments }: Row): RollupSegment[] {
  return JSON.parse(`[${segments}]`) as RollupSegment[];
}

/** A segment that is to be appended to a row. */
export interface NewSegment {
  day: number;
  link: string;
  part: number;
  clicks: number;
  firstAt: number;
  lastAt: number;
  lastClickAt: number;
  json: string;
}

export function appendSegment(sql: SqlStorage, segment: NewSegment, now: number): void {
  sql.exec(
    `INSERT INTO clicks (day, link, part, is_rollup, clicks, first_at, last_at, last_click_at, changed_at, segments)
     VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (day, link, part) DO UPDATE SET
       clicks = clicks + excluded.clicks,
       first_at = min(first_at, excluded.first_at),
       last_at = max(last_at, excluded.last_at),
       last_click_at = max(last_click_at, excluded.last_click_at),
       changed_at = excluded.changed_at,
       segments = segments || ',' || excluded.segments`,
    segment.day,
    segment.link,
    segment.part,
    segment.clicks,
    segment.firstAt,
    segment.lastAt,
    segment.lastClickAt,
    now,
    segment.json,
  );
}

/** Deletes the summaries of a day whose clicks have changed. */
export function deleteSummaries(sql: SqlStorage, link: string, day: number): void {
  sql.exec("DELETE FROM summaries WHERE day = ? AND link IN (?, '')", day, link);
}
