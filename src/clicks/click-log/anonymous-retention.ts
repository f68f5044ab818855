import { DAY_MS } from "../../duration.ts";
import { ANONYMOUS_CLICKS_KEPT_DAYS, MAX_DELETED_ROWS_PER_ALARM } from "../limits.ts";
import { oldestDay } from "./rows.ts";

// Nobody can query the clicks of anonymous links until they are claimed. So they have no summaries and no rollups, and are
// deleted once their links can no longer be claimed.

/** Deletes the clicks of the days that are too old, at most {@link MAX_DELETED_ROWS_PER_ALARM} rows. Returns whether that was all. */
export function deleteOldDays(sql: SqlStorage, now: number): boolean {
  const newestDay = Math.floor(now / DAY_MS) - ANONYMOUS_CLICKS_KEPT_DAYS - 1;
  const { rowsWritten } = sql.exec(
    `DELETE FROM clicks WHERE (day, link, part) IN
       (SELECT day, link, part FROM clicks WHERE day <= ? ORDER BY day, link, part LIMIT ?)`,
    newestDay,
    MAX_DELETED_ROWS_PER_ALARM,
  );
  return rowsWritten < MAX_DELETED_ROWS_PER_ALARM;
}

/** When the oldest day is due, Unix milliseconds; null: there are no clicks. */
export function nextDeletionAt(sql: SqlStorage): number | null {
  const day = oldestDay(sql);
  return day === null ? null : (day + ANONYMOUS_CLICKS_KEPT_DAYS + 1) * DAY_MS;
}
