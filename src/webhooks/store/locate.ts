import { Batch } from "../../database/batch.ts";
import { toJsonPieces } from "../../database/json-pieces.ts";

/** Returns those of the webhooks that the database has, and whose accounts have not left it. */
export async function findWebhooks(db: D1Database, ids: readonly string[]): Promise<string[]> {
  const batch = new Batch(db);
  const read = toJsonPieces(ids).map((piece) =>
    batch.add<{ id: string }>(
      `SELECT w.id FROM json_each(?1) j CROSS JOIN webhooks w ON w.id = j.value
       WHERE NOT EXISTS (SELECT 1 FROM departing_accounts d WHERE d.account_id = w.account_id AND d.moved_to IS NOT NULL)`,
      [piece],
    ),
  );
  await batch.commitWithRetry();
  return read.flatMap(({ rows }) => rows.map(({ id }) => id));
}
