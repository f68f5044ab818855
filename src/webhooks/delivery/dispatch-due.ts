import type { ServiceContext } from "../../context.ts";
import {
  CRON_BATCH_ROWS,
  DELIVERY_RETENTION_MS,
  WEBHOOK_CRON_PAGE,
  WEBHOOK_HOLD_MS,
  WEBHOOK_REWAKE_MS,
} from "../../limits.ts";
import { notifyWebhooks } from "../../outbox/messages.ts";

/** What the cron does for webhooks. */

/** A webhook with pending deliveries. */
interface PendingRow {
  webhook_id: string;
  /** Null: deleted. */
  status: "active" | "inactive" | null;
  disabled_at: number | null;
  resume_at: number | null;
  woken_until: number | null;
  due_at: number;
}

// From one webhook to the next by the index: a read for each, however many deliveries it has.
const PENDING = `WITH RECURSIVE pending (webhook_id, n) AS (
    SELECT (SELECT min(webhook_id) FROM deliveries INDEXED BY deliveries_due WHERE due_at IS NOT NULL AND webhook_id > ?1), 1
    UNION ALL
    SELECT (SELECT min(d.webhook_id) FROM deliveries d INDEXED BY deliveries_due
        WHERE d.due_at IS NOT NULL AND d.webhook_id > pending.webhook_id), n + 1
      FROM pending WHERE pending.webhook_id IS NOT NULL AND n < ?2)
  SELECT p.webhook_id, w.status, w.disabled_at, w.resume_at, w.woken_until,
    (SELECT min(d.due_at) FROM deliveries d INDEXED BY deliveries_due
      WHERE d.webhook_id = p.webhook_id AND d.due_at IS NOT NULL) AS due_at
  FROM pending p LEFT JOIN webhooks w ON w.id = p.webhook_id WHERE p.webhook_id IS NOT NULL`;

/**
 * Wakes every webhook that has something due which no message has woken, and gives up what was held too long or
 * belongs to a webhook that is gone. Answers how many were woken.
 */
export async function dispatchDueWebhooks({ env, now }: ServiceContext): Promise<number> {
  const { DB: db, DELIVERIES: queue } = env;
  let woken = 0;
  for (let after = ""; ;) {
    const { results } = await db.prepare(PENDING).bind(after, WEBHOOK_CRON_PAGE).all<PendingRow>();
    const due = results.filter((row) => isDue(row, now)).map((row) => row.webhook_id);
    if (due.length > 0 && (await notifyWebhooks(queue, due))) {
      await db
        .prepare("UPDATE webhooks SET woken_until = ?2 WHERE id IN (SELECT value FROM json_each(?1))")
        .bind(JSON.stringify(due), now + WEBHOOK_REWAKE_MS)
        .run();
      woken += due.length;
    }
    const lost = results.filter((row) => isLost(row, now)).map((row) => row.webhook_id);
    if (lost.length > 0) await giveUp(db, lost);
    const last = results.at(-1);
    if (last === undefined || results.length < WEBHOOK_CRON_PAGE) return woken;
    after = last.webhook_id;
  }
}

function isDue({ status, due_at, resume_at, woken_until }: PendingRow, now: number): boolean {
  return status === "active" && Math.max(due_at, resume_at ?? 0, woken_until ?? 0) <= now;
}

function isLost({ status, disabled_at }: PendingRow, now: number): boolean {
  return status === null || (status === "inactive" && (disabled_at ?? 0) <= now - WEBHOOK_HOLD_MS);
}

async function giveUp(db: D1Database, webhookIds: readonly string[]): Promise<void> {
  for (;;) {
    const { results } = await db
      .prepare(
        `UPDATE deliveries SET status = 'failed', due_at = NULL, lease = NULL WHERE (webhook_id, event_id) IN (
           SELECT webhook_id, event_id FROM deliveries INDEXED BY deliveries_due
           WHERE webhook_id IN (SELECT value FROM json_each(?1)) AND due_at IS NOT NULL LIMIT ?2)
         RETURNING 1 AS changed`,
      )
      .bind(JSON.stringify(webhookIds), CRON_BATCH_ROWS)
      .all();
    if (results.length < CRON_BATCH_ROWS) return;
  }
}

/** Deletes events past their time with their deliveries, some at once; answers how many. */
export async function deleteOldEvents({ env, now }: ServiceContext): Promise<number> {
  const oldest = firstIdOf(now - DELIVERY_RETENTION_MS);
  const old = "SELECT id FROM events WHERE id < ?1 ORDER BY id LIMIT ?2";
  const [, forgotten] = await env.DB.batch([
    env.DB.prepare(
      `DELETE FROM deliveries WHERE (webhook_id, event_id) IN (
           SELECT j.value, e.id FROM events e, json_each(e.webhooks) j WHERE e.id IN (${old}))`,
    ).bind(oldest, CRON_BATCH_ROWS),
    env.DB.prepare(`DELETE FROM events WHERE id IN (${old}) RETURNING 1 AS forgotten`).bind(oldest, CRON_BATCH_ROWS),
  ]);
  return forgotten?.results.length ?? 0;
}

/** Ids (UUID version 7) of this millisecond and later are not less than this. */
export function firstIdOf(time: number): string {
  const hex = Math.max(0, time).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
