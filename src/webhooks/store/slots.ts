import { batchWithRetry } from "../../database/retry.ts";
import { DELIVERY_LEASE_MS, LANE_TTL_MS } from "../../limits.ts";
import type { OutgoingEvent } from "../delivery/attempt.ts";
import type { EventType } from "../../outbox/event-types.ts";
import { LANES_ALLOWED } from "./health.ts";
import { TARGET_COLUMNS, type TargetRow } from "../delivery/signing-target.ts";

/**
 * A lane is one sender's right to send to a webhook, one delivery after the other. How many lanes a webhook has
 * is bounded, so a receiver that hangs cannot take all senders. It ends by itself, for the case that its sender does.
 */
export interface Slot {
  webhookId: string;
  token: string;
}

/** What a sender needs to know of a webhook. */
export interface WebhookState extends TargetRow {
  status: "active" | "inactive";
  disabled_at: number | null;
  failure_count: number;
  resume_at: number | null;
  /** The first pending delivery's. */
  next_due: number | null;
  /** Whether this sender has its lane. */
  is_open: 0 | 1;
}

/** A stored delivery that this sender, and no other, is to attempt. */
export interface Claim {
  event: OutgoingEvent;
  step: number;
  lease: string;
}

// Left to itself, the database may read all that the webhook ever had.
const DUE = "deliveries INDEXED BY deliveries_due";
const OPEN_LANES = "SELECT count(*) FROM webhook_lanes l WHERE l.webhook_id = w.id AND l.expires_at > ?3";
const MAY_SEND = "w.status = 'active' AND coalesce(w.resume_at, 0) <= ?3";

/**
 * Opens a lane if there is one free. With `unlessSlowSince`, not beside a lane that was opened before that time:
 * its receiver is slow, and more senders would only wait with it.
 */
export function openStatements(
  db: D1Database,
  lane: Slot,
  now: number,
  unlessSlowSince: number | null,
): D1PreparedStatement[] {
  return [
    db.prepare("DELETE FROM webhook_lanes WHERE webhook_id = ?1 AND expires_at <= ?2").bind(lane.webhookId, now),
    db
      .prepare(
        `INSERT INTO webhook_lanes (webhook_id, token, opened_at, expires_at)
         SELECT w.id, ?2, ?3, ?4 FROM webhooks w
         WHERE w.id = ?1 AND ${MAY_SEND} AND (${OPEN_LANES}) < ${LANES_ALLOWED}
           AND NOT EXISTS (SELECT 1 FROM webhook_lanes l WHERE l.webhook_id = w.id AND l.opened_at <= ?5)
         ON CONFLICT DO NOTHING`,
      )
      .bind(lane.webhookId, lane.token, now, now + LANE_TTL_MS, unlessSlowSince ?? -1),
  ];
}

/** Closes the lane if its webhook may have no more, or only fewer, for the failures in the meantime. */
function closeIfTooMany(db: D1Database, lane: Slot, now: number): D1PreparedStatement {
  return db
    .prepare(
      `DELETE FROM webhook_lanes WHERE webhook_id = ?1 AND token = ?2 AND NOT EXISTS (
         SELECT 1 FROM webhooks w WHERE w.id = ?1 AND ${MAY_SEND} AND (${OPEN_LANES}) <= ${LANES_ALLOWED})`,
    )
    .bind(lane.webhookId, lane.token, now);
}

/**
 * Takes the delivery that has been due the longest, for the time of a lease, or closes the lane where none is due;
 * in one transaction, so that what falls due at this moment either is seen here or finds the lane free.
 */
function claimStatements(db: D1Database, lane: Slot, lease: string, now: number): D1PreparedStatement[] {
  return [
    db
      .prepare(
        `UPDATE deliveries SET lease = ?3, due_at = ?4
         WHERE webhook_id = ?1 AND event_id = (
             SELECT event_id FROM ${DUE} WHERE webhook_id = ?1 AND due_at <= ?5 ORDER BY due_at LIMIT 1)
           AND EXISTS (SELECT 1 FROM webhook_lanes WHERE webhook_id = ?1 AND token = ?2)
           AND NOT EXISTS (SELECT 1 FROM ${DUE} WHERE webhook_id = ?1 AND due_at = ?4 AND lease = ?3)`,
      )
      .bind(lane.webhookId, lane.token, lease, now + DELIVERY_LEASE_MS, now),
    db
      .prepare(
        `SELECT d.event_id, d.step, e.type, e.body FROM deliveries d INDEXED BY deliveries_due LEFT JOIN events e ON e.id = d.event_id
         WHERE d.webhook_id = ?1 AND d.due_at = ?2 AND d.lease = ?3`,
      )
      .bind(lane.webhookId, now + DELIVERY_LEASE_MS, lease),
    db
      .prepare(
        `DELETE FROM webhook_lanes WHERE webhook_id = ?1 AND token = ?2 AND NOT EXISTS (
           SELECT 1 FROM ${DUE} WHERE webhook_id = ?1 AND due_at = ?3 AND lease = ?4)`,
      )
      .bind(lane.webhookId, lane.token, now + DELIVERY_LEASE_MS, lease),
  ];
}

function closeStatement(db: D1Database, lane: Slot): D1PreparedStatement {
  return db.prepare("DELETE FROM webhook_lanes WHERE webhook_id = ?1 AND token = ?2").bind(lane.webhookId, lane.token);
}

function stateStatement(db: D1Database, lane: Slot): D1PreparedStatement {
  return db
    .prepare(
      `SELECT ${TARGET_COLUMNS}, w.status, w.disabled_at, w.failure_count, w.resume_at,
         (SELECT min(due_at) FROM ${DUE} WHERE webhook_id = w.id AND due_at IS NOT NULL) AS next_due,
         EXISTS (SELECT 1 FROM webhook_lanes WHERE webhook_id = w.id AND token = ?2) AS is_open
       FROM webhooks w WHERE w.id = ?1`,
    )
    .bind(lane.webhookId, lane.token);
}

export interface Step {
  /** Undefined: the webhook was deleted. */
  state: WebhookState | undefined;
  claim: Claim | null;
}

/** What comes after `statements`: the next delivery of the lane, nothing (it keeps the lane for clicks), or its end. */
export type Next = "claim" | "keep" | "close";

/** Runs the statements and what comes next in one transaction. */
export async function runStep(
  db: D1Database,
  lane: Slot,
  statements: D1PreparedStatement[],
  next: Next,
  now: number,
): Promise<Step> {
  const lease = crypto.randomUUID();
  const following = {
    claim: () => [closeIfTooMany(db, lane, now), ...claimStatements(db, lane, lease, now)],
    keep: () => [closeIfTooMany(db, lane, now)],
    close: () => [closeStatement(db, lane)],
  }[next]();
  const all = [...statements, ...following, stateStatement(db, lane)];
  const results = await batchWithRetry(db, all);
  const state = results.at(-1)?.results[0] as unknown as WebhookState | undefined;
  const row = next === "claim" ? (results.at(-3)?.results[0] as unknown as ClaimRow | undefined) : undefined;
  return { state, claim: row === undefined ? null : toClaim(row, lease) };
}

interface ClaimRow {
  event_id: string;
  step: number;
  type: EventType;
  body: string;
}

function toClaim({ event_id, step, type, body }: ClaimRow, lease: string): Claim {
  return { event: { id: event_id, type, body }, step, lease };
}
