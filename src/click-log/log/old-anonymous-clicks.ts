import { DAY_MS } from "../../limits.ts";
import { log } from "../../platform/lib/log.ts";
import { ANONYMOUS_CLICKS_KEPT_DAYS, MAX_DELETED_ROWS_PER_ALARM, VALVE_REST_MS } from "../limits.ts";
import { oldestDay } from "./rows.ts";

// Nobody can query the clicks of anonymous links until they are claimed. So they have no summaries and no rollups, and are
// deleted once their links can no longer be claimed, or earlier if the object is nearly full.

/** Deletes the clicks of the days that are too old, at most {@link MAX_DELETED_ROWS_PER_ALARM} rows. Returns whether that was all. */
export function deleteOldDays(sql: SqlStorage, now: number): boolean {
  const newestDay = Math.floor(now / DAY_MS) - ANONYMOUS_CLICKS_KEPT_DAYS - 1;
  return deleteRows(sql, newestDay) < MAX_DELETED_ROWS_PER_ALARM;
}

/**
 * Deletes clicks of the oldest day, at most {@link MAX_DELETED_ROWS_PER_ALARM} rows. Returns when more can be deleted, Unix
 * milliseconds.
 */
export function deleteOldestRows(sql: SqlStorage, now: number): number {
  const bytesBefore = sql.databaseSize;
  const rows = deleteRows(sql, oldestDay(sql) ?? 0);
  const bytes = sql.databaseSize;
  if (rows === 0) {
    log("error", "click_log_full", { bytes });
    return now + VALVE_REST_MS;
  }
  log("error", "clicks_deleted_early", { bytes, freedBytes: bytesBefore - bytes, rows });
  return now;
}

/** Returns the number of rows that were deleted. */
function deleteRows(sql: SqlStorage, newestDay: number): number {
  const { rowsWritten } = sql.exec(
    `DELETE FROM clicks WHERE (day, link, part) IN
       (SELECT day, link, part FROM clicks WHERE day <= ? ORDER BY day, link, part LIMIT ?)`,
    newestDay,
    MAX_DELETED_ROWS_PER_ALARM,
  );
  return rowsWritten;
}

/** When the oldest day is due, Unix milliseconds; null: there are no clicks. */
export function nextDeletionAt(sql: SqlStorage): number | null {
  const day = oldestDay(sql);
  return day === null ? null : (day + ANONYMOUS_CLICKS_KEPT_DAYS + 1) * DAY_MS;
}
