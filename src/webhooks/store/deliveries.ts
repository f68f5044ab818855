import type { ServiceContext } from "../../platform/context.ts";
import { Batch } from "../../platform/database/batch.ts";
import { firstIdAt } from "../../platform/lib/uuid.ts";
import { CRON_BATCH_ROWS } from "../../limits.ts";
import { unionAll } from "../../platform/database/rows.ts";
import { EVENT_TYPES, type EventType, type OutgoingEvent } from "../../platform/outbox/event-types.ts";
import type { AttemptRecord, Delivery } from "../delivery-contract.ts";
import { SELECT_ONE, SELECT_STATE, toDelivery, type DeliveryRow, type SendingState } from "./read-delivery-log.ts";
import { DELIVERY_KEPT_MS, MAX_RETRIED_DELIVERIES } from "../limits.ts";

// Stores deliveries, retries them and deletes old ones. `read-delivery-log.ts` reads them.

interface NewDelivery {
  status: Delivery["status"];
  dueAt: number | null;
  step?: number | undefined;
  attempts?: readonly AttemptRecord[];
  responseBody?: string | null | undefined;
}

/** An event to store. Its body may be compressed. */
export type NewEvent = Omit<OutgoingEvent, "body"> & { body: string | ArrayBuffer; createdAt: number };

/** Stores the delivery of an event to one webhook, with the body. */
export function insertDelivery(
  batch: Batch,
  webhookId: string,
  event: NewEvent,
  { status, dueAt, step = 0, attempts = [], responseBody = null }: NewDelivery,
): void {
  batch.add(
    `INSERT INTO deliveries (webhook_id, event_id, type, status, due_at, step, attempts, response_body, created_at, body)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = ?1)
     ON CONFLICT DO NOTHING`,
    [
      webhookId,
      event.id,
      event.type,
      status,
      dueAt,
      step,
      JSON.stringify(attempts),
      responseBody,
      event.createdAt,
      event.body,
    ],
  );
}

export type RetryOutcome =
  | { outcome: "due"; delivery: Delivery }
  | { outcome: "not_found" }
  | { outcome: "inactive" }
  | { outcome: "dropped" };

// Parameters: ?1 webhook, ?2 now.
const MAKE_DUE = "status = 'pending', due_at = ?2, step = 0";
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
     WHERE webhook_id = ?1 AND event_id = ?3 AND status NOT IN ('dropped', 'sending') AND ${IS_ACTIVE}`,
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
  const types = EVENT_TYPES.filter((type) => type !== "webhook.test");
  const lists = ["failed", "pending"].flatMap((status) => types.map((type) => oldestSince(status, type)));
  const batch = new Batch(db);
  const retried = batch.add(
    `UPDATE deliveries SET ${MAKE_DUE} WHERE webhook_id = ?1 AND ${IS_ACTIVE} AND event_id IN (
       SELECT event_id FROM (${unionAll(lists)}) ORDER BY event_id LIMIT ?4)
     RETURNING 1 AS retried`,
    [webhookId, now, firstIdAt(since), MAX_RETRIED_DELIVERIES],
  );
  const webhook = endBackoff(batch, webhookId);
  await batch.commit();
  return webhook.first?.status === "active" ? retried.rows.length : null;
}

/** SQL for the oldest deliveries with the status and type. It reads at most ?4 that it returns. */
function oldestSince(status: string, type: EventType): string {
  return `SELECT event_id FROM (SELECT event_id FROM deliveries INDEXED BY deliveries_by_status
    WHERE status = '${status}' AND webhook_id = ?1 AND type = '${type}' AND event_id >= ?3
    ORDER BY event_id LIMIT ?4)`;
}

/** A retry on request does not wait for the circuit breaker. Returns the handle of the webhook's state. */
function endBackoff(batch: Batch, webhookId: string) {
  batch.add("UPDATE webhooks SET resume_at = NULL WHERE id = ?1 AND status = 'active'", [webhookId]);
  return batch.add<SendingState>(SELECT_STATE, [webhookId]);
}

/** Deletes deliveries of events that are too old, at most {@link CRON_BATCH_ROWS}. Returns their number. */
export async function deleteOldDeliveries({ db, now }: ServiceContext): Promise<number> {
  const values = [firstIdAt(now - DELIVERY_KEPT_MS), CRON_BATCH_ROWS];
  const batch = new Batch(db);
  const deleted = batch.add(
    `DELETE FROM deliveries WHERE (event_id, webhook_id) IN (
       SELECT event_id, webhook_id FROM deliveries WHERE event_id < ?1 ORDER BY event_id, webhook_id LIMIT ?2)
     RETURNING 1 AS deleted`,
    values,
  );
  // A body is kept as long as one of its deliveries.
  batch.add(
    `DELETE FROM event_bodies WHERE event_id IN (
       SELECT event_id FROM event_bodies b WHERE event_id < ?1
         AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = b.event_id) ORDER BY event_id LIMIT ?2)`,
    values,
  );
  await batch.commit();
  return deleted.rows.length;
}
