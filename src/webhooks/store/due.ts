import { CRON_BATCH_ROWS } from "../../limits.ts";
import type { Webhook } from "../contract.ts";
import { RESUME_AT } from "../../platform/outbox/connections.ts";
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
    SELECT (SELECT min(webhook_id) FROM deliveries INDEXED BY deliveries_due WHERE status = 'pending' AND webhook_id > ?1), 1
    UNION ALL
    SELECT (SELECT min(d.webhook_id) FROM deliveries d INDEXED BY deliveries_due
        WHERE d.status = 'pending' AND d.webhook_id > pending.webhook_id), n + 1
      FROM pending WHERE pending.webhook_id IS NOT NULL AND n < ?2)
  SELECT p.webhook_id AS id, w.status, w.disabled_at AS disabledAt, ${RESUME_AT} AS resumeAt,
    (SELECT min(d.due_at) FROM deliveries d INDEXED BY deliveries_due
      WHERE d.webhook_id = p.webhook_id AND d.status = 'pending') AS dueAt
  FROM pending p LEFT JOIN webhooks w ON w.id = p.webhook_id WHERE p.webhook_id IS NOT NULL`;

/** Returns the next page of webhooks with pending deliveries, by id, up to {@link WEBHOOK_CRON_PAGE}. */
export async function listPendingWebhooks(db: D1Database, afterId: string): Promise<PendingWebhook[]> {
  return (await db.prepare(PENDING).bind(afterId, WEBHOOK_CRON_PAGE).all<PendingWebhook>()).results;
}

/** A webhook with something that is being sent, or clicks that wait. */
export interface BusyWebhook {
  id: string;
  /** When the first lease ends. In the past for clicks that wait. */
  expiresAt: number;
}

/** Returns the next page of webhooks of which something is sent, by id, up to {@link WEBHOOK_CRON_PAGE}. */
export async function listBusyWebhooks(db: D1Database, afterId: string): Promise<BusyWebhook[]> {
  const { results } = await db
    .prepare(
      `SELECT webhook_id AS id, min(expires_at) AS expiresAt FROM (
         SELECT webhook_id, expires_at FROM waiting_clicks WHERE webhook_id > ?1
         UNION ALL SELECT webhook_id, sending_until FROM deliveries INDEXED BY deliveries_by_status
           WHERE status = 'sending' AND webhook_id > ?1)
       GROUP BY webhook_id ORDER BY webhook_id LIMIT ?2`,
    )
    .bind(afterId, WEBHOOK_CRON_PAGE)
    .all<BusyWebhook>();
  return results;
}

/** Gives up all pending deliveries of these webhooks. */
export async function giveUpDeliveries(db: D1Database, webhookIds: readonly string[]): Promise<void> {
  const statement = db
    .prepare(
      `UPDATE deliveries SET status = 'failed', due_at = NULL WHERE (event_id, webhook_id) IN (
         SELECT event_id, webhook_id FROM deliveries INDEXED BY deliveries_due
         WHERE webhook_id IN (SELECT value FROM json_each(?1)) AND status = 'pending' LIMIT ?2)
       RETURNING 1 AS changed`,
    )
    .bind(JSON.stringify(webhookIds), CRON_BATCH_ROWS);
  while ((await statement.all()).results.length === CRON_BATCH_ROWS);
}
