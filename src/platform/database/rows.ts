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
