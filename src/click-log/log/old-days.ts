import { DAY_MS } from "../../limits.ts";
import { summariseDay } from "./queries.ts";
import { noteRollup, rolledUpThrough } from "./detail.ts";
import { Rollup } from "./rollup.ts";
import { DELETED_PREFIX, LEVEL } from "./rows.ts";
import { MAX_CLICK_AGE_DAYS, MAX_ROLLUPS_PER_ALARM, MIN_CLICKS_FOR_EARLY_SUMMARY } from "../limits.ts";

/**
 * Rolls up the days that are older than single clicks are kept: clicks are merged by profile and quarter hour. It takes at
 * most {@link MAX_ROLLUPS_PER_ALARM} steps, between which calls run. Returns whether all days are rolled up.
 */
export async function rollUpOldDays(
  storage: DurableObjectStorage,
  retentionDays: number,
  now: number,
): Promise<boolean> {
  const { sql, kv } = storage;
  const newestDay = Math.floor(now / DAY_MS) - retentionDays - 1;
  const due = sql
    .exec<{ day: number; link: string }>(
      `SELECT DISTINCT day, link FROM clicks WHERE day >= ? AND day <= ? AND level = ${LEVEL.clicks}
       ORDER BY day, link LIMIT ?`,
      rolledUpThrough(kv),
      newestDay,
      MAX_ROLLUPS_PER_ALARM,
    )
    .toArray();
  const rollup = new Rollup(storage);
  let steps = 0;
  for (const { day, link } of due) {
    for (let isDone = false; !isDone; steps++) {
      if (steps === MAX_ROLLUPS_PER_ALARM) return false;
      const result = storage.transactionSync(() => {
        noteRollup(kv, day);
        return rollup.step({ day, link }, { level: LEVEL.quarterHours, freesPages: false }, now);
      });
      isDone = result.isDone;
      await scheduler.wait(0);
    }
  }
  return due.length < MAX_ROLLUPS_PER_ALARM;
}

/** When the next day is due, Unix milliseconds; null: all days are rolled up. */
export function nextRollupAt({ sql, kv }: DurableObjectStorage, retentionDays: number): number | null {
  const [oldest] = sql
    .exec<{ day: number }>(
      `SELECT day FROM clicks WHERE day >= ? AND level = ${LEVEL.clicks} ORDER BY day LIMIT 1`,
      rolledUpThrough(kv),
    )
    .toArray();
  return oldest === undefined ? null : (oldest.day + retentionDays + 1) * DAY_MS;
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

/** Forgets the deletions of links whose last clicks have arrived; returns whether any is left. */
export function forgetDeletions(kv: SyncKvStorage, deletedLinks: Set<string>, now: number): boolean {
  for (const [key, deletedAt] of kv.list<number>({ prefix: DELETED_PREFIX })) {
    if (now - deletedAt <= MAX_CLICK_AGE_DAYS * DAY_MS) continue;
    kv.delete(key);
    deletedLinks.delete(key.slice(DELETED_PREFIX.length));
  }
  return deletedLinks.size > 0;
}
