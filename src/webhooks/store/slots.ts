import type { Batch } from "../../database/batch.ts";
import { CIRCUIT_BREAKER_FAILURES, DELIVERY_LEASE_MS, SLOT_TTL_MS } from "../../limits.ts";
import { readBody } from "../../outbox/body.ts";
import type { OutgoingEvent } from "../../outbox/event-types.ts";
import type { Webhook } from "../contract.ts";
import { SLOT_LIMIT } from "./health.ts";
import { TARGET_COLUMNS, type TargetRow } from "./webhooks.ts";

/**
 * A concurrency slot: a sender's right to send to a webhook, one delivery at a time. The slots of a webhook are limited, so a
 * receiver that hangs cannot occupy all senders. A slot expires, in case its sender crashed.
 */
export interface Slot {
  webhookId: string;
  token: string;
}

/** A webhook as its sender sees it. */
export interface WebhookState {
  target: TargetRow;
  status: Webhook["status"];
  disabledAt: number | null;
  /** With an open circuit breaker, one attempt at a time is made, not before `resumeAt`. */
  circuitOpen: boolean;
  resumeAt: number | null;
  /** When the first pending delivery is due; null: none is pending. */
  nextDueAt: number | null;
  /** Whether this sender has its slot. */
  holdsSlot: boolean;
}

/** A stored delivery, leased to this sender for one attempt. */
export interface LeasedDelivery {
  event: OutgoingEvent;
  /** Failed attempts since the retry schedule started. */
  step: number;
  lease: string;
}

// Without the index hint, SQLite may read every delivery of the webhook.
const DELIVERIES = "deliveries INDEXED BY deliveries_due";
// Parameter: ?3 now.
const SLOTS_IN_USE = "SELECT count(*) FROM webhook_slots s WHERE s.webhook_id = w.id AND s.expires_at > ?3";
const MAY_SEND = "w.status = 'active' AND coalesce(w.resume_at, 0) <= ?3";

/**
 * Acquires a slot if one is free. With `slowSince`, it does not if another slot was acquired by that time: the receiver is slow,
 * and one more sender would only wait as well.
 */
export function acquireSlot(batch: Batch, { webhookId, token }: Slot, now: number, slowSince: number | null): void {
  batch.add("DELETE FROM webhook_slots WHERE webhook_id = ?1 AND expires_at <= ?2", [webhookId, now]);
  batch.add(
    `INSERT INTO webhook_slots (webhook_id, token, acquired_at, expires_at)
     SELECT w.id, ?2, ?3, ?4 FROM webhooks w
     WHERE w.id = ?1 AND ${MAY_SEND} AND (${SLOTS_IN_USE}) < ${SLOT_LIMIT}
       AND NOT EXISTS (SELECT 1 FROM webhook_slots s WHERE s.webhook_id = w.id AND s.acquired_at <= ?5)
     ON CONFLICT DO NOTHING`,
    [webhookId, token, now, now + SLOT_TTL_MS, slowSince ?? -1],
  );
}

/** Commits the batch and keeps the slot. Returns null if the webhook was deleted. */
export async function commitAndKeepSlot(batch: Batch, slot: Slot, now: number): Promise<WebhookState | null> {
  releaseExcessSlot(batch, slot, now);
  return commit(batch, slot);
}

interface Step {
  /** Null: the webhook was deleted. */
  webhook: WebhookState | null;
  /** The next delivery to attempt; null: none is due, or the slot was released. */
  delivery: LeasedDelivery | null;
}

/** Commits the batch and releases the slot. */
export async function commitAndReleaseSlot(batch: Batch, slot: Slot): Promise<Step> {
  batch.add("DELETE FROM webhook_slots WHERE webhook_id = ?1 AND token = ?2", [slot.webhookId, slot.token]);
  return { webhook: await commit(batch, slot), delivery: null };
}

/**
 * Commits the batch and leases the delivery that has been due for the longest time, or releases the slot if none is due. This
 * is one transaction: a delivery that becomes due at the same moment is either leased here or finds a free slot.
 */
