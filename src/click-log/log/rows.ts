import { DAY_MS, MINUTE_MS } from "../../limits.ts";
import { timeOfId } from "../click-id.ts";
import { isBot } from "../profile.ts";
import { unpackBatchIds, type RollupSegment, type Segment, type TotalsSegment } from "./encoding.ts";

/** The storage keys of links that were deleted lately. The values are the times of the deletions. */
export const DELETED_PREFIX = "deleted:";

/**
 * A row holds the clicks of a link and a UTC day. A full row is followed by another part. The clicks that are stored at
 * once are appended as one segment, so they cost one written row for each link, and a query reads one row a day. A
 * written row costs as much as a thousand read ones.
 */
const VERSION_1 = `
  CREATE TABLE IF NOT EXISTS clicks (
    day INTEGER NOT NULL,              -- days since 1970, UTC
    link TEXT NOT NULL,
    part INTEGER NOT NULL,
    level INTEGER NOT NULL,            -- what it still tells of its clicks: LEVEL
    clicks INTEGER NOT NULL,           -- without crawlers
    first_at INTEGER NOT NULL,         -- Unix milliseconds, like all other times
    last_at INTEGER NOT NULL,
    last_click_at INTEGER NOT NULL,    -- without crawlers; 0: none
    changed_at INTEGER NOT NULL,
    batches TEXT NOT NULL DEFAULT '',  -- of a rollup, packed: the ids of its click batches, while they may be delivered again
    visitors TEXT NOT NULL DEFAULT '', -- of a rollup, packed: its visitors, while other clicks of theirs may be stored
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

/** What leads from each version of the storage to the next, for `openStorage`. */
export const CLICK_LOG_STEPS = [VERSION_1] as const;

/** What a row still tells of its clicks. A rollup has a higher level, and takes fewer bytes. */
export const LEVEL = {
  /** Every single click. */
  clicks: 0,
  /** Counts of each profile in each quarter hour. */
  quarterHours: 1,
  /** The totals of the link's day. */
  dayTotals: 2,
} as const;

/** The resolution of rollups and summaries: hours and days begin at a multiple of it in every time zone. */
export const QUARTER_HOUR_MS = 15 * MINUTE_MS;

export type Row = {
  day: number;
  link: string;
  part: number;
  level: number;
  first_at: number;
  last_at: number;
  batches: string;
  visitors: string;
  segments: string;
};

export const ROW_COLUMNS = "day, link, part, level, first_at, last_at, batches, visitors, segments";

export function oldestDay(sql: SqlStorage): number | null {
  return sql.exec<{ day: number | null }>("SELECT min(day) AS day FROM clicks").one().day;
}

/** The rows of a link's day in the order in which they were filled. Read one by one: together they may exceed the memory. */
export function rowsOfLink(sql: SqlStorage, link: string, day: number): Iterable<Row> {
  return sql.exec<Row>(`SELECT ${ROW_COLUMNS} FROM clicks WHERE day = ? AND link = ? ORDER BY part`, day, link);
}

export function readPart(sql: SqlStorage, link: string, day: number, part: number): Row {
  return sql
    .exec<Row>(`SELECT ${ROW_COLUMNS} FROM clicks WHERE day = ? AND link = ? AND part = ?`, day, link, part)
    .one();
}

export function readSegments({ segments }: Row): Segment[] {
  return JSON.parse(`[${segments}]`) as Segment[];
}

/** Of a row with the level `quarterHours`. */
export function readRollup({ segments }: Row): RollupSegment[] {
  return JSON.parse(`[${segments}]`) as RollupSegment[];
}

/** Of a row with the level `dayTotals`. */
export function readTotals({ segments }: Row): TotalsSegment[] {
  return JSON.parse(`[${segments}]`) as TotalsSegment[];
}

/** The click batches by which a redelivery is recognised. */
export function batchIdsOf(row: Row): string[] {
  return row.level === LEVEL.clicks ? readSegments(row).flatMap(([ids]) => ids) : unpackBatchIds(row.batches);
}

/** Segments that are to be appended to a row. */
export interface NewSegments {
  day: number;
  link: string;
  part: number;
  clicks: number;
  firstAt: number;
  lastAt: number;
  lastClickAt: number;
  json: string;
}

export function toNewSegments(day: number, link: string, part: number, segments: readonly Segment[]): NewSegments {
  const counts = { clicks: 0, firstAt: Infinity, lastAt: 0, lastClickAt: 0 };
  for (const [, , , clients, clicks] of segments)
    for (const [atInDay, , , , , , client] of clicks) {
      const at = day * DAY_MS + atInDay;
      counts.firstAt = Math.min(counts.firstAt, at);
      counts.lastAt = Math.max(counts.lastAt, at);
      if (isBot(clients[client] ?? "")) continue;
      counts.clicks++;
      counts.lastClickAt = Math.max(counts.lastClickAt, at);
    }
  return { day, link, part, ...counts, json: segments.map((segment) => JSON.stringify(segment)).join(",") };
}

export function appendSegments(sql: SqlStorage, segments: NewSegments, now: number): void {
  sql.exec(
    `INSERT INTO clicks (day, link, part, level, clicks, first_at, last_at, last_click_at, changed_at, segments)
     VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (day, link, part) DO UPDATE SET
       clicks = clicks + excluded.clicks,
       first_at = min(first_at, excluded.first_at),
       last_at = max(last_at, excluded.last_at),
       last_click_at = max(last_click_at, excluded.last_click_at),
       changed_at = excluded.changed_at,
       segments = segments || ',' || excluded.segments`,
    segments.day,
    segments.link,
    segments.part,
    segments.clicks,
    segments.firstAt,
    segments.lastAt,
    segments.lastClickAt,
    now,
    segments.json,
  );
}

/** Deletes the clicks of a link and their summaries. There is none before the link was created. */
export function deleteClicks(sql: SqlStorage, link: string, now: number): void {
  for (let day = Math.floor(timeOfId(link) / DAY_MS) - 1; day <= Math.floor(now / DAY_MS) + 1; day++) {
    const { rowsWritten } = sql.exec("DELETE FROM clicks WHERE day = ? AND link = ?", day, link);
    if (rowsWritten > 0) deleteSummaries(sql, link, day);
  }
}

/** Deletes the summaries of a day whose clicks have changed. */
export function deleteSummaries(sql: SqlStorage, link: string, day: number): void {
  sql.exec("DELETE FROM summaries WHERE day = ? AND link IN (?, '')", day, link);
}
