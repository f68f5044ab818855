import { DAY_MS } from "../../limits.ts";
import { timeOfId } from "../click-id.ts";
import { BACKUP_PAGE_CHARS } from "../limits.ts";
import { BACKUP_COLUMNS, type BackedUpRow } from "./backup.ts";
import type { Parts } from "./parts.ts";
import { levelOfDay, moveDetailFrom } from "./detail.ts";
import { Rollup, type LinkDay, type RollupLevel } from "./rollup.ts";
import { appendSegments, batchIdsOf, deleteSummaries, LEVEL, readSegments, rowsOfLink, toNewSegments } from "./rows.ts";

// Moves the clicks of a claimed link from a ClickLog of anonymous links, its source, to that of the account. Once the source
// has handed the link over, its rows of the link do not change, and each page of them is deleted when it is adopted. Loaded
// only for links that were claimed.

/** A row of the link. */
export type RowOfLink = Pick<BackedUpRow, "day" | "part">;

/** What the ClickLog remembers of its rows. */
type Memory = Pick<Parts["memory"], "writer" | "counters">;

/** The storage keys of the rows that were adopted last, of each link. */
const ADOPTED_PREFIX = "adopted:";

/** The first rows of a link, up to {@link BACKUP_PAGE_CHARS}. There is none before the link was created. */
export function readLinkRows(sql: SqlStorage, link: string, now: number): BackedUpRow[] {
  const rows: BackedUpRow[] = [];
  let chars = 0;
  for (const row of sql.exec<BackedUpRow>(
    `WITH RECURSIVE days (day) AS (SELECT ?1 UNION ALL SELECT day + 1 FROM days WHERE day <= ?2)
     SELECT ${BACKUP_COLUMNS} FROM days CROSS JOIN clicks USING (day) WHERE link = ?3 ORDER BY day, part`,
    Math.floor(timeOfId(link) / DAY_MS) - 1,
    Math.floor(now / DAY_MS),
    link,
  )) {
    if (rows.length > 0 && chars + row.segments.length > BACKUP_PAGE_CHARS) break;
    rows.push(row);
    chars += row.segments.length;
  }
  return rows;
}

export function dropLinkRows(sql: SqlStorage, memory: Memory, link: string, rows: readonly RowOfLink[]): void {
  for (const { day, part } of rows) {
    sql.exec("DELETE FROM clicks WHERE day = ? AND link = ? AND part = ?", day, link, part);
    memory.writer.forget(day, link);
  }
  memory.counters.delete(link);
}

/**
 * Stores the clicks of these rows that are not stored yet. The rows have single clicks only:
 * ClickLogs of anonymous links roll nothing up. The last row is remembered, because clicks that were rolled up since then
 * cannot be recognised by their batches.
 */
export function adoptRows(
  { sql, kv }: Pick<DurableObjectStorage, "sql" | "kv">,
  parts: Pick<Parts, "memory" | "retention">,
  link: string,
  rows: readonly BackedUpRow[],
  now: number,
): void {
  const key = ADOPTED_PREFIX + link;
  const adopted = kv.get<RowOfLink>(key) ?? { day: -1, part: 0 };
  const added = rows.filter((row) => isAfter(row, adopted));
  const last = added.at(-1);
  if (last === undefined) return;
  for (const [day, rowsOfDay] of Map.groupBy(added, (row) => row.day)) {
    if (!adoptDay(sql, link, day, rowsOfDay, now)) continue;
    const level = levelOfDay(kv, day, parts.retention.days, now);
    if (level !== LEVEL.clicks) rollUpAdopted({ sql, kv }, { day, link }, level as RollupLevel, now);
    parts.memory.writer.forget(day, link);
    parts.memory.counters.recount(link, day, now);
  }
  kv.put<RowOfLink>(key, { day: last.day, part: last.part });
}

/** Rolls up a day as the others of its age. Neither the maintenance nor the valve looks again at the days that it has rolled up. */
function rollUpAdopted(
  storage: Pick<DurableObjectStorage, "sql" | "kv">,
  linkDay: LinkDay,
  level: RollupLevel,
  now: number,
): void {
  const rollup = new Rollup(storage);
  while (!rollup.step(linkDay, { level, freesPages: false }, now).isDone);
  moveDetailFrom(storage.kv, level, (linkDay.day + 1) * DAY_MS);
}

function isAfter(row: RowOfLink, other: RowOfLink): boolean {
  return row.day > other.day || (row.day === other.day && row.part > other.part);
}

/** Returns whether the day has new clicks. */
function adoptDay(sql: SqlStorage, link: string, day: number, rows: readonly BackedUpRow[], now: number): boolean {
  const known = new Set<string>();
  let lastPart = -1;
  for (const row of rowsOfLink(sql, link, day)) {
    for (const id of batchIdsOf(row)) known.add(id);
    lastPart = row.part;
  }
  const partBefore = lastPart;
  for (const row of rows) {
    if (row.level !== LEVEL.clicks) continue;
    // The batches of a segment are stored together, so one of them stands for all.
    const fresh = readSegments(row).filter(([batchIds]) => !batchIds.some((id) => known.has(id)));
    if (fresh.length === 0) continue;
    // A part of its own, since it may be as long as a part can be.
    appendSegments(sql, toNewSegments(day, link, ++lastPart, fresh), now);
    for (const [batchIds] of fresh) for (const id of batchIds) known.add(id);
  }
  const isChanged = lastPart > partBefore;
  if (isChanged && day < Math.floor(now / DAY_MS)) deleteSummaries(sql, link, day);
  return isChanged;
}

/** The source has no more rows of the link. */
export function forgetAdoption(kv: SyncKvStorage, link: string): void {
  kv.delete(ADOPTED_PREFIX + link);
}
