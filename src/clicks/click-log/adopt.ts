import { DAY_MS } from "../../duration.ts";
import { isBot } from "../profile.ts";
import type { BackedUpRow } from "./backup.ts";
import type { Segment } from "./encoding.ts";
import { appendSegment, deleteSummaries, readSegments, rowsOfLink, type NewSegment } from "./rows.ts";

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
    appendSegment(sql, { day: row.day, link: row.link, part, ...countsOf(fresh, row.day) }, now);
    if (row.day < Math.floor(now / DAY_MS)) deleteSummaries(sql, row.link, row.day);
    changed.add(row.link);
  }
  return changed;
}

function countsOf(segments: readonly Segment[], day: number): Omit<NewSegment, "day" | "link" | "part"> {
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
  return { ...counts, json: segments.map((segment) => JSON.stringify(segment)).join(",") };
}
