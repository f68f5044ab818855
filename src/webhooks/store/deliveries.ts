import type { ServiceContext } from "../../context.ts";
import { Batch } from "../../database/batch.ts";
import { firstIdAt } from "../../lib/uuid.ts";
import { CRON_BATCH_ROWS } from "../../limits.ts";
import type { OutgoingEvent } from "../../outbox/event-types.ts";
import type { AttemptRecord, Delivery } from "../delivery-contract.ts";
import { SELECT_ONE, SELECT_STATE, toDelivery, type DeliveryRow, type SendingState } from "./read-delivery-log.ts";
import { DELIVERY_RETENTION_MS, MAX_RETRIED_DELIVERIES } from "../limits.ts";

/** Writing deliveries: storing them, retrying them, and their retention. `delivery-log.ts` reads them. */

interface NewDelivery {
  status: Delivery["status"];
  dueAt: number | null;
  lease?: string | undefined;
  step?: number | undefined;
  attempts?: readonly AttemptRecord[];
  responseBody?: string | null | undefined;
}

/** An event to store. Its body may be compressed. */
export type NewEvent = Omit<OutgoingEvent, "body"> & { body: string | ArrayBuffer; createdAt: number };

/** Stores an event and its delivery to one webhook. An event that is stored for another webhook gets this one as well. */
export function insertDelivery(
  batch: Batch,
  webhookId: string,
  event: NewEvent,
  { status, dueAt, lease, step = 0, attempts = [], responseBody = null }: NewDelivery,
): void {
  batch.add(
    `INSERT INTO events (id, type, body, webhooks, created_at)
     SELECT ?1, ?2, ?3, json_array(?4), ?5 WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = ?4)
     ON CONFLICT (id) DO UPDATE SET webhooks = json_insert(webhooks, '$[#]', ?4), body = coalesce(body, ?3)
       WHERE instr(webhooks, ?4) = 0 AND type = ?2`,
    [event.id, event.type, event.body, webhookId, event.createdAt],
  );
  batch.add(
    `INSERT INTO deliveries (webhook_id, event_id, type, status, due_at, lease, step, attempts, response_body)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = ?1)
     ON CONFLICT DO NOTHING`,
    [webhookId, event.id, event.type, status, dueAt, lease ?? null, step, JSON.stringify(attempts), responseBody],
  );
}

export type RetryOutcome =
  | { outcome: "due"; delivery: Delivery }
  | { outcome: "not_found" }
  | { outcome: "inactive" }
  | { outcome: "dropped" };

// Parameters: ?1 webhook, ?2 now.
const MAKE_DUE = "status = 'pending', due_at = ?2, lease = NULL, step = 0";
const IS_ACTIVE = "EXISTS (SELECT 1 FROM webhooks WHERE id = ?1 AND status = 'active')";

/** Makes a delivery due now, unless it was dropped, with a new retry schedule. An attempt in flight is not disturbed. */
export async function retryDelivery(
  db: D1Database,
  webhookId: string,
  eventId: string,
  now: number,
): Promise<RetryOutcome> {
  const batch = new Batch(db);
  batch.add(
    `UPDATE deliveries SET ${MAKE_DUE}
     WHERE webhook_id = ?1 AND event_id = ?3 AND status <> 'dropped' AND (lease IS NULL OR due_at <= ?2) AND ${IS_ACTIVE}`,
    [webhookId, now, eventId],
  );
  const webhook = endBackoff(batch, webhookId);
  const stored = batch.add<DeliveryRow>(SELECT_ONE, [webhookId, eventId]);
  await batch.commitWithRetry();
  if (stored.first === undefined) return { outcome: "not_found" };
  if (stored.first.status === "dropped") return { outcome: "dropped" };
  if (webhook.first?.status !== "active") return { outcome: "inactive" };
  return { outcome: "due", delivery: toDelivery(stored.first, webhook.first) };
}

/**
 * The same for the events since a time that failed or wait for their next attempt, oldest first. Pings are not sent again.
 * Returns their number, or null if the webhook is inactive.
 */
export async function retryDeliveries(
  db: D1Database,
  webhookId: string,
  since: number,
  now: number,
): Promise<number | null> {
  const batch = new Batch(db);
  const retried = batch.add(
    `UPDATE deliveries SET ${MAKE_DUE} WHERE webhook_id = ?1 AND ${IS_ACTIVE} AND event_id IN (
       ${["failed", "pending"].map(oldestSince).join(" UNION ALL ")} ORDER BY event_id LIMIT ?4)
     RETURNING 1 AS retried`,
    [webhookId, now, firstIdAt(since), MAX_RETRIED_DELIVERIES],
  );
  const webhook = endBackoff(batch, webhookId);
  await batch.commit();
  return webhook.first?.status === "active" ? retried.rows.length : null;
}

/** SQL for the oldest deliveries with the status, without pings and attempts in flight. It reads at most ?4 that it returns. */
function oldestSince(status: string): string {
  return `SELECT event_id FROM (SELECT event_id FROM deliveries INDEXED BY deliveries_by_status
    WHERE webhook_id = ?1 AND status = '${status}' AND event_id >= ?3 AND type <> 'webhook.test'
      AND (lease IS NULL OR due_at <= ?2) ORDER BY event_id LIMIT ?4)`;
}

/** A retry on request does not wait for the circuit breaker. Returns the handle of the webhook's state. */
function endBackoff(batch: Batch, webhookId: string) {
  batch.add("UPDATE webhooks SET resume_at = NULL WHERE id = ?1 AND status = 'active'", [webhookId]);
  return batch.add<SendingState>(SELECT_STATE, [webhookId]);
}

/** Deletes events past their retention and their deliveries, at most {@link CRON_BATCH_ROWS}. Returns the number of events. */
export async function deleteOldEvents({ env, now }: ServiceContext): Promise<number> {
  const expired = "SELECT id FROM events WHERE id < ?1 ORDER BY id LIMIT ?2";
  const values = [firstIdAt(now - DELIVERY_RETENTION_MS), CRON_BATCH_ROWS];
  const batch = new Batch(env.DB);
  batch.add(
    `DELETE FROM deliveries WHERE (webhook_id, event_id) IN (
       SELECT j.value, e.id FROM events e, json_each(e.webhooks) j WHERE e.id IN (${expired}))`,
    values,
  );
  const deleted = batch.add(`DELETE FROM events WHERE id IN (${expired}) RETURNING 1 AS deleted`, values);
  await batch.commit();
  return deleted.rows.length;
}
