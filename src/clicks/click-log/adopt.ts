import { DAY_MS } from "../../duration.ts";
import type { BackedUpRow } from "./backup.ts";
import { appendSegments, deleteSummaries, readSegments, rowsOfLink, toNewSegments } from "./rows.ts";

// Takes over clicks from another ClickLog. Loaded only for links that were claimed.

/**
 * Stores the clicks of these rows that are not stored yet. Rows of other ClickLogs have single clicks only: an anonymous
 * link ends before its clicks are rolled up. Returns the links that have new clicks.
 */
export function adoptRows(
  sql: SqlStorage,
  rows: readonly BackedUpRow[],
  deletedLinks: ReadonlySet<string>,
  now: number,
): Set<string> {
  const changed = new Set<string>();
  for (const row of rows) {
    if (row.is_rollup === 1 || deletedLinks.has(row.link)) continue;
    const present = [...rowsOfLink(sql, row.link, row.day)];
    const known = new Set(present.flatMap(readSegments).flatMap(([batchIds]) => batchIds));
    // The batches of a segment are stored together, so one of them stands for all.
    const fresh = readSegments(row).filter(([batchIds]) => !batchIds.some((id) => known.has(id)));
    if (fresh.length === 0) continue;
    // A part of its own, since it may be as long as a part can be.
    const part = Math.max(-1, ...present.map((each) => each.part)) + 1;
    appendSegments(sql, toNewSegments(row.day, row.link, part, fresh), now);
    if (row.day < Math.floor(now / DAY_MS)) deleteSummaries(sql, row.link, row.day);
    changed.add(row.link);
  }
  return changed;
}
