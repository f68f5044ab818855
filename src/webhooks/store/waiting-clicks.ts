import type { Batch, Result } from "../../platform/database/batch.ts";
import { hostOf, maySend } from "../../platform/outbox/connections.ts";
import { MAX_WAITING_CLICK_ROWS } from "../limits.ts";
import type { Claim } from "./state.ts";

/**
 * The click events of a queue batch for one webhook are one row, until they are attempted: nothing else has them. They are being sent
 * while the row has a lease, and wait otherwise.
 */

/** A click event in a row. */
export interface WaitingClick {
  id: string;
  body: string;
  createdAt: number;
}

/** Inserts clicks if the webhook may be sent to: leased if it has free connections, else to wait, unless many rows wait. */
export function insertClicks(batch: Batch, claim: Claim, rowId: string, clicks: readonly WaitingClick[]): void {
  const { webhookId, now, connections, lease, expiresAt } = claim;
  batch.add(
    `WITH ${hostOf("(SELECT * FROM webhooks WHERE id = ?1)", "?2")}
     INSERT INTO waiting_clicks (webhook_id, id, clicks, connections, lease, expires_at)
     SELECT id, ?3, ?4, max(0, min(?5, free, json_array_length(?4))), iif(free > 0, ?6, NULL), iif(free > 0, ?7, 0)
     FROM host
     WHERE id = ?1 AND may_send AND (free > 0 OR ${MAX_WAITING_CLICK_ROWS} > (
       SELECT count(*) FROM waiting_clicks WHERE webhook_id = ?1 AND expires_at <= ?2))
     ON CONFLICT DO NOTHING`,
    [webhookId, now, rowId, JSON.stringify(clicks), connections, lease, expiresAt],
  );
}

/** Selects the row, if it was inserted. */
export function selectRow(batch: Batch, webhookId: string, rowId: string): Result<unknown> {
  return batch.add("SELECT 1 AS found FROM waiting_clicks WHERE webhook_id = ?1 AND id = ?2", [webhookId, rowId]);
}

/** Ends the turn of a row, of which these clicks are left. Call it after the statements that the lease fences. */
export function finishClicks(batch: Batch, webhookId: string, lease: string, remaining: readonly WaitingClick[]): void {
  if (remaining.length === 0)
    batch.add("DELETE FROM waiting_clicks WHERE webhook_id = ?1 AND lease = ?2", [webhookId, lease]);
  else
    batch.add(
      "UPDATE waiting_clicks SET clicks = ?3, lease = NULL, connections = 0, expires_at = 0 WHERE webhook_id = ?1 AND lease = ?2",
      [webhookId, lease, JSON.stringify(remaining)],
    );
}

/** Turns what waits into stored deliveries if the webhook may not be sent to. It gets no clicks from after its deactivation. */
export function storeWaitingClicks(batch: Batch, webhookId: string, now: number): void {
  const waiting = `SELECT c.id, c.clicks, w.status, w.disabled_at FROM webhooks w JOIN waiting_clicks c ON c.webhook_id = w.id
    WHERE w.id = ?1 AND NOT (${maySend("?2")}) AND c.expires_at <= ?2`;
  batch.add(
    `INSERT INTO deliveries (webhook_id, event_id, type, status, due_at, created_at, body)
     SELECT ?1, j.value ->> 'id', 'link.click', 'pending', ?2, j.value ->> 'createdAt', j.value ->> 'body'
     FROM (${waiting}) c, json_each(c.clicks) j
     WHERE c.status = 'active' OR j.value ->> 'createdAt' < coalesce(c.disabled_at, 0) ON CONFLICT DO NOTHING`,
    [webhookId, now],
  );
  batch.add(`DELETE FROM waiting_clicks WHERE webhook_id = ?1 AND id IN (SELECT id FROM (${waiting}))`, [
    webhookId,
    now,
  ]);
}
