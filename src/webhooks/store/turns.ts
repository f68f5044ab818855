import type { Batch, Result } from "../../platform/database/batch.ts";
import { readBody, SELECTED_BODY } from "../../platform/outbox/body.ts";
import { AT_HOST, DUE_DELIVERIES, hostOf, maySend, SENT_DELIVERIES } from "../../platform/outbox/connections.ts";
import type { OutgoingEvent } from "../../platform/outbox/event-types.ts";
import type { LeasedDelivery } from "../../platform/outbox/messages.ts";
import { LONGEST_ATTEMPT_MS } from "../limits.ts";
import { storeWaitingClicks, type WaitingClick } from "./waiting-clicks.ts";
import { STATE_COLUMNS, toState, type Claim, type StateRow, type WebhookState } from "./state.ts";

/** An event of a turn. */
export interface TurnEvent extends OutgoingEvent {
  createdAt: number;
  /** Failed attempts since the retry schedule started. */
  step: number;
}

/** The events of one webhook that a sender attempts at the same time under one lease: clicks of one row, or stored deliveries. */
export interface Turn {
  webhook: WebhookState;
  lease: string;
  events: TurnEvent[];
  /** The clicks of the row that have to wait; null: the events are stored deliveries. */
  remainingClicks: WaitingClick[] | null;
}

/** The result of a claim. */
export interface Claimed {
  /** The webhook of the claim. */
  webhookId: string;
  /** Null: nothing is left to send at the host, or it has no free connection. */
  turn: Turn | null;
  /** A webhook at the host that another sender can send to; null: none. */
  waitingId: string | null;
}

// Parameters: ?1 webhook, ?2 now, ?3 lease.
const HOST = hostOf("(SELECT * FROM webhooks WHERE id = ?1)", "?2");
/** The webhook at the host whose turn is next. The one of the last turn is the last one. */
const NEXT = "SELECT id, free FROM host WHERE waits AND free > 0 ORDER BY id <= ?1, id LIMIT 1";
/** The first turn of a sender: the webhook that it was woken up for is the first one. */
const FIRST = "SELECT id, free FROM host WHERE waits AND free > 0 ORDER BY id < ?1, id LIMIT 1";
const UNTAKEN = `NOT EXISTS (SELECT 1 FROM at_host CROSS JOIN waiting_clicks c ON c.webhook_id = at_host.id AND c.lease = ?3)
  AND NOT EXISTS (SELECT 1 FROM at_host CROSS JOIN ${SENT_DELIVERIES}
    WHERE status = 'sending' AND webhook_id = at_host.id AND lease = ?3)`;

/** SQL for the beginning of a UUIDv7 (RFC 9562, section 5.7) of this time, Unix milliseconds. */
const idAt = (time: string) => `printf('%08x-%04x', ${time} >> 16, ${time} & 65535)`;

/** Takes the next turn. Call it after the statements that record the last one, and the returned function after the commit. */
export function takeTurn(batch: Batch, claim: Claim): () => Promise<Claimed> {
  const { webhookId, now, connections } = claim;
  storeWaitingClicks(batch, webhookId, now);
  if (connections > 0) {
    leaseClicks(batch, claim);
    leaseDeliveries(batch, claim);
  }
  return readTurn(batch, claim);
}

/** Leases the oldest row of clicks, if it is older than the delivery that has been due for the longest time. */
function leaseClicks(batch: Batch, { webhookId, isStart, now, lease, expiresAt, connections }: Claim): void {
  batch.add(
    `WITH ${HOST}, next AS MATERIALIZED (${isStart ? FIRST : NEXT}), due AS (
       SELECT min(due_at) AS at FROM ${DUE_DELIVERIES} WHERE webhook_id = (SELECT id FROM next) AND status = 'pending'), waiting AS (
       SELECT next.id AS webhook_id, min(c.id) AS id, free FROM next JOIN waiting_clicks c ON c.webhook_id = next.id
       WHERE c.expires_at <= ?2 AND ${UNTAKEN}
       HAVING min(c.id) IS NOT NULL AND min(c.id) < coalesce((SELECT ${idAt("at")} FROM due WHERE at IS NOT NULL), 'x'))
     UPDATE waiting_clicks SET lease = ?3, expires_at = ?4, connections = min(?5, free, json_array_length(clicks))
     FROM waiting WHERE waiting_clicks.webhook_id = waiting.webhook_id AND waiting_clicks.id = waiting.id`,
    [webhookId, now, lease, expiresAt, connections],
  );
}

