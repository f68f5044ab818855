import type { Batch, Result } from "../../database/batch.ts";
import { readBody, SELECTED_BODY } from "../../outbox/body.ts";
import type { OutgoingEvent } from "../../outbox/event-types.ts";
import type { Webhook } from "../contract.ts";
import { AT_HOST, DUE_DELIVERIES, findWaiting, type Claim, type WaitingClick } from "./slots.ts";
import { TARGET_COLUMNS, type TargetRow } from "./webhooks.ts";

/** A webhook as its sender sees it. */
export interface WebhookState {
  target: TargetRow;
  status: Webhook["status"];
  disabledAt: number | null;
  /** No attempt is made before this time, because the circuit breaker is open. */
  resumeAt: number | null;
  /** When the first pending delivery is due; null: none is pending. */
  nextDueAt: number | null;
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
  /** The turn that begins; null: nothing is left to send at the host, or it has no free connection. */
  turn: Turn | null;
  /** The webhook of the claim as it is now; null: it was deleted. */
  webhook: WebhookState | null;
  /** A webhook at the host that another sender can send to; null: none. */
  waitingId: string | null;
}

/**
 * Adds the statements that read the turn of a claim, after those that claim its slot. Call the returned function once the batch
 * is committed. This is one transaction: what becomes due at the same moment either belongs to the turn, or finds a free
 * connection, or waits in a slot.
 */
export function readTurn(batch: Batch, claim: Claim): () => Promise<Claimed> {
  const { webhookId, lease } = claim;
  const deliveries = claim.takesDeliveries ? leaseDeliveries(batch, claim) : null;
  const slot = batch.add<SlotRow>(
    `SELECT s.clicks, s.connections, ${STATE_COLUMNS} FROM ${AT_HOST} JOIN webhook_slots s ON s.webhook_id = w.id
     WHERE m.id = ?1 AND s.lease = ?2`,
    [webhookId, lease],
  );
  const webhook = batch.add<StateRow>(`SELECT ${STATE_COLUMNS} FROM webhooks w WHERE w.id = ?1`, [webhookId]);
  const waiting = findWaiting(batch, claim);
  return async () => ({
    turn: slot.first === undefined ? null : await toTurn(slot.first, deliveries?.rows ?? [], claim),
    webhook: webhook.first === undefined ? null : toState(webhook.first),
    waitingId: waiting.first?.id ?? null,
  });
}

// A column of the claimed slot if it has no clicks. Parameters: ?1 webhook of the claim, ?2 lease.
const leasedSlot = (column: string): string =>
  `(SELECT s.${column} FROM ${AT_HOST} JOIN webhook_slots s ON s.webhook_id = w.id
    WHERE m.id = ?1 AND s.lease = ?2 AND s.clicks IS NULL)`;

/**
 * Leases deliveries for the claimed slot if it has no clicks: those that have been due for the longest time. Their bodies are
 * read by {@link readBody}.
 */
function leaseDeliveries(batch: Batch, { webhookId, now, lease, expiresAt }: Claim): Result<TurnEvent> {
  batch.add(
    `UPDATE deliveries SET lease = ?2, due_at = ?3
     WHERE webhook_id = ${leasedSlot("webhook_id")} AND event_id IN (
         SELECT event_id FROM ${DUE_DELIVERIES} WHERE webhook_id = ${leasedSlot("webhook_id")} AND due_at <= ?4
         ORDER BY due_at LIMIT coalesce(${leasedSlot("connections")}, 0))
       AND NOT EXISTS (
         SELECT 1 FROM ${DUE_DELIVERIES} WHERE webhook_id = ${leasedSlot("webhook_id")} AND due_at = ?3 AND lease = ?2)`,
    [webhookId, lease, expiresAt, now],
  );
  return batch.add(
    `SELECT d.event_id AS id, d.step, e.type, ${SELECTED_BODY} AS body, e.created_at AS createdAt
     FROM deliveries d INDEXED BY deliveries_due LEFT JOIN events e ON e.id = d.event_id
     WHERE d.webhook_id = ${leasedSlot("webhook_id")} AND d.due_at = ?3 AND d.lease = ?2`,
    [webhookId, lease, expiresAt],
  );
}

const STATE_COLUMNS = `${TARGET_COLUMNS.map((column) => `w.${column}`).join(", ")}, w.status, w.disabled_at, w.resume_at,
  (SELECT min(due_at) FROM ${DUE_DELIVERIES} WHERE webhook_id = w.id AND due_at IS NOT NULL) AS next_due_at`;

interface StateRow extends TargetRow {
  status: Webhook["status"];
  disabled_at: number | null;
  resume_at: number | null;
  next_due_at: number | null;
}

interface SlotRow extends StateRow {
  clicks: string | null;
  connections: number;
}

function toState(row: StateRow): WebhookState {
  return {
    target: row,
    status: row.status,
    disabledAt: row.disabled_at,
    resumeAt: row.resume_at,
    nextDueAt: row.next_due_at,
  };
}

/** Whether attempts are allowed at `now`. */
export function maySend({ status, resumeAt }: WebhookState, now: number): boolean {
  return status === "active" && (resumeAt ?? 0) <= now;
}

async function toTurn(
  { clicks, connections, ...row }: SlotRow,
  deliveries: readonly TurnEvent[],
  { lease, now }: Claim,
): Promise<Turn> {
  const webhook = toState(row);
  const turn = { webhook, lease, maySend: maySend(webhook, now) };
  if (clicks === null) {
    const events = deliveries.map(async (row) => ({ ...row, body: await readBody(row.body) }));
    return { ...turn, events: await Promise.all(events), remainingClicks: null };
  }
  const all = JSON.parse(clicks) as WaitingClick[];
  const events = turn.maySend ? all.splice(0, connections) : all.splice(0);
  return {
    ...turn,
    events: events.map(({ id, body, createdAt }) => ({ id, type: "link.click", body, createdAt, step: 0 })),
    remainingClicks: all,
  };
}
