import { Batch } from "../../database/batch.ts";
import { TAKEDOWNS_PER_COPY } from "../limits.ts";

// The takedowns in databases other than the core.

const COLUMNS = [
  "id",
  "kind",
  "target",
  "shown",
  "imposed",
  "former",
  "statement",
  "created_at",
  "created_by",
  "reversed_at",
  "reversed_by",
] as const;

type CopiedRow = Record<(typeof COLUMNS)[number], string | number | null>;

/** All takedowns of the target, those that are reversed first: one at most is in force. */
export async function readTakedowns(core: D1Database, kind: string, target: string): Promise<CopiedRow[]> {
  const { results } = await core
    .prepare(
      `SELECT ${COLUMNS.join(", ")} FROM takedowns WHERE kind = ?1 AND target = ?2 ORDER BY reversed_at IS NULL, id`,
    )
    .bind(kind, target)
    .all<CopiedRow>();
  return results;
}

/** The takedowns after this id, the oldest first. '' is before all. */
export async function readTakedownsAfter(core: D1Database, id: string): Promise<CopiedRow[]> {
  const { results } = await core
    .prepare(`SELECT ${COLUMNS.join(", ")} FROM takedowns WHERE id > ?1 ORDER BY id LIMIT ?2`)
    .bind(id, TAKEDOWNS_PER_COPY)
    .all<CopiedRow>();
  return results;
}

/**
 * Stores the takedowns that the database lacks, and ends those that were reversed. Of the rows of a target, the one in force is the
 * last: a target has one at most.
 */
export async function copyTakedowns(db: D1Database, rows: readonly CopiedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const batch = new Batch(db);
  batch.add(
    `INSERT INTO takedowns (${COLUMNS.join(", ")})
     SELECT ${COLUMNS.map((column) => `value ->> '${column}'`).join(", ")} FROM json_each(?1) WHERE true
     ON CONFLICT (id) DO UPDATE SET reversed_at = excluded.reversed_at, reversed_by = excluded.reversed_by
     WHERE reversed_at IS NOT excluded.reversed_at AND excluded.reversed_at IS NOT NULL`,
    [JSON.stringify(rows)],
  );
  await batch.commitWithRetry();
}

/** What has a takedown that was made or reversed since. */
export async function findRecentTargets(core: D1Database, since: number): Promise<{ kind: string; target: string }[]> {
  const { results } = await core
    .prepare(`SELECT DISTINCT kind, target FROM takedowns WHERE created_at > ?1 OR coalesce(reversed_at, 0) > ?1`)
    .bind(since)
    .all<{ kind: string; target: string }>();
  return results;
}
