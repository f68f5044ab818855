import { CRON_BATCH_ROWS } from "../../limits.ts";
import type { Webhook } from "../contract.ts";
import { RESUME_AT } from "./slots.ts";
import { WEBHOOK_CRON_PAGE } from "../limits.ts";

/** A webhook with pending deliveries. */
export interface PendingWebhook {
  id: string;
  /** Null: the webhook was deleted. */
  status: Webhook["status"] | null;
  disabledAt: number | null;
  /** No attempt is made before this time. */
  resumeAt: number | null;
  /** When the first pending delivery is due. */
  dueAt: number;
}

// Steps through the index from one webhook to the next. The cost of a webhook does not depend on its number of deliveries.
const PENDING = `WITH RECURSIVE pending (webhook_id, n) AS (
    SELECT (SELECT min(webhook_id) FROM deliveries INDEXED BY deliveries_due WHERE due_at IS NOT NULL AND webhook_id > ?1), 1
    UNION ALL
    SELECT (SELECT min(d.webhook_id) FROM deliveries d INDEXED BY deliveries_due
        WHERE d.due_at IS NOT NULL AND d.webhook_id > pending.webhook_id), n + 1
      FROM pending WHERE pending.webhook_id IS NOT NULL AND n < ?2)
  SELECT p.webhook_id AS id, w.status, w.disabled_at AS disabledAt, ${RESUME_AT} AS resumeAt,
    (SELECT min(d.due_at) FROM deliveries d INDEXED BY deliveries_due
      WHERE d.webhook_id = p.webhook_id AND d.due_at IS NOT NULL) AS dueAt
  FROM pending p LEFT JOIN webhooks w ON w.id = p.webhook_id WHERE p.webhook_id IS NOT NULL`;

/** Returns the next page of webhooks with pending deliveries, by id, up to {@link WEBHOOK_CRON_PAGE}. */
export async function listPendingWebhooks(db: D1Database, afterId: string): Promise<PendingWebhook[]> {
  return (await db.prepare(PENDING).bind(afterId, WEBHOOK_CRON_PAGE).all<PendingWebhook>()).results;
}

/** A webhook with concurrency slots. */
export interface BusyWebhook {
  id: string;
  /** When the last lease of its slots ends. In the past if all of them wait. */
  expiresAt: number;
}

/** Returns the next page of webhooks with slots, by id, up to {@link WEBHOOK_CRON_PAGE}. */
export async function listBusyWebhooks(db: D1Database, afterId: string): Promise<BusyWebhook[]> {
  const { results } = await db
    .prepare(
      `SELECT webhook_id AS id, max(expires_at) AS expiresAt FROM webhook_slots
       WHERE webhook_id > ?1 GROUP BY webhook_id ORDER BY webhook_id LIMIT ?2`,
    )
    .bind(afterId, WEBHOOK_CRON_PAGE)
    .all<BusyWebhook>();
  return results;
}

const MAKE_PENDING = "UPDATE deliveries SET status = 'pending', due_at = ?1, lease = NULL, sending_until = NULL";

/** What was leased by its transaction and not sent until the lease has ended is due. */
export async function endOldLeases(db: D1Database, now: number): Promise<void> {
  const statement = db
    .prepare(
      `${MAKE_PENDING} WHERE (event_id, webhook_id) IN (
         SELECT event_id, webhook_id FROM deliveries INDEXED BY deliveries_by_status
         WHERE status = 'sending' AND sending_until <= ?1 LIMIT ?2) RETURNING 1 AS changed`,
    )
    .bind(now, CRON_BATCH_ROWS);
  while ((await statement.all()).results.length === CRON_BATCH_ROWS);
}

/** Gives up all pending deliveries of these webhooks. */
export async function giveUpDeliveries(db: D1Database, webhookIds: readonly string[]): Promise<void> {
  const statement = db
    .prepare(
      `UPDATE deliveries SET status = 'failed', due_at = NULL, lease = NULL WHERE (event_id, webhook_id) IN (
         SELECT event_id, webhook_id FROM deliveries INDEXED BY deliveries_due
         WHERE webhook_id IN (SELECT value FROM json_each(?1)) AND due_at IS NOT NULL LIMIT ?2)
       RETURNING 1 AS changed`,
    )
    .bind(JSON.stringify(webhookIds), CRON_BATCH_ROWS);
  while ((await statement.all()).results.length === CRON_BATCH_ROWS);
}
