import {
  FOLDED_AFTER_DAYS,
  MAX_CELLS_AT_HAND,
  MAX_FOLDED_PART_CHARS,
  MAX_FOLDS_PER_RUN,
  SUMMARISED_AHEAD_FROM_CLICKS,
} from "../../limits.ts";
import { tallyDay } from "./queries.ts";
import { eachClick, readPart, type Cell } from "./rows.ts";
import { DAY_MS, QUARTER_MS } from "./aggregate.ts";

const FOLDED_THROUGH = "foldedThroughDay";

/**
 * Folds days that are older than single clicks are kept: what is left of a click is its profile and its
 * quarter of an hour. Returns how many days of links it folded, at most {@link MAX_FOLDS_PER_RUN}.
 */
export function foldOldDays(storage: DurableObjectStorage, now: number): number {
  const { sql, kv } = storage;
  const newestDay = newestToFold(now);
  const due = sql
    .exec<{ day: number; link: string }>(
      "SELECT DISTINCT day, link FROM clicks WHERE day > ? AND day <= ? AND folded = 0 LIMIT ?",
      kv.get<number>(FOLDED_THROUGH) ?? -1,
      newestDay,
      MAX_FOLDS_PER_RUN,
    )
    .toArray();
  for (const { day, link } of due) storage.transactionSync(() => fold(sql, link, day));
  if (due.length > 0 && due.length < MAX_FOLDS_PER_RUN) kv.put(FOLDED_THROUGH, newestDay);
  return due.length;
}

/** When the next day is to be folded, Unix milliseconds; null: nothing is left to fold. */
export function nextFoldAt({ sql, kv }: DurableObjectStorage): number | null {
  const [oldest] = sql
    .exec<{ day: number }>(
      "SELECT day FROM clicks WHERE day > ? AND folded = 0 ORDER BY day LIMIT 1",
      kv.get<number>(FOLDED_THROUGH) ?? -1,
    )
    .toArray();
  return oldest === undefined ? null : (oldest.day + FOLDED_AFTER_DAYS + 1) * DAY_MS;
}

function newestToFold(now: number): number {
  return Math.floor(now / DAY_MS) - FOLDED_AFTER_DAYS - 1;
}

function fold(sql: SqlStorage, link: string, day: number): void {
  const { parts, ...counts } = sql
    .exec<Counts & { parts: number }>(
      `SELECT sum(clicks) AS clicks, max(last_click_at) AS last_click_at, max(changed_at) AS changed_at, count(*) AS parts
       FROM clicks WHERE day = ? AND link = ?`,
      day,
      link,
    )
    .one();
  let cells = new Map<string, Cell>();
  let written = 0;
  for (let part = 0; part < parts; part++) {
    eachClick(readPart(sql, link, day, part), (at, clicks, unique, profile) => {
      const quarter = at - (at % QUARTER_MS);
      const key = `${quarter}/${profile}`;
      const cell = cells.get(key) ?? [quarter, 0, 0, profile];
      cell[1] += clicks;
      cell[2] += unique;
      cells.set(key, cell);
    });
    const isLast = part === parts - 1;
    if (!isLast && cells.size < MAX_CELLS_AT_HAND) continue;
    const texts = inParts([...cells.values()].sort(([a], [b]) => a - b));
    // Only over parts that have been read.
    if (!isLast && written + texts.length > part) continue;
    // The first row has the counts of all.
    for (const lines of texts) {
      const clicks = written === 0 ? counts.clicks : 0;
      replacePart(sql, { day, link, part: written, lines, ...counts, clicks });
      written++;
    }
    cells = new Map();
  }
  if (written < parts) sql.exec("DELETE FROM clicks WHERE day = ? AND link = ? AND part >= ?", day, link, written);
}

function replacePart(sql: SqlStorage, row: Counts & { day: number; link: string; part: number; lines: string }): void {
  sql.exec(
    `INSERT OR REPLACE INTO clicks
       (day, link, part, folded, clicks, first_at, last_at, last_click_at, changed_at, lines)
     VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?)`,
    row.day,
    row.link,
    row.part,
    row.clicks,
    row.day * DAY_MS,
    (row.day + 1) * DAY_MS - 1,
    row.last_click_at,
    row.changed_at,
    row.lines,
  );
}

type Counts = Record<"clicks" | "last_click_at" | "changed_at", number>;

function inParts(cells: Cell[]): string[] {
  const parts: string[] = [];
  for (const cell of cells) {
    const text = JSON.stringify(cell);
    const last = parts.at(-1);
    if (last === undefined || last.length >= MAX_FOLDED_PART_CHARS) parts.push(text);
    else parts[parts.length - 1] = `${last},${text}`;
  }
  return parts;
}

/** Makes the summaries of yesterday that would take a question long to make, unless they are there. */
export function summariseYesterday(sql: SqlStorage, now: number): void {
  const day = Math.floor(now / DAY_MS) - 1;
  const busy = sql
    .exec<{ link: string; clicks: number }>(
      "SELECT link, sum(clicks) AS clicks FROM clicks WHERE day = ? GROUP BY link",
      day,
    )
    .toArray();
  const total = busy.reduce((sum, { clicks }) => sum + clicks, 0);
  for (const { link, clicks } of [...busy, { link: "", clicks: total }]) {
    if (clicks < SUMMARISED_AHEAD_FROM_CLICKS) continue;
    const made = sql.exec("SELECT 1 FROM summaries WHERE link = ? AND day = ?", link, day).toArray();
    if (made.length === 0) tallyDay(sql, link === "" ? null : link, day, now);
  }
}
