import type { Batch, Result } from "../../database/batch.ts";
import { MAX_IN_FLIGHT_PER_HOST, MAX_WAITING_CLICK_SLOTS } from "../../limits.ts";

/**
 * Concurrency slots. A slot is a sender's place at the host of a webhook: it has connections for one turn, or waits for them. A
 * slot with clicks ends when these are attempted; the clicks are stored nowhere else. A slot without clicks is for the stored
 * deliveries of its webhook and ends when none is due.
 *
 * A webhook has at most `in_flight_limit` connections, and all webhooks of an account at one host together at most
 * {@link MAX_IN_FLIGHT_PER_HOST}. A sender that ends its turn takes the next one at that host, for the webhook that follows its
 * own in the order of ids. So a busy webhook does not keep the others waiting. The slot of a sender that crashed waits again
 * when its lease ends.
 */

/** A click event in a slot. */
export interface WaitingClick {
  id: string;
  body: string;
  createdAt: number;
}

/** A request for a turn. */
export interface Claim {
  /** The webhook of the sender's last turn, or the one that it starts with. */
  webhookId: string;
  /** The lease of the turn that ends; null: none does. */
  endedLease: string | null;
  /** The lease of the turn that begins. A new one for each claim. */
  lease: string;
  expiresAt: number;
  now: number;
  /** The connections that the sender may use; 0: it takes no further turn. */
  connections: number;
  /** False: the turn is for clicks that are new. */
  takesDeliveries: boolean;
}

// Without the index hint, SQLite may read every delivery of the webhook.
export const DUE_DELIVERIES = "deliveries INDEXED BY deliveries_due";
const MAY_SEND = "w.status = 'active' AND coalesce(w.resume_at, 0) <= ?2";
// The webhooks of the account at the host of the webhook ?1.
export const AT_HOST = "webhooks m JOIN webhooks w ON w.account_id = m.account_id AND w.host = m.host";

/**
 * The webhooks at the host of the webhook ?1, and the connections that each may have in addition to those of the ended turn.
 * Parameters: ?2 now, ?3 lease of the ended turn, ?4 connections that the sender may use.
 */
const HOST = `held AS MATERIALIZED (
    SELECT w.id, w.in_flight_limit, ${MAY_SEND} AS may_send,
      (SELECT coalesce(sum(h.connections), 0) FROM webhook_slots h
        WHERE h.webhook_id = w.id AND h.expires_at > ?2 AND h.lease IS NOT ?3) AS connections
    FROM ${AT_HOST} WHERE m.id = ?1),
  host AS MATERIALIZED (
    SELECT id, may_send,
      min(?4, in_flight_limit - connections, ${MAX_IN_FLIGHT_PER_HOST} - sum(connections) OVER ()) AS free
    FROM held)`;

/** SQL for the number of due deliveries, up to ?4. `webhookId` is SQL. */
const dueCount = (webhookId: string) =>
  `(SELECT count(*) FROM (SELECT 1 FROM ${DUE_DELIVERIES} WHERE webhook_id = ${webhookId} AND due_at <= ?2 LIMIT ?4))`;

const hostValues = ({ webhookId, now, endedLease, connections }: Claim) => [webhookId, now, endedLease, connections];

/** Inserts a slot with clicks if the webhook may be sent to. It gets connections if there are any; otherwise it waits. */
export function insertClickSlot(batch: Batch, claim: Claim, slotId: string, clicks: readonly WaitingClick[]): void {
  batch.add(
    `WITH ${HOST}
     INSERT INTO webhook_slots (webhook_id, id, clicks, connections, lease, expires_at)
     SELECT h.id, ?5, ?6, max(0, min(h.free, json_array_length(?6))), iif(h.free > 0, ?7, NULL), iif(h.free > 0, ?8, 0)
     FROM host h WHERE h.id = ?1 AND h.may_send AND (h.free > 0 OR ${MAX_WAITING_CLICK_SLOTS} >
       (SELECT count(*) FROM webhook_slots s WHERE s.webhook_id = ?1 AND s.clicks IS NOT NULL AND s.expires_at <= ?2))
     ON CONFLICT DO NOTHING`,
    [...hostValues(claim), slotId, JSON.stringify(clicks), claim.lease, claim.expiresAt],
  );
}

/** Selects a row if the slot exists. */
export function selectSlot(batch: Batch, webhookId: string, slotId: string): Result<unknown> {
  return batch.add("SELECT 1 AS found FROM webhook_slots WHERE webhook_id = ?1 AND id = ?2", [webhookId, slotId]);
}

/**
 * Inserts a slot for the deliveries that are due. It gets connections if there are any. Otherwise it waits, unless a slot of
 * this kind exists, whose sender takes these deliveries too.
 */
