import { firstIdAt } from "../lib/uuid.ts";

/** Deletes up to `limit` of the rows whose ids are older than the moment, the oldest first. Returns their number. */
export async function deleteOldRows(db: D1Database, table: string, before: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE id < ?1 ORDER BY id LIMIT ?2)`)
    .bind(firstIdAt(before), limit)
    .run();
  return meta.changes;
}
