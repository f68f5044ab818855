import { DAY_MS } from "../../lib/duration.ts";
import {
  MAX_ROLLUP_BUCKETS_IN_MEMORY,
  MAX_ROLLUP_PART_CHARS,
  MAX_ROLLUPS_PER_ALARM,
  MIN_CLICKS_FOR_EARLY_SUMMARY,
  ROLLUP_AFTER_DAYS,
} from "../../limits.ts";
import { summariseDay } from "./queries.ts";
import { QUARTER_HOUR_MS, readBuckets, readPart, type RollupBucket } from "./rows.ts";

const ROLLED_UP_THROUGH = "rolledUpThroughDay";

/**
 * Rolls up the days that are older than single clicks are kept: clicks are merged by profile and quarter hour. Returns
 * how many days of links it rolled up, at most {@link MAX_ROLLUPS_PER_ALARM}.
 */
export function rollUpOldDays(storage: DurableObjectStorage, now: number): number {
  const { sql, kv } = storage;
  const newestDay = Math.floor(now / DAY_MS) - ROLLUP_AFTER_DAYS - 1;
  const due = sql
    .exec<{ day: number; link: string }>(
      "SELECT DISTINCT day, link FROM clicks WHERE day > ? AND day <= ? AND is_rollup = 0 LIMIT ?",
      kv.get<number>(ROLLED_UP_THROUGH) ?? -1,
      newestDay,
      MAX_ROLLUPS_PER_ALARM,
    )
    .toArray();
  for (const { day, link } of due) storage.transactionSync(() => rollUp(sql, link, day));
  if (due.length > 0 && due.length < MAX_ROLLUPS_PER_ALARM) kv.put(ROLLED_UP_THROUGH, newestDay);
  return due.length;
}

/** When the next day is due, Unix milliseconds; null: all days are rolled up. */
export function nextRollupAt({ sql, kv }: DurableObjectStorage): number | null {
  const [oldest] = sql
    .exec<{ day: number }>(
      "SELECT day FROM clicks WHERE day > ? AND is_rollup = 0 ORDER BY day LIMIT 1",
      kv.get<number>(ROLLED_UP_THROUGH) ?? -1,
    )
    .toArray();
  return oldest === undefined ? null : (oldest.day + ROLLUP_AFTER_DAYS + 1) * DAY_MS;
}

function rollUp(sql: SqlStorage, link: string, day: number): void {
  const { parts, ...counts } = sql
    .exec<Counts & { parts: number }>(
      `SELECT sum(clicks) AS clicks, max(last_click_at) AS last_click_at, max(changed_at) AS changed_at, count(*) AS parts
       FROM clicks WHERE day = ? AND link = ?`,
      day,
      link,
    )
    .one();
  let buckets = new Map<string, RollupBucket>();
  let written = 0;
  for (let part = 0; part < parts; part++) {
    addBuckets(buckets, readBuckets(readPart(sql, link, day, part)));
    const isLast = part === parts - 1;
    if (!isLast && buckets.size < MAX_ROLLUP_BUCKETS_IN_MEMORY) continue;
    const texts = splitIntoParts([...buckets.values()].sort(([a], [b]) => a - b));
    // A part must not be overwritten before it is read.
    if (!isLast && written + texts.length > part) continue;
    // The first row has the counts of all rows.
    for (const text of texts) {
      const clicks = written === 0 ? counts.clicks : 0;
      replacePart(sql, { day, link, part: written, text, ...counts, clicks });
      written++;
    }
    buckets = new Map();
  }
  if (written < parts) sql.exec("DELETE FROM clicks WHERE day = ? AND link = ? AND part >= ?", day, link, written);
}

function addBuckets(buckets: Map<string, RollupBucket>, added: readonly RollupBucket[]): void {
  for (const [at, clicks, unique, profile] of added) {
    const quarter = at - (at % QUARTER_HOUR_MS);
    const key = `${quarter}/${profile}`;
    const bucket = buckets.get(key) ?? [quarter, 0, 0, profile];
    bucket[1] += clicks;
    bucket[2] += unique;
    buckets.set(key, bucket);
  }
}

function replacePart(sql: SqlStorage, row: Counts & { day: number; link: string; part: number; text: string }): void {
  sql.exec(
    `INSERT OR REPLACE INTO clicks
       (day, link, part, is_rollup, clicks, first_at, last_at, last_click_at, changed_at, segments)
     VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?)`,
    row.day,
    row.link,
    row.part,
    row.clicks,
    row.day * DAY_MS,
    (row.day + 1) * DAY_MS - 1,
    row.last_click_at,
    row.changed_at,
    row.text,
  );
}

type Counts = Record<"clicks" | "last_click_at" | "changed_at", number>;

function splitIntoParts(buckets: RollupBucket[]): string[] {
  const parts: string[] = [];
  for (const bucket of buckets) {
    const text = JSON.stringify(bucket);
    const last = parts.at(-1);
    if (last === undefined || last.length >= MAX_ROLLUP_PART_CHARS) parts.push(text);
    else parts[parts.length - 1] = `${last},${text}`;
  }
  return parts;
}

/** Makes yesterday's summaries of links with many clicks, unless they exist, so that the first query does not wait for them. */
export function summariseYesterday(sql: SqlStorage, now: number): void {
  const day = Math.floor(now / DAY_MS) - 1;
  const links = sql
    .exec<{ link: string; clicks: number }>(
      "SELECT link, sum(clicks) AS clicks FROM clicks WHERE day = ? GROUP BY link",
      day,
    )
    .toArray();
  const total = links.reduce((sum, { clicks }) => sum + clicks, 0);
  for (const { link, clicks } of [...links, { link: "", clicks: total }]) {
    if (clicks < MIN_CLICKS_FOR_EARLY_SUMMARY) continue;
    const existing = sql.exec("SELECT 1 FROM summaries WHERE link = ? AND day = ?", link, day).toArray();
    if (existing.length === 0) summariseDay(sql, link === "" ? null : link, day, now);
  }
}