export function insertDeliverySlot(batch: Batch, claim: Claim, slotId: string): void {
  batch.add(
    `WITH ${HOST}, due AS (SELECT *, ${dueCount("?1")} AS due FROM host WHERE id = ?1 AND may_send)
     INSERT INTO webhook_slots (webhook_id, id, connections, lease, expires_at)
     SELECT d.id, ?5, max(0, min(d.free, d.due)), iif(d.free > 0, ?6, NULL), iif(d.free > 0, ?7, 0)
     FROM due d WHERE d.due > 0 AND NOT EXISTS (SELECT 1 FROM webhook_slots s
       WHERE s.webhook_id = ?1 AND s.clicks IS NULL AND (d.free <= 0 OR s.expires_at <= ?2))
     ON CONFLICT DO NOTHING`,
    [...hostValues(claim), slotId, claim.lease, claim.expiresAt],
  );
}

/** Removes the clicks of a turn from its slot: `remaining` are left. Call it after the statements that the lease fences. */
export function finishClicks(batch: Batch, webhookId: string, lease: string, remaining: readonly WaitingClick[]): void {
  const condition = "WHERE webhook_id = ?1 AND lease = ?2";
  if (remaining.length === 0) batch.add(`DELETE FROM webhook_slots ${condition}`, [webhookId, lease]);
  else batch.add(`UPDATE webhook_slots SET clicks = ?3 ${condition}`, [webhookId, lease, JSON.stringify(remaining)]);
}

/**
 * Ends the turn of `claim.endedLease` and begins another: with a slot that waits at the host, else with the same slot. Slots of
 * deliveries end if none is due. Slots with clicks of a webhook that may not be sent to have a turn too, to store the clicks.
 */
export function claimSlot(batch: Batch, claim: Claim, newSlotId: string): void {
  const { webhookId, now, endedLease, lease, expiresAt } = claim;
  batch.add(
    `DELETE FROM webhook_slots WHERE webhook_id IN (SELECT w.id FROM ${AT_HOST} WHERE m.id = ?1) AND clicks IS NULL
       AND (expires_at <= ?2 OR lease = ?3) AND NOT EXISTS (
         SELECT 1 FROM webhooks w WHERE w.id = webhook_slots.webhook_id AND ${MAY_SEND}
           AND EXISTS (SELECT 1 FROM ${DUE_DELIVERIES} WHERE webhook_id = w.id AND due_at <= ?2))`,
    [webhookId, now, endedLease],
  );
  batch.add(
    `WITH ${HOST}
     UPDATE webhook_slots SET lease = ?5, expires_at = ?6, connections = next.connections FROM (
       SELECT s.webhook_id, s.id, iif(h.may_send,
           min(h.free, iif(s.clicks IS NULL, ${dueCount("s.webhook_id")}, json_array_length(s.clicks))), 1) AS connections
       FROM host h JOIN webhook_slots s ON s.webhook_id = h.id
       WHERE ?4 > 0 AND (s.expires_at <= ?2 OR s.lease = ?3) AND (h.free > 0 OR NOT h.may_send)
       ORDER BY h.id <= ?1, h.id, s.clicks IS NULL AND s.lease IS ?3, s.id LIMIT 1) AS next
     WHERE webhook_slots.webhook_id = next.webhook_id AND webhook_slots.id = next.id
       AND NOT EXISTS (SELECT 1 FROM host h JOIN webhook_slots s ON s.webhook_id = h.id WHERE s.lease = ?5)`,
    [...hostValues(claim), lease, expiresAt],
  );
  // The slot of the ended turn, if another one was chosen. Deliveries then wait behind the clicks that came meanwhile.
  batch.add(
    `UPDATE webhook_slots SET lease = NULL, expires_at = 0, id = iif(clicks IS NULL, ?3, id)
     WHERE webhook_id = ?1 AND lease = ?2`,
    [webhookId, endedLease, newSlotId],
  );
}

/** Selects a webhook at the host that has something to send and a free connection: another sender is of use there. */
export function findWaiting(batch: Batch, { webhookId, now }: Claim): Result<{ id: string }> {
  return batch.add(
    `WITH ${HOST}
     SELECT h.id FROM host h
     WHERE (h.free > 0 OR NOT h.may_send) AND EXISTS (
         SELECT 1 FROM webhook_slots s WHERE s.webhook_id = h.id AND s.expires_at <= ?2 AND (h.may_send OR s.clicks IS NOT NULL))
       OR h.id = ?1 AND h.free > 0 AND h.may_send AND EXISTS (
         SELECT 1 FROM ${DUE_DELIVERIES} WHERE webhook_id = h.id AND due_at <= ?2)
     ORDER BY h.id <= ?1, h.id LIMIT 1`,
    [webhookId, now, null, 1],
  );
}
