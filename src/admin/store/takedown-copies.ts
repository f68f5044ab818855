import { Batch } from "../../database/batch.ts";
import { firstIdAt } from "../../lib/uuid.ts";
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

type CopiedRow = Record<(typeof COLUMNS)[number], string | number | null> & { id: string };

/** A target has one takedown in force at most, and its ids may differ from the order in which it was taken down. */
const REVERSED_FIRST = "ORDER BY reversed_at IS NULL, id";

/** The takedown; none: there is no such one. */
export async function readTakedown(core: D1Database, id: string): Promise<CopiedRow[]> {
  const { results } = await core
    .prepare(`SELECT ${COLUMNS.join(", ")} FROM takedowns WHERE id = ?1`)
    .bind(id)
    .all<CopiedRow>();
  return results;
}

/** Those that were made or reversed since, in pages. */
export async function readRecentTakedowns(core: D1Database, since: number): Promise<CopiedRow[][]> {
  const columns = COLUMNS.join(", ");
  const { results } = await core
    .prepare(
      `SELECT * FROM (SELECT ${columns} FROM takedowns WHERE id > ?1
         UNION SELECT ${columns} FROM takedowns INDEXED BY takedowns_reversed WHERE reversed_at > ?2) ${REVERSED_FIRST}`,
    )
    .bind(firstIdAt(since), since)
    .all<CopiedRow>();
  const pages: CopiedRow[][] = [];
  for (let start = 0; start < results.length; start += TAKEDOWNS_PER_COPY)
    pages.push(results.slice(start, start + TAKEDOWNS_PER_COPY));
  return pages;
}

/** All takedowns in pages, the oldest first. */
export async function* readAllTakedowns(core: D1Database): AsyncGenerator<CopiedRow[]> {
  for (let last: string | undefined = ""; last !== undefined;) {
    const { results }: D1Result<CopiedRow> = await core
      .prepare(
        `SELECT * FROM (SELECT ${COLUMNS.join(", ")} FROM takedowns WHERE id > ?1 ORDER BY id LIMIT ?2) ${REVERSED_FIRST}`,
      )
      .bind(last, TAKEDOWNS_PER_COPY)
      .all<CopiedRow>();
    if (results.length > 0) yield results;
    last = results
      .map(({ id }) => id)
      .toSorted()
      .at(-1);
  }
}

/**
 * Stores the takedowns that the database lacks, and ends those that were reversed. These must be the first of the rows.
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
