import type { AccountChange } from "../../access/audit/change.ts";
import { Batch } from "../../platform/database/batch.ts";
import { allOf } from "../../platform/database/parameters.ts";
import { isWebhookOf, readOwner, toRefusal, type Refusal } from "./refusal.ts";
import { listWaitingBeside, type LeftHost } from "./state.ts";

export type DeleteOutcome = ({ outcome: "deleted" } & LeftHost) | Refusal;

/** Deletes an account's webhook. The cron gives up its pending deliveries; its delivery log expires. */
export async function deleteWebhook(
  db: D1Database,
  { accountId, now, isAllowed, record }: AccountChange,
  id: string,
): Promise<DeleteOutcome> {
  const batch = new Batch(db);
  const waiting = listWaitingBeside(batch, id, now);
  const owner = readOwner(batch, id, isAllowed);
  const isDeletable = allOf(isAllowed, isWebhookOf(accountId, id));
  record(batch, "webhook.delete", id, isDeletable);
  batch.sql`DELETE FROM webhooks WHERE id = ${id} AND ${isDeletable}`;
  for (const table of ["click_deliveries", "waiting_clicks"])
    batch.add(`DELETE FROM ${table} WHERE webhook_id = ?1 AND NOT EXISTS (SELECT 1 FROM webhooks WHERE id = ?1)`, [id]);
  await batch.commitWithRetry();
  return toRefusal(owner.first, accountId) ?? { outcome: "deleted", waitingIds: waiting.rows.map((row) => row.id) };
}
