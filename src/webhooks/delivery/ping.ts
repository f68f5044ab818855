import { batchWithRetry } from "../../database/retry.ts";
import { newId } from "../../lib/uuid.ts";
import { attempt, type Attempt } from "./attempt.ts";
import type { UrlGuard } from "./url-guard.ts";
import { failureStatement, successStatement } from "../store/health.ts";
import { eventBody } from "../../outbox/statements.ts";
import { toFailure, toAttemptRecord } from "../store/results.ts";
import { maxFailuresOf } from "../config.ts";
import { toSigningTarget, type TargetRow } from "./signing-target.ts";

/** Sends `webhook.test` at once, whatever the webhook's status, and counts it as a delivery. It is not tried again. */
export async function ping(env: Env, webhook: TargetRow, guard: UrlGuard, now: number): Promise<Attempt> {
  const id = newId(now);
  const type = "webhook.test";
  const body = eventBody(type, now, { webhookId: webhook.id });
  const sent = await attempt(await toSigningTarget(webhook, env.ENCRYPTION_KEYS, now), { id, type, body }, guard);
  const db = env.DB;
  const result = { webhookId: webhook.id, eventId: id, lease: null };
  const circumstances = { now: Date.now(), random: Math.random(), maxFailures: maxFailuresOf(env) };
  await batchWithRetry(db, [
    sent.ok
      ? successStatement(db, result, circumstances.now)
      : failureStatement(db, result, toFailure(sent, circumstances)),
    db
      .prepare(
        `INSERT INTO events (id, type, body, webhooks, created_at)
         SELECT ?1, ?2, ?3, json_array(?4), ?5 WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = ?4) ON CONFLICT DO NOTHING`,
      )
      .bind(id, type, body, webhook.id, now),
    db
      .prepare(
        `INSERT INTO deliveries (webhook_id, event_id, status, step, attempts)
         SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = ?1) ON CONFLICT DO NOTHING`,
      )
      .bind(webhook.id, id, sent.ok ? "delivered" : "failed", sent.ok ? 0 : 1, JSON.stringify([toAttemptRecord(sent)])),
  ]);
  return sent;
}
