import { Batch, type Result } from "../../database/batch.ts";
import type { LeasedDelivery } from "../../outbox/messages.ts";
import { readBody, SELECTED_BODY } from "../../outbox/body.ts";
import type { OutgoingEvent } from "../../outbox/event-types.ts";
import type { Webhook } from "../contract.ts";
import { AT_HOST, DUE_DELIVERIES, findWaiting, maySendAt, RESUME_AT, type Claim, type WaitingClick } from "./slots.ts";
import { LONGEST_ATTEMPT_MS } from "../limits.ts";
import { TARGET_COLUMNS, type TargetRow } from "./row.ts";

/** A webhook as its sender sees it. */
export interface WebhookState {
  target: TargetRow;
  status: Webhook["status"];
  disabledAt: number | null;
  /** No attempt is made before this time. */
  resumeAt: number | null;
  /** Whether it is a listener, which keeps its events for polls and has no URL. */
  isListener: boolean;
}

/** An event of a turn. */
export interface TurnEvent extends OutgoingEvent {
  createdAt: number;
  /** Failed attempts since the retry schedule started. */
  step: number;
}

/**
 * A turn of a sender: the events of one webhook that are attempted at the same time, one for each connection of its slot. They
 * are either clicks, which are stored in the slot, or stored deliveries, which are leased.
 */
export interface Turn {
  webhook: WebhookState;
  lease: string;
  /** False: the webhook must not be sent to, and the events are clicks to store as deliveries. */
  maySend: boolean;
  events: TurnEvent[];
  /** The clicks that stay in the slot; null: the events are stored deliveries. */
  remainingClicks: WaitingClick[] | null;
}

/** The result of a claim. */
export interface Claimed {
  /** The webhook of the claim. */
  webhookId: string;
  /** The turn that begins; null: nothing is left to send at the host, or it has no free connection. */
  turn: Turn | null;
  /** A webhook at the host that another sender can send to; null: none. */
  waitingId: string | null;
}

/**
 * Adds the statements that read the turn of a claim, after those that claim its slot. Call the returned function once the batch
 * is committed. This is one transaction: what becomes due at the same moment either belongs to the turn, or finds a free
 * connection, or waits in a slot.
 */
export function readTurn(batch: Batch, claim: Claim): () => Promise<Claimed> {
  const { webhookId } = claim;
  if (claim.takesDeliveries) leaseDeliveries(batch, claim);
  const events = selectTurn(batch, claim);
  const waiting = findWaiting(batch, claim);
  return async () => ({ webhookId, turn: await toTurn(events.rows, claim), waitingId: waiting.first?.id ?? null });
}

/** Leases deliveries for the claimed slot if it has no clicks: those that have been due for the longest time. */
function leaseDeliveries(batch: Batch, { webhookId, now, lease, expiresAt }: Claim): void {
  batch.add(
    `WITH slot AS MATERIALIZED (
       SELECT s.webhook_id, s.connections FROM ${AT_HOST} CROSS JOIN webhook_slots s ON s.webhook_id = w.id
       WHERE m.id = ?1 AND s.lease = ?2 AND s.clicks IS NULL
         AND NOT EXISTS (SELECT 1 FROM ${DUE_DELIVERIES} WHERE webhook_id = w.id AND due_at = ?3 AND lease = ?2))
     UPDATE deliveries SET lease = ?2, due_at = ?3 FROM (
       SELECT event_id, webhook_id FROM ${DUE_DELIVERIES} WHERE webhook_id = (SELECT webhook_id FROM slot) AND due_at <= ?4
       ORDER BY due_at LIMIT coalesce((SELECT connections FROM slot), 0)) AS due
     WHERE deliveries.event_id = due.event_id AND deliveries.webhook_id = due.webhook_id`,
    [webhookId, lease, expiresAt, now],
  );
}

/**
 * Reads the turn of a delivery that its transaction has leased. The delivery is left to turns as any that is due if the webhook must
 * not be sent to, or if the lease could end during the attempt. Returns null then, and if the lease has ended.
 */
export async function readLeasedTurn(
  db: D1Database,
  webhookId: string,
  { eventId, lease }: LeasedDelivery,
): Promise<Turn | null> {
  const now = Date.now();
  const batch = new Batch(db);
  batch.add(
    `UPDATE deliveries SET status = 'pending', due_at = ?4, lease = NULL, sending_until = NULL
     WHERE event_id = ?1 AND webhook_id = ?2 AND lease = ?3 AND (
       sending_until < ?5 OR NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.id = ?2 AND ${maySendAt("?4")}))`,
    [eventId, webhookId, lease, now, now + LONGEST_ATTEMPT_MS],
  );
  const turn = batch.add<TurnRow>(
    `SELECT NULL AS clicks, ${STATE_COLUMNS}, d.event_id, d.step, d.type, ${SELECTED_BODY} AS body, d.created_at
     FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
     WHERE d.event_id = ?1 AND d.webhook_id = ?2 AND d.lease = ?3`,
    [eventId, webhookId, lease],
  );
  await batch.commitWithRetry();
  return toTurn(turn.rows, { lease, now });
}

