import type { ServiceContext } from "../../context.ts";
import { Batch } from "../../database/batch.ts";
import type { Page } from "../../http/pagination.ts";
import { firstIdAt } from "../../lib/uuid.ts";
import { CRON_BATCH_ROWS, DELIVERY_RETENTION_MS, MAX_RETRIED_DELIVERIES } from "../../limits.ts";
import type { EventType, OutgoingEvent } from "../../outbox/event-types.ts";
import type { AttemptRecord, Delivery } from "../delivery-contract.ts";

/** The delivery log of a webhook: reading it, retrying from it, and its retention. */

interface DeliveryRow {
  event_id: string;
  type: EventType;
  status: Delivery["status"];
  due_at: number | null;
  lease: string | null;
  attempts: string;
  created_at: number;
}

/** An entry of `click_deliveries`. */
export interface ClickEntry {
  id: string;
  createdAt: number;
  attempts: AttemptRecord[];
}

const SELECT = `SELECT d.event_id, e.type, d.status, d.due_at, d.lease, d.attempts, e.created_at
  FROM deliveries d JOIN events e ON e.id = d.event_id`;

function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.event_id,
    event: row.type,
    status: row.status,
    attempts: JSON.parse(row.attempts) as AttemptRecord[],
    nextAttemptAt: row.lease === null ? row.due_at : null,
    createdAt: row.created_at,
  };
}

function toClickDelivery({ id, createdAt, attempts }: ClickEntry): Delivery {
  return { id, event: "link.click", status: "delivered", attempts, nextAttemptAt: null, createdAt };
}

/** Returns stored deliveries and the newest delivered clicks, newest event first, with one more than the page holds. */
export async function listDeliveries(db: D1Database, webhookId: string, page: Page): Promise<Delivery[]> {
  const before = page.after ?? "~";
  const end = page.offset + page.limit + 1;
  const batch = new Batch(db);
  const stored = batch.add<DeliveryRow>(
    `${SELECT} WHERE d.webhook_id = ?1 AND d.event_id < ?2 ORDER BY d.event_id DESC LIMIT ?3`,
    [webhookId, before, end],
  );
  const log = batch.add<{ entries: string }>("SELECT entries FROM click_deliveries WHERE webhook_id = ?1", [webhookId]);
  await batch.commit();
  const clicks = (JSON.parse(log.first?.entries ?? "[]") as ClickEntry[]).filter(({ id }) => id < before);
  return [...stored.rows.map(toDelivery), ...clicks.map(toClickDelivery)]
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(page.offset, end);
}

interface NewDelivery {
  status: Delivery["status"];
  dueAt: number | null;
  lease?: string | undefined;
  step?: number | undefined;
  attempts?: readonly AttemptRecord[];
}

/** Stores an event and its delivery to one webhook. An event that is stored for another webhook gets this one as well. */
export function insertDelivery(
  batch: Batch,
  webhookId: string,
  event: OutgoingEvent & { createdAt: number },
  { status, dueAt, lease, step = 0, attempts = [] }: NewDelivery,
): void {
  batch.add(
    `INSERT INTO events (id, type, body, webhooks, created_at)
     SELECT ?1, ?2, ?3, json_array(?4), ?5 WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = ?4)
     ON CONFLICT (id) DO UPDATE SET webhooks = json_insert(webhooks, '$[#]', ?4)
       WHERE instr(webhooks, ?4) = 0 AND type = ?2`,
    [event.id, event.type, event.body, webhookId, event.createdAt],
  );
  batch.add(
    `INSERT INTO deliveries (webhook_id, event_id, status, due_at, lease, step, attempts)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = ?1)
     ON CONFLICT DO NOTHING`,
    [webhookId, event.id, status, dueAt, lease ?? null, step, JSON.stringify(attempts)],
  );
}

export type RetryOutcome = { outcome: "due"; delivery: Delivery } | { outcome: "not_found" } | { outcome: "inactive" };

// Parameters: ?1 webhook, ?2 now.
const MAKE_DUE = "status = 'pending', due_at = ?2, lease = NULL, step = 0";
const IS_ACTIVE = "EXISTS (SELECT 1 FROM webhooks WHERE id = ?1 AND status = 'active')";

/** Makes a delivery due now, whatever its status, with a new retry schedule. An attempt in flight is not disturbed. */
export async function retryDelivery(
  db: D1Database,
  webhookId: string,
  eventId: string,
  now: number,
): Promise<RetryOutcome> {
  const batch = new Batch(db);
  batch.add(
    `UPDATE deliveries SET ${MAKE_DUE}
     WHERE webhook_id = ?1 AND event_id = ?3 AND (lease IS NULL OR due_at <= ?2) AND ${IS_ACTIVE}`,
    [webhookId, now, eventId],
  );
  const webhook = endBackoff(batch, webhookId);
  const stored = batch.add<DeliveryRow>(`${SELECT} WHERE d.webhook_id = ?1 AND d.event_id = ?2`, [webhookId, eventId]);
  await batch.commitWithRetry();
  if (stored.first === undefined) return { outcome: "not_found" };
  if (webhook.first?.status !== "active") return { outcome: "inactive" };
  return { outcome: "due", delivery: toDelivery(stored.first) };
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
       SELECT d.event_id FROM (
         SELECT event_id FROM deliveries INDEXED BY deliveries_failed
         WHERE webhook_id = ?1 AND status = 'failed' AND event_id >= ?3
         UNION ALL
         SELECT event_id FROM deliveries INDEXED BY deliveries_due
         WHERE webhook_id = ?1 AND due_at IS NOT NULL AND (lease IS NULL OR due_at <= ?2) AND event_id >= ?3) d
       JOIN events e ON e.id = d.event_id WHERE e.type <> 'webhook.test' ORDER BY d.event_id LIMIT ?4)
     RETURNING 1 AS retried`,
    [webhookId, now, firstIdAt(since), MAX_RETRIED_DELIVERIES],
  );
  const webhook = endBackoff(batch, webhookId);
  await batch.commit();
  return webhook.first?.status === "active" ? retried.rows.length : null;
}

/** A retry on request does not wait for the circuit breaker. Returns the handle of the webhook's status. */
function endBackoff(batch: Batch, webhookId: string) {
  batch.add("UPDATE webhooks SET resume_at = NULL WHERE id = ?1 AND status = 'active'", [webhookId]);
  return batch.add<{ status: string }>("SELECT status FROM webhooks WHERE id = ?1", [webhookId]);
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