/** Leases the deliveries that have been due for the longest time, unless clicks are leased. */
function leaseDeliveries(batch: Batch, { webhookId, isStart, now, lease, expiresAt, connections }: Claim): void {
  batch.add(
    `WITH ${HOST}, next AS MATERIALIZED (${isStart ? FIRST : NEXT}), due AS (
       SELECT event_id, webhook_id FROM ${DUE_DELIVERIES}
       WHERE webhook_id = (SELECT id FROM next) AND status = 'pending' AND due_at <= ?2 AND ${UNTAKEN}
       ORDER BY due_at LIMIT coalesce((SELECT min(?5, free) FROM next), 0))
     UPDATE deliveries SET status = 'sending', lease = ?3, sending_until = ?4
     FROM due WHERE deliveries.event_id = due.event_id AND deliveries.webhook_id = due.webhook_id`,
    [webhookId, now, lease, expiresAt, connections],
  );
}

/** A webhook with what is leased of it: a row of clicks, or one of the deliveries. */
interface TurnRow extends StateRow {
  sending_until: number | null;
  clicks: string | null;
  connections: number | null;
  event_id: string | null;
  step: number;
  type: OutgoingEvent["type"];
  /** For {@link readBody}. */
  body: string;
  created_at: number;
}

const TURN_COLUMNS = `${STATE_COLUMNS}, d.event_id, d.step, d.type, ${SELECTED_BODY} AS body, d.created_at,
  d.sending_until`;

/** Reads the turn under the lease of the claim, and who else can be sent to. */
export function readTurn(batch: Batch, { webhookId, now, lease }: Claim): () => Promise<Claimed> {
  const turn = batch.add<TurnRow>(
    `SELECT c.clicks, c.connections, ${TURN_COLUMNS}
     FROM ${AT_HOST} LEFT JOIN waiting_clicks c ON c.webhook_id = w.id AND c.lease = ?2
       LEFT JOIN deliveries d INDEXED BY deliveries_by_status ON d.status = 'sending' AND d.webhook_id = w.id AND d.lease = ?2
     WHERE m.id = ?1 AND (c.id IS NOT NULL OR d.event_id IS NOT NULL)`,
    [webhookId, lease],
  );
  const waiting = batch.add<{ id: string }>(`WITH ${HOST} ${NEXT}`, [webhookId, now]);
  return async () => ({
    webhookId,
    turn: await toTurn(turn.rows, lease),
    waitingId: waiting.first?.id ?? null,
  });
}

/**
 * Makes a delivery that its transaction has leased due like others, if the webhook must not be sent to, or if the lease could end during
 * an attempt.
 */
export function endUselessLease(
  batch: Batch,
  webhookId: string,
  { eventId, lease }: LeasedDelivery,
  now: number,
): void {
  batch.add(
    `UPDATE deliveries SET status = 'pending', due_at = ?4, lease = NULL, sending_until = NULL
     WHERE event_id = ?1 AND webhook_id = ?2 AND lease = ?3 AND (
       sending_until < ?5 OR NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.id = ?2 AND ${maySend("?4")}))`,
    [eventId, webhookId, lease, now, now + LONGEST_ATTEMPT_MS],
  );
}

/** Reads the turn of a delivery that its transaction has leased. The turn is null if an attempt could outlast the lease. */
export function readLeasedTurn(
  batch: Batch,
  webhookId: string,
  { eventId, lease }: LeasedDelivery,
): () => Promise<Turn | null> {
  const turn = batch.add<TurnRow>(
    `SELECT NULL AS clicks, ${TURN_COLUMNS} FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
     WHERE d.event_id = ?1 AND d.webhook_id = ?2 AND d.lease = ?3`,
    [eventId, webhookId, lease],
  );
  return async () => {
    // The transaction may have taken long.
    const isInTime = Date.now() + LONGEST_ATTEMPT_MS <= (turn.first?.sending_until ?? 0);
    return isInTime ? toTurn(turn.rows, lease) : null;
  };
}

/** What crashed senders of a webhook had is due, and what was leased for wake-ups that were lost. */
export function endOldLeases(batch: Batch, webhookId: string, now: number): Result<unknown> {
  return batch.add(
    `UPDATE ${SENT_DELIVERIES} SET status = 'pending', due_at = coalesce(due_at, ?2), lease = NULL, sending_until = NULL
     WHERE status = 'sending' AND webhook_id = ?1 AND sending_until <= ?2`,
    [webhookId, now],
  );
}

async function toTurn(rows: readonly TurnRow[], lease: string): Promise<Turn | null> {
  const [row] = rows;
  if (row === undefined) return null;
  const turn = { webhook: toState(row), lease };
  if (row.clicks === null) return { ...turn, events: await Promise.all(rows.map(toEvent)), remainingClicks: null };
  const clicks = JSON.parse(row.clicks) as WaitingClick[];
  const events = clicks.splice(0, row.connections ?? 0);
  return { ...turn, events: events.map(toClickEvent), remainingClicks: clicks };
}

function toClickEvent({ id, body, createdAt }: WaitingClick): TurnEvent {
  return { id, type: "link.click", body, createdAt, step: 0 };
}

async function toEvent({ event_id: id, type, body, created_at: createdAt, step }: TurnRow): Promise<TurnEvent> {
  return { id: id as string, type, body: await readBody(body), createdAt, step };
}
