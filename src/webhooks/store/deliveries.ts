import type { Page } from "../../http/pagination.ts";
import { batchWithRetry } from "../../database/retry.ts";
import { MAX_RETRIED_DELIVERIES } from "../../limits.ts";
import type { AttemptRecord } from "../delivery/attempt.ts";
import type { Delivery } from "../contract.ts";
import type { EventType } from "../../outbox/event-types.ts";
import { firstIdOf } from "../delivery/dispatch-due.ts";

/** The log of deliveries, and sending some of them again. */

interface DeliveryRow {
  event_id: string;
  type: EventType;
  status: Delivery["status"];
  due_at: number | null;
  lease: string | null;
  attempts: string;
  created_at: number;
}

interface ClickEntry {
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

const newestFirst = (a: Delivery, b: Delivery) => (a.id < b.id ? 1 : -1);

/** A page of a webhook's deliveries, the newest event first, and one more: the stored ones and the newest clicks. */
export async function listDeliveries(db: D1Database, webhookId: string, page: Page): Promise<Delivery[]> {
  const before = page.after ?? "~";
  const wanted = page.offset + page.limit + 1;
  const [stored, clicks] = await db.batch([
    db
      .prepare(`${SELECT} WHERE d.webhook_id = ?1 AND d.event_id < ?2 ORDER BY d.event_id DESC LIMIT ?3`)
      .bind(webhookId, before, wanted),
    db.prepare("SELECT entries FROM click_deliveries WHERE webhook_id = ?1").bind(webhookId),
  ]);
  const log = (clicks?.results[0] as { entries: string } | undefined)?.entries ?? "[]";
  const entries = (JSON.parse(log) as ClickEntry[]).filter(({ id }) => id < before).map(toClickDelivery);
  const rows = ((stored?.results ?? []) as unknown as DeliveryRow[]).map(toDelivery);
  return [...rows, ...entries].sort(newestFirst).slice(page.offset, wanted);
}

export type RetryOutcome = { outcome: "due"; delivery: Delivery } | { outcome: "not_found" } | { outcome: "inactive" };

// An attempt that is on its way is not disturbed.
const AT_REST = "(lease IS NULL OR due_at <= ?2)";
const AGAIN = "status = 'pending', due_at = ?2, lease = NULL, step = 0";
const ACTIVE = "EXISTS (SELECT 1 FROM webhooks WHERE id = ?1 AND status = 'active')";

/** Makes a delivery due now, whatever became of it, with the whole schedule before it. */
export async function retryDelivery(
  db: D1Database,
  webhookId: string,
  eventId: string,
  now: number,
): Promise<RetryOutcome> {
  const [, , webhook, stored] = await batchWithRetry(db, [
    db
      .prepare(`UPDATE deliveries SET ${AGAIN} WHERE webhook_id = ?1 AND event_id = ?3 AND ${AT_REST} AND ${ACTIVE}`)
      .bind(webhookId, now, eventId),
    endWaiting(db, webhookId),
    db.prepare("SELECT status FROM webhooks WHERE id = ?1").bind(webhookId),
    db.prepare(`${SELECT} WHERE d.webhook_id = ?1 AND d.event_id = ?2`).bind(webhookId, eventId),
  ]);
  const row = stored?.results[0] as DeliveryRow | undefined;
  if (row === undefined) return { outcome: "not_found" };
  if (webhook?.results[0]?.["status"] !== "active") return { outcome: "inactive" };
  return { outcome: "due", delivery: toDelivery(row) };
}

/** The same for failed deliveries of events since a time, the oldest first; answers how many, or null where the webhook is inactive. */
export async function retryFailed(
  db: D1Database,
  webhookId: string,
  since: number,
  now: number,
): Promise<number | null> {
  const [retried, , webhook] = await db.batch([
    db
      .prepare(
        `UPDATE deliveries SET ${AGAIN} WHERE webhook_id = ?1 AND ${ACTIVE} AND event_id IN (
           SELECT event_id FROM deliveries INDEXED BY deliveries_failed WHERE webhook_id = ?1 AND status = 'failed' AND event_id >= ?3
           ORDER BY event_id LIMIT ?4)
         RETURNING 1 AS retried`,
      )
      .bind(webhookId, now, firstIdOf(since), MAX_RETRIED_DELIVERIES),
    endWaiting(db, webhookId),
    db.prepare("SELECT status FROM webhooks WHERE id = ?1").bind(webhookId),
  ]);
  if ((webhook?.results[0] as { status: string } | undefined)?.status !== "active") return null;
  return retried?.results.length ?? 0;
}

/** Who asks for another attempt does not want it to wait. */
function endWaiting(db: D1Database, webhookId: string): D1PreparedStatement {
  return db
    .prepare("UPDATE webhooks SET resume_at = NULL, woken_until = NULL WHERE id = ?1 AND status = 'active'")
    .bind(webhookId);
}
