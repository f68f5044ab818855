import { Batch } from "../../database/batch.ts";
import type { Value } from "../../database/parameters.ts";
import { ROWS_PER_PAGE } from "../limits.ts";
import { isNewest, tupleOf, type Run } from "./rows.ts";
import { WEBHOOKS, type MovedTable } from "./tables.ts";

/** Deleting what an account has in a database where it is not, or not yet. */

export async function readWebhookIds(source: D1Database, accountId: number): Promise<string[]> {
  const { results } = await source
    .prepare("SELECT id FROM webhooks WHERE account_id = ?1")
    .bind(accountId)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** Adds a statement that marks the delivery logs of webhooks that were deleted after their deliveries were copied. */
export function markLogsOfDeleted(batch: Batch, { accountId, id }: Run): void {
  batch.add(
    `UPDATE delivery_totals SET webhook_deleted = 1 WHERE webhook_deleted = 0 AND webhook_id NOT IN (SELECT id FROM webhooks)
       AND ${isNewest(1)}`,
    [accountId, id],
  );
}

const inTarget = (sql: string) => sql.replace(WEBHOOKS, "(SELECT value FROM json_each(?3))");

/** Deletes up to a page of the account's rows in its former database, while it is known as that. Returns their number. */
export function deleteFormer(db: D1Database, table: MovedTable, accountId: number): Promise<number> {
  const isFormer = "EXISTS (SELECT 1 FROM departing_accounts WHERE account_id = ?1 AND moved_to IS NOT NULL)";
  return deletePage(db, table, isFormer, [accountId]);
}

/**
 * Deletes up to a page of what an earlier attempt to move the account has left in the target. `webhooks` are the ids of the account's
 * webhooks, which come last, so the target may not have them. Returns their number.
 */
export function deleteLeft(
  target: D1Database,
  table: MovedTable,
  { accountId, id }: Run,
  webhooks: readonly string[],
): Promise<number> {
  const own = { isOwn: inTarget(table.isOwn), ...(table.found !== undefined && { found: inTarget(table.found) }) };
  const values = [accountId, id, JSON.stringify(webhooks)];
  return deletePage(target, { ...table, ...own }, `${isNewest(1)} AND ?3 IS NOT NULL`, values);
}

async function deletePage(db: D1Database, table: MovedTable, condition: string, values: Value[]): Promise<number> {
  const { name, key, isOwn, found = `WHERE ${isOwn}`, pageOfKeys } = table;
  const next =
    pageOfKeys === undefined
      ? `SELECT ${key.join(", ")} FROM ${name} ${found} LIMIT ${ROWS_PER_PAGE}`
      : pageOfKeys("", ROWS_PER_PAGE);
  const batch = new Batch(db);
  for (const { name: other, isWith } of table.companions ?? []) {
    const keys = `(SELECT json_group_array(json_array(${key.join(", ")})) FROM (${next}))`;
    const isOfPage = isWith.replaceAll("json_each(?1)", `json_each(${keys})`);
    batch.add(`DELETE FROM ${other} WHERE (${isOfPage}) AND ${condition}`, values);
  }
  const deleted = batch.add(
    `DELETE FROM ${name} WHERE ${tupleOf(key, "")} IN (${next}) AND ${condition} RETURNING 1 AS deleted`,
    values,
  );
  await batch.commitWithRetry();
  return deleted.rows.length;
}
