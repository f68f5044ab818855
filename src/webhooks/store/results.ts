import { CLICK_LOG_RESOLUTION_MS, MAX_KEPT_ATTEMPTS, MAX_KEPT_CLICK_DELIVERIES } from "../../limits.ts";
import type { Attempt, AttemptRecord } from "../delivery/attempt.ts";
import { clicksSuccessStatement, failureStatement, successStatement, type Result } from "./health.ts";
import type { ClickEventMessage } from "../../outbox/messages.ts";
import { nextAttempt, retryDelays, type Failure } from "../delivery/schedule.ts";

/** What is written of an attempt. All statements do nothing when they are repeated. */

/** A click that was delivered at its first attempt. */
export interface DeliveredClick {
  id: string;
  createdAt: number;
  attempt: AttemptRecord;
}

export interface Recorded {
  statements: D1PreparedStatement[];
  /** When this delivery is due again; null: it is done, or given up. */
  dueAt: number | null;
}

/** What failed attempts need to know besides: `random` is from 0 to 1. */
export interface Circumstances {
  now: number;
  random: number;
  maxFailures: number;
}

export function toFailure(attempt: Attempt, { now, random, maxFailures }: Circumstances): Failure {
  return { now, delays: retryDelays(random, attempt.retryAfterMs), gone: attempt.gone, maxFailures };
}

/** The result of an attempt of a stored delivery, fenced by its lease. `step` is the number of failures before it. */
export function recordStored(
  db: D1Database,
  result: Result & { type: string; step: number },
  attempt: Attempt,
  circumstances: Circumstances,
): Recorded {
  const { now } = circumstances;
  if (attempt.ok) {
    const delivered = updateDelivery(db, result, { status: "delivered", dueAt: null, step: result.step }, attempt);
    const cleared = result.type === "link.click" ? moveToClickLog(db, result) : [];
    return { statements: [successStatement(db, result, now), delivered, ...cleared], dueAt: null };
  }
  const failure = toFailure(attempt, circumstances);
  const step = result.step + 1;
  const dueAt = nextAttempt(step, now, failure.delays);
  const failed = updateDelivery(db, result, { status: dueAt === null ? "failed" : "pending", dueAt, step }, attempt);
  return { statements: [failureStatement(db, result, failure), failed], dueAt };
}

interface Outcome {
  status: "pending" | "delivered" | "failed";
  dueAt: number | null;
  step: number;
}

function updateDelivery(db: D1Database, result: Result, { status, dueAt, step }: Outcome, attempt: Attempt) {
  return db
    .prepare(
      `UPDATE deliveries SET status = ?4, due_at = ?5, step = ?6, lease = NULL, attempts = (
         SELECT json_group_array(json(value)) FROM (
           SELECT value FROM (
             SELECT -1 AS key, json(?7) AS value UNION ALL SELECT key, value FROM json_each(attempts))
           ORDER BY key LIMIT ${MAX_KEPT_ATTEMPTS}))
       WHERE webhook_id = ?1 AND event_id = ?2 AND lease = ?3`,
    )
    .bind(
      result.webhookId,
      result.eventId,
      result.lease,
      status,
      dueAt,
      step,
      JSON.stringify(toAttemptRecord(attempt)),
    );
}

/** The first attempt of a click has failed: from now on it is a delivery like others. */
export function recordClickFailure(
  db: D1Database,
  click: ClickEventMessage,
  attempt: Attempt,
  circumstances: Circumstances,
): Recorded {
  const result: Result = { webhookId: click.webhookId, eventId: click.eventId, lease: null };
  const failure = toFailure(attempt, circumstances);
  const dueAt = nextAttempt(1, circumstances.now, failure.delays);
  const stored = storeClick(db, click, {
    dueAt: dueAt ?? circumstances.now,
    step: 1,
    attempts: [toAttemptRecord(attempt)],
  });
  return { statements: [failureStatement(db, result, failure), ...stored], dueAt };
}

