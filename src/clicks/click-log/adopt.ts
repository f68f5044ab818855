import { DAY_MS } from "../../duration.ts";
import { timeOfId } from "../click-id.ts";
import { BACKUP_PAGE_CHARS } from "../limits.ts";
import { BACKUP_COLUMNS, type BackedUpRow, type BackupCursor, type BackupPage } from "./backup.ts";
import { appendSegments, batchIdsOf, deleteSummaries, LEVEL, readSegments, rowsOfLink, toNewSegments } from "./rows.ts";

// Moves the clicks of one link from one ClickLog to another. Loaded only for links that were claimed.

/** The rows of a link after `after`, up to {@link BACKUP_PAGE_CHARS}. There is none before the link was created. */
export function readLinkRows(sql: SqlStorage, link: string, after: BackupCursor | null, now: number): BackupPage {
  const rows: BackedUpRow[] = [];
  let chars = 0;
  for (const row of sql.exec<BackedUpRow>(
    `WITH RECURSIVE days (day) AS (SELECT ?1 UNION ALL SELECT day + 1 FROM days WHERE day <= ?2)
     SELECT ${BACKUP_COLUMNS} FROM days CROSS JOIN clicks USING (day)
     WHERE link = ?3 AND (day, part) > (?4, ?5) ORDER BY day, part`,
    Math.floor(timeOfId(link) / DAY_MS) - 1,
    Math.floor(now / DAY_MS),
    link,
    after?.day ?? -1,
    after?.part ?? 0,
  )) {
    const last = rows.at(-1);
    if (last !== undefined && chars + row.segments.length > BACKUP_PAGE_CHARS)
      return { rows, next: { ...last, rows: null } };
    rows.push(row);
    chars += row.segments.length;
  }
  return { rows, next: null };
}

/**
 * Stores the clicks of these rows that are not stored yet. Rows of other ClickLogs have single clicks only: those of anonymous
 * links roll nothing up. Returns the links that have new clicks.
 */
export function adoptRows(
  sql: SqlStorage,
  rows: readonly BackedUpRow[],
  deletedLinks: ReadonlySet<string>,
  now: number,
): Set<string> {
  const changed = new Set<string>();
  for (const row of rows) {
    if (row.level !== LEVEL.clicks || deletedLinks.has(row.link)) continue;
    const present = [...rowsOfLink(sql, row.link, row.day)];
    const known = new Set(present.flatMap(batchIdsOf));
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
