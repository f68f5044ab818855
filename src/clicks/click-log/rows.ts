import { fromFormerLine, type FormerLine } from "../former.ts";
import { eachOfLine, type Line } from "./encoding.ts";

/**
 * How clicks are stored: a row holds those of one link and one UTC day, and the next part follows once it is large. What
 * comes at once is appended as one line: it costs one written row for each link, however many clicks it has, and a
 * question reads a row a day. `lines` is JSON without its outer brackets: {@link Line}s, or, of days that are folded,
 * {@link Cell}s.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS clicks (
    day INTEGER NOT NULL,              -- days since 1970, UTC
    link TEXT NOT NULL,
    part INTEGER NOT NULL,
    folded INTEGER NOT NULL,
    clicks INTEGER NOT NULL,           -- without crawlers
    first_at INTEGER NOT NULL,         -- Unix milliseconds, like the rest
    last_at INTEGER NOT NULL,
    last_click_at INTEGER NOT NULL,    -- without crawlers; 0: none
    changed_at INTEGER NOT NULL,
    lines TEXT NOT NULL,
    PRIMARY KEY (day, link, part)
  ) STRICT, WITHOUT ROWID;
  -- What a day's rows tally up to, kept once somebody asked: it can always be made again.
  CREATE TABLE IF NOT EXISTS summaries (
    link TEXT NOT NULL,                -- '' for all links
    day INTEGER NOT NULL,
    summary TEXT NOT NULL,
    PRIMARY KEY (link, day)
  ) STRICT, WITHOUT ROWID;`;

/** Part of the constructor, so that tables follow a new version before the object does anything: migrations/README.md. */
export function createTables(sql: SqlStorage): void {
  sql.exec(SCHEMA);
}

/** Clicks of one profile in a quarter of an hour of a day, which is told in milliseconds since the day began. */
export type Cell = [at: number, clicks: number, unique: number, profile: string];

export type Row = {
  day: number;
  link: string;
  part: number;
  folded: number;
  first_at: number;
  last_at: number;
  lines: string;
};

const COLUMNS = "day, link, part, folded, first_at, last_at, lines";

export function oldestDay(sql: SqlStorage): number | null {
  return sql.exec<{ day: number | null }>("SELECT min(day) AS day FROM clicks").one().day;
}

/** The rows of a link's day, one by one in the order in which they were filled: all together may be too many for memory. */
export function rowsOfLink(sql: SqlStorage, link: string, day: number): Iterable<Row> {
  return sql.exec<Row>(`SELECT ${COLUMNS} FROM clicks WHERE day = ? AND link = ? ORDER BY part`, day, link);
}

export function readPart(sql: SqlStorage, link: string, day: number, part: number): Row {
  return sql.exec<Row>(`SELECT ${COLUMNS} FROM clicks WHERE day = ? AND link = ? AND part = ?`, day, link, part).one();
}

/** All rows of a day, one by one. */
export function rowsOfDay(sql: SqlStorage, day: number): Iterable<Row> {
  return sql.exec<Row>(`SELECT ${COLUMNS} FROM clicks WHERE day = ?`, day);
}

export function readLines(row: Row): Line[] {
  return (JSON.parse(`[${row.lines}]`) as (Line | FormerLine)[]).map((line) =>
    isFormer(line) ? fromFormerLine(line) : line,
  );
}

function isFormer(line: Line | FormerLine): line is FormerLine {
  return typeof line[0] === "string";
}

/** Calls `add` for the clicks of a row, at most once for each; `at` is in milliseconds since the day began. */
export function eachClick(row: Row, add: (at: number, clicks: number, unique: number, profile: string) => void): void {
  if (row.folded === 1) {
    for (const [at, clicks, unique, profile] of JSON.parse(`[${row.lines}]`) as Cell[])
      add(at, clicks, unique, profile);
  } else {
    for (const line of readLines(row))
      eachOfLine(line, (at, _batchId, _index, _visitor, unique, profile) => add(at, 1, unique, profile));
  }
}

/** Lines that are to be appended to a row. */
export interface Addition {
  day: number;
  link: string;
  part: number;
  clicks: number;
  firstAt: number;
  lastAt: number;
  lastClickAt: number;
  lines: string;
}

export function appendLines(sql: SqlStorage, addition: Addition, now: number): void {
  sql.exec(
    `INSERT INTO clicks (day, link, part, folded, clicks, first_at, last_at, last_click_at, changed_at, lines)
     VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (day, link, part) DO UPDATE SET
       clicks = clicks + excluded.clicks,
       first_at = min(first_at, excluded.first_at),
       last_at = max(last_at, excluded.last_at),
       last_click_at = max(last_click_at, excluded.last_click_at),
       changed_at = excluded.changed_at,
       lines = lines || ',' || excluded.lines`,
    addition.day,
    addition.link,
    addition.part,
    addition.clicks,
    addition.firstAt,
    addition.lastAt,
    addition.lastClickAt,
    now,
    addition.lines,
  );
}