/** Stores a click as a delivery, with its body. */
export function storeClick(
  db: D1Database,
  click: ClickEventMessage,
  delivery: { dueAt: number; lease?: string; step?: number; attempts?: AttemptRecord[] },
): D1PreparedStatement[] {
  return [
    db
      .prepare(
        `INSERT INTO events (id, type, body, webhooks, created_at)
         SELECT ?1, 'link.click', ?2, json_array(?3), ?4 WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = ?3)
         ON CONFLICT (id) DO UPDATE SET webhooks = json_insert(webhooks, '$[#]', ?3)
           WHERE instr(webhooks, ?3) = 0 AND type = 'link.click'`,
      )
      .bind(click.eventId, click.body, click.webhookId, click.createdAt),
    db
      .prepare(
        `INSERT INTO deliveries (webhook_id, event_id, status, due_at, lease, step, attempts)
         SELECT ?1, ?2, 'pending', ?3, ?4, ?5, ?6 WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = ?1)
         ON CONFLICT DO NOTHING`,
      )
      .bind(
        click.webhookId,
        click.eventId,
        delivery.dueAt,
        delivery.lease ?? null,
        delivery.step ?? 0,
        JSON.stringify(delivery.attempts ?? []),
      ),
  ];
}

/** A click that was delivered in the end is kept like one that was delivered at once. */
function moveToClickLog(db: D1Database, { webhookId, eventId }: Result): D1PreparedStatement[] {
  const delivered = "FROM deliveries WHERE webhook_id = ?1 AND event_id = ?2 AND status = 'delivered'";
  return [
    db
      .prepare(
        `INSERT INTO click_deliveries (webhook_id, entries)
         SELECT ?1, json_array(json_object('id', event_id, 'createdAt', (SELECT created_at FROM events WHERE id = ?2),
           'attempts', json(attempts))) ${delivered}
         ON CONFLICT (webhook_id) DO UPDATE SET entries = ${merged("excluded.entries")}`,
      )
      .bind(webhookId, eventId),
    db.prepare(`DELETE ${delivered}`).bind(webhookId, eventId),
    db
      .prepare(
        `DELETE FROM events WHERE id = ?1 AND type = 'link.click' AND NOT EXISTS (
           SELECT 1 FROM json_each(webhooks) j JOIN deliveries d ON d.webhook_id = j.value AND d.event_id = ?1)`,
      )
      .bind(eventId),
  ];
}

/** Clicks that were delivered at once: two rows at most, however many they are, and none where all is said already. */
export function recordClicks(
  db: D1Database,
  webhookId: string,
  clicks: readonly DeliveredClick[],
  now: number,
): D1PreparedStatement[] {
  if (clicks.length === 0) return [];
  const entries = clicks.map(({ id, createdAt, attempt }) => ({ id, createdAt, attempts: [toAttemptRecord(attempt)] }));
  return [
    clicksSuccessStatement(db, webhookId, now, CLICK_LOG_RESOLUTION_MS),
    db
      .prepare(
        `INSERT INTO click_deliveries (webhook_id, entries)
         SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = ?1)
         ON CONFLICT (webhook_id) DO UPDATE SET entries = ${merged("excluded.entries")}`,
      )
      .bind(webhookId, JSON.stringify(entries)),
  ];
}

/** The kept entries with the new ones, each once, the newest first. */
function merged(added: string): string {
  return `(SELECT json_group_array(json(entry)) FROM (
    SELECT value ->> 'id' AS id, value AS entry FROM (
      SELECT value FROM json_each(${added}) UNION ALL SELECT value FROM json_each(click_deliveries.entries))
    GROUP BY id ORDER BY id DESC LIMIT ${MAX_KEPT_CLICK_DELIVERIES}))`;
}

export function toAttemptRecord({ at, status, statusText, durationMs }: AttemptRecord): AttemptRecord {
  return { at, status, statusText, durationMs };
}
