import type { Batch } from "../../database/batch.ts";
import type { Value } from "../../database/parameters.ts";
import { sequenceOf } from "./sequence.ts";

/** Deleted links whose clicks are not deleted yet. */
export interface DeletedLink {
  id: string;
  account_id: number;
}

/** Records the links of `from`, a FROM clause in which they are `l`, before the batch deletes them. */
export function recordDeletedLinks(batch: Batch, from: string, values: readonly Value[]): void {
  batch.add(
    `INSERT INTO deleted_links (seq, id, account_id) SELECT l.seq, l.id, l.account_id FROM ${from} ON CONFLICT DO NOTHING`,
    values,
  );
}

/** Returns up to `limit` deleted links, the oldest first. */
export async function findDeletedLinks(db: D1Database, limit: number): Promise<DeletedLink[]> {
  const { results } = await db
    .prepare("SELECT id, account_id FROM deleted_links ORDER BY seq LIMIT ?1")
    .bind(limit)
    .all<DeletedLink>();
  return results;
}

/** Removes the records of links whose clicks are deleted. */
export async function removeDeletedLinks(db: D1Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.prepare(`DELETE FROM deleted_links WHERE seq IN (${ids.map(sequenceOf).join(",")})`).run();
}
