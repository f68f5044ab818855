import { firstIdAt } from "../lib/uuid.ts";

/**
 * Reads a page of an account's rows, newest first, and one row more. `select` ends with the table, which has the columns
 * `account_id` and `id`. `bounds` are those of `boundsOf`.
 */
export async function selectPage<Row>(
  db: D1Database,
  select: string,
  accountId: number,
  bounds: readonly [before: string, limit: number, offset: number],
): Promise<Row[]> {
  const { results } = await db
    .prepare(`${select} WHERE account_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3 OFFSET ?4`)
    .bind(accountId, ...bounds)
    .all<Row>();
  return results;
}

/** Deletes up to `limit` of the rows whose ids are older than the moment, the oldest first. Returns their number. */
export async function deleteOldRows(db: D1Database, table: string, before: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE id < ?1 ORDER BY id LIMIT ?2)`)
    .bind(firstIdAt(before), limit)
    .run();
  return meta.changes;
}

/** D1 refuses a compound SELECT with more terms. */
const MAX_COMPOUND_TERMS = 5;

/** SQL for the rows of all these queries, in no order. */
export function unionAll(queries: readonly string[]): string {
  if (queries.length <= MAX_COMPOUND_TERMS) return queries.join(" UNION ALL ");
  const groups = Array.from({ length: Math.ceil(queries.length / MAX_COMPOUND_TERMS) }, (_, n) =>
    queries.slice(n * MAX_COMPOUND_TERMS, (n + 1) * MAX_COMPOUND_TERMS),
  );
  return unionAll(groups.map((group) => `SELECT * FROM (${group.join(" UNION ALL ")})`));
}