export async function commitAndLeaseNext(batch: Batch, slot: Slot, now: number): Promise<Step> {
  const { webhookId, token } = slot;
  const lease = crypto.randomUUID();
  const leasedUntil = now + DELIVERY_LEASE_MS;
  releaseExcessSlot(batch, slot, now);
  batch.add(
    `UPDATE deliveries SET lease = ?3, due_at = ?4
     WHERE webhook_id = ?1 AND event_id = (
         SELECT event_id FROM ${DELIVERIES} WHERE webhook_id = ?1 AND due_at <= ?5 ORDER BY due_at LIMIT 1)
       AND EXISTS (SELECT 1 FROM webhook_slots WHERE webhook_id = ?1 AND token = ?2)
       AND NOT EXISTS (SELECT 1 FROM ${DELIVERIES} WHERE webhook_id = ?1 AND due_at = ?4 AND lease = ?3)`,
    [webhookId, token, lease, leasedUntil, now],
  );
  const leased = batch.add<Omit<OutgoingEvent, "body"> & { step: number; body: string | number[] }>(
    `SELECT d.event_id AS id, d.step, e.type, e.body
     FROM deliveries d INDEXED BY deliveries_due LEFT JOIN events e ON e.id = d.event_id
     WHERE d.webhook_id = ?1 AND d.due_at = ?2 AND d.lease = ?3`,
    [webhookId, leasedUntil, lease],
  );
  batch.add(
    `DELETE FROM webhook_slots WHERE webhook_id = ?1 AND token = ?2 AND NOT EXISTS (
       SELECT 1 FROM ${DELIVERIES} WHERE webhook_id = ?1 AND due_at = ?3 AND lease = ?4)`,
    [webhookId, token, leasedUntil, lease],
  );
  const webhook = await commit(batch, slot);
  if (leased.first === undefined) return { webhook, delivery: null };
  const { step, body, ...event } = leased.first;
  return { webhook, delivery: { event: { ...event, body: await readBody(body) }, step, lease } };
}

/** Releases the slot if the webhook may not be sent to any more, or if its slot limit has fallen. */
function releaseExcessSlot(batch: Batch, { webhookId, token }: Slot, now: number): void {
  batch.add(
    `DELETE FROM webhook_slots WHERE webhook_id = ?1 AND token = ?2 AND NOT EXISTS (
       SELECT 1 FROM webhooks w WHERE w.id = ?1 AND ${MAY_SEND} AND (${SLOTS_IN_USE}) <= ${SLOT_LIMIT})`,
    [webhookId, token, now],
  );
}

interface StateRow extends TargetRow {
  status: Webhook["status"];
  disabled_at: number | null;
  failure_count: number;
  resume_at: number | null;
  next_due_at: number | null;
  holds_slot: 0 | 1;
}

async function commit(batch: Batch, { webhookId, token }: Slot): Promise<WebhookState | null> {
  const state = batch.add<StateRow>(
    `SELECT ${TARGET_COLUMNS}, w.status, w.disabled_at, w.failure_count, w.resume_at,
       (SELECT min(due_at) FROM ${DELIVERIES} WHERE webhook_id = w.id AND due_at IS NOT NULL) AS next_due_at,
       EXISTS (SELECT 1 FROM webhook_slots WHERE webhook_id = w.id AND token = ?2) AS holds_slot
     FROM webhooks w WHERE w.id = ?1`,
    [webhookId, token],
  );
  await batch.commitWithRetry();
  return state.first === undefined ? null : toState(state.first);
}

function toState(row: StateRow): WebhookState {
  return {
    target: row,
    status: row.status,
    disabledAt: row.disabled_at,
    circuitOpen: row.failure_count >= CIRCUIT_BREAKER_FAILURES,
    resumeAt: row.resume_at,
    nextDueAt: row.next_due_at,
    holdsSlot: row.holds_slot === 1,
  };
}