const STATE_COLUMNS = `${TARGET_COLUMNS.map((column) => `w.${column}`).join(", ")}, w.status, w.disabled_at,
  w.listener_slot IS NOT NULL AS is_listener, ${RESUME_AT} AS resume_at`;

interface StateRow extends TargetRow {
  status: Webhook["status"];
  disabled_at: number | null;
  resume_at: number | null;
  is_listener: 0 | 1;
}

/** The claimed slot and its webhook, with one of its leased deliveries. */
interface TurnRow extends StateRow {
  clicks: string | null;
  connections: number;
  /** Null: the slot has clicks, or no delivery is leased. */
  event_id: string | null;
  step: number;
  type: OutgoingEvent["type"];
  /** For {@link readBody}. */
  body: string;
  created_at: number;
}

/** Selects a row for each delivery that is leased for the claimed slot, or one row if there is none. */
function selectTurn(batch: Batch, { webhookId, lease, expiresAt }: Claim): Result<TurnRow> {
  return batch.add(
    `SELECT s.clicks, s.connections, ${STATE_COLUMNS}, d.event_id, d.step, d.type, ${SELECTED_BODY} AS body, d.created_at
     FROM ${AT_HOST} CROSS JOIN webhook_slots s ON s.webhook_id = w.id
       LEFT JOIN deliveries d INDEXED BY deliveries_due
         ON s.clicks IS NULL AND d.webhook_id = s.webhook_id AND d.due_at = ?3 AND d.lease = ?2
     WHERE m.id = ?1 AND s.lease = ?2`,
    [webhookId, lease, expiresAt],
  );
}

/** Adds a statement that reads a webhook. The returned function returns null if it was deleted. */
export function readWebhook(batch: Batch, webhookId: string): () => WebhookState | null {
  const webhook = batch.add<StateRow>(`SELECT ${STATE_COLUMNS} FROM webhooks w WHERE w.id = ?1`, [webhookId]);
  return () => (webhook.first === undefined ? null : toState(webhook.first));
}

/** When a webhook with failures may be sent to again. */
export interface Backoff {
  status: Webhook["status"];
  /** No attempt is made before this time, because the circuit breaker is open. */
  resumeAt: number | null;
  /** When the first pending delivery is due; null: none is pending. */
  nextDueAt: number | null;
}

/** Adds a statement that reads the backoff of a webhook. The result is empty if the webhook was deleted. */
export function readBackoff(batch: Batch, webhookId: string): Result<Backoff> {
  return batch.add(
    `SELECT w.status, ${RESUME_AT} AS resumeAt,
       (SELECT min(due_at) FROM ${DUE_DELIVERIES} WHERE webhook_id = ?1 AND due_at IS NOT NULL) AS nextDueAt
     FROM webhooks w WHERE w.id = ?1`,
    [webhookId],
  );
}

function toState(row: StateRow): WebhookState {
  const { status, disabled_at: disabledAt, resume_at: resumeAt } = row;
  return { target: row, status, disabledAt, resumeAt, isListener: row.is_listener === 1 };
}

/** Whether attempts are allowed at `now`. */
export function maySend({ status, resumeAt }: WebhookState, now: number): boolean {
  return status === "active" && (resumeAt ?? 0) <= now;
}

async function toTurn(rows: readonly TurnRow[], { lease, now }: Pick<Claim, "lease" | "now">): Promise<Turn | null> {
  const [row] = rows;
  if (row === undefined) return null;
  const webhook = toState(row);
  const turn = { webhook, lease, maySend: maySend(webhook, now) };
  if (row.clicks === null) return { ...turn, events: await Promise.all(rows.flatMap(toEvent)), remainingClicks: null };
  const all = JSON.parse(row.clicks) as WaitingClick[];
  const events = turn.maySend ? all.splice(0, row.connections) : all.splice(0);
  return {
    ...turn,
    events: events.map(({ id, body, createdAt }) => ({ id, type: "link.click", body, createdAt, step: 0 })),
    remainingClicks: all,
  };
}

function toEvent({ event_id: id, type, body, created_at: createdAt, step }: TurnRow): Promise<TurnEvent>[] {
  if (id === null) return [];
  return [readBody(body).then((text) => ({ id, type, body: text, createdAt, step }))];
}
