import type { Batch, Result } from "../../database/batch.ts";
import { isDeletedAccount } from "../../database/account-states.ts";
import { MAX_IN_FLIGHT_PER_HOST, MAX_TIMESTAMP_MS } from "../../limits.ts";
import { MAX_WAITING_CLICK_SLOTS } from "../limits.ts";

/**
 * Concurrency slots. A slot is a sender's place at the host of a webhook. It is in one of three states:
 *
 * - It waits for a free connection: `lease` is NULL.
 * - It has a turn: a sender attempts as many events as the slot has `connections`, under a lease that is new in each turn.
 * - Its lease has ended, because the sender crashed. It waits again.
 *
 * A slot with clicks ends when these are attempted; the clicks are stored nowhere else. A slot without clicks is for the stored
 * deliveries of its webhook and ends when none is due.
 *
 * A webhook has at most `in_flight_limit` connections, and all webhooks of an account at one host together at most
 * {@link MAX_IN_FLIGHT_PER_HOST}. A sender that ends its turn takes the next one at that host, for the webhook that follows its
 * own in the order of ids. So a busy webhook does not keep the others waiting.
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
// The webhooks `w` of the account at the host of the webhook `m`.
export const AT_HOST = "webhooks m CROSS JOIN webhooks w ON w.account_id = m.account_id AND w.host = m.host";

/**
 * SQL for the time before which the webhook `w` is not sent to: while the circuit breaker is open, and as long as its account is
 * deleted.
 */
export const RESUME_AT = `iif(${isDeletedAccount("w.account_id")}, ${MAX_TIMESTAMP_MS}, w.resume_at)`;

/** SQL for whether the webhook `w` is sent to at the time `now`, which is SQL. */
export const maySendAt = (now: string) => `w.status = 'active' AND coalesce(${RESUME_AT}, 0) <= ${now}`;
const MAY_SEND = maySendAt("?2");

/**
 * The CTEs with which the statements about connections begin. The last one, `host`, has a row for each webhook of the account at
 * the host of ?1: its `id`, whether it `may_send`, and its `free` connections, those that it may have in addition. Connections
 * are in use by slots, and by each delivery whose first attempt is made by the isolate that stored it.
 *
 * Parameters: ?1 webhook, ?2 now, ?3 the lease of the turn that ends (its slot uses no connections any more), ?4 the connections
 * that the sender has for it.
 */
const HOST = `
  at_host AS MATERIALIZED (
    SELECT w.id, w.in_flight_limit, ${MAY_SEND} AS may_send,
      (SELECT coalesce(sum(connections), 0) FROM webhook_slots
        WHERE webhook_id = w.id AND expires_at > ?2 AND lease IS NOT ?3)
      + (SELECT count(*) FROM deliveries INDEXED BY deliveries_by_status
        WHERE status = 'sending' AND webhook_id = w.id AND sending_until > ?2) AS in_use
    FROM ${AT_HOST} WHERE m.id = ?1),
  host AS MATERIALIZED (
    SELECT id, may_send,
      min(?4, in_flight_limit - in_use, ${MAX_IN_FLIGHT_PER_HOST} - (SELECT sum(in_use) FROM at_host)) AS free
    FROM at_host)`;

const hostValues = ({ webhookId, now, endedLease, connections }: Claim) => [webhookId, now, endedLease, connections];

/** Inserts a slot with clicks if the webhook may be sent to. It gets connections if there are any; otherwise it waits. */
export function insertClickSlot(batch: Batch, claim: Claim, slotId: string, clicks: readonly WaitingClick[]): void {
  batch.add(
    `WITH ${HOST}
     INSERT INTO webhook_slots (webhook_id, id, clicks, connections, lease, expires_at)
     SELECT id, ?5, ?6, max(0, min(free, json_array_length(?6))), iif(free > 0, ?7, NULL), iif(free > 0, ?8, 0)
     FROM host
     WHERE id = ?1 AND may_send AND (free > 0 OR ${MAX_WAITING_CLICK_SLOTS} > (
       SELECT count(*) FROM webhook_slots WHERE webhook_id = ?1 AND clicks IS NOT NULL AND expires_at <= ?2))
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
    `WITH ${HOST},
       due AS MATERIALIZED (
         SELECT count(*) AS deliveries FROM (
           SELECT 1 FROM ${DUE_DELIVERIES} WHERE webhook_id = ?1 AND due_at <= ?2 LIMIT ?4))
     INSERT INTO webhook_slots (webhook_id, id, connections, lease, expires_at)
     SELECT id, ?5, max(0, min(free, deliveries)), iif(free > 0, ?6, NULL), iif(free > 0, ?7, 0)
     FROM host, due
     WHERE id = ?1 AND may_send AND deliveries > 0 AND NOT EXISTS (
       SELECT 1 FROM webhook_slots WHERE webhook_id = ?1 AND clicks IS NULL AND (free <= 0 OR expires_at <= ?2))
     ON CONFLICT DO NOTHING`,
    [...hostValues(claim), slotId, claim.lease, claim.expiresAt],
  );
}

/** Removes the clicks of a turn from its slot: `remaining` are left. Call it after the statements that the lease fences. */
export function finishClicks(batch: Batch, webhookId: string, lease: string, remaining: readonly WaitingClick[]): void {
  if (remaining.length === 0)
    batch.add("DELETE FROM webhook_slots WHERE webhook_id = ?1 AND lease = ?2", [webhookId, lease]);
  else
    batch.add("UPDATE webhook_slots SET clicks = ?3 WHERE webhook_id = ?1 AND lease = ?2", [
      webhookId,
      lease,
      JSON.stringify(remaining),
    ]);
}

/**
 * Ends the turn of `claim.endedLease` and begins another: with a slot that waits at the host, else with the same slot. A slot
 * without clicks ends if no delivery of its webhook is due. Slots of a webhook that may not be sent to have a turn too: clicks
 * are stored in it, and the others end after it.
 */
export function claimSlot(batch: Batch, claim: Claim, newSlotId: string): void {
  endIdleSlots(batch, claim);
  claimNextSlot(batch, claim);
  if (claim.endedLease !== null) freeEndedSlot(batch, claim.webhookId, claim.endedLease, newSlotId);
}

/** Deletes the slots of the webhook that wait for deliveries while none of its deliveries is due. */
function endIdleSlots(batch: Batch, { webhookId, now, endedLease }: Claim): void {
  batch.add(
    `DELETE FROM webhook_slots
     WHERE webhook_id = ?1 AND clicks IS NULL AND (expires_at <= ?2 OR lease = ?3) AND NOT EXISTS (
       SELECT 1 FROM webhooks w WHERE w.id = ?1 AND ${MAY_SEND}
         AND EXISTS (SELECT 1 FROM ${DUE_DELIVERIES} WHERE webhook_id = ?1 AND due_at <= ?2))`,
    [webhookId, now, endedLease],
  );
}

/** Leases the slot whose turn is next. The webhook's own slot is the last one of its webhook, and its webhook the last one. */
function claimNextSlot(batch: Batch, claim: Claim): void {
  batch.add(
    `WITH ${HOST},
       waiting AS (
         SELECT s.webhook_id, s.id, s.lease, s.clicks, w.may_send, w.free
         FROM host w CROSS JOIN webhook_slots s ON s.webhook_id = w.id
         WHERE (s.expires_at <= ?2 OR s.lease = ?3) AND (w.free > 0 OR NOT w.may_send)),
       next AS (
         SELECT webhook_id, id, min(free, CASE
           WHEN NOT may_send THEN 0
           WHEN clicks IS NOT NULL THEN json_array_length(clicks)
           ELSE (SELECT count(*) FROM (SELECT 1 FROM ${DUE_DELIVERIES}
             WHERE webhook_id = waiting.webhook_id AND due_at <= ?2 LIMIT ?4)) END) AS connections
         FROM waiting
         WHERE ?4 > 0 AND NOT EXISTS (
           SELECT 1 FROM host w CROSS JOIN webhook_slots s ON s.webhook_id = w.id WHERE s.lease = ?5)
         ORDER BY webhook_id <= ?1, webhook_id, clicks IS NULL AND lease IS ?3, id LIMIT 1)
     UPDATE webhook_slots SET lease = ?5, expires_at = ?6, connections = next.connections
     FROM next WHERE webhook_slots.webhook_id = next.webhook_id AND webhook_slots.id = next.id`,
    [...hostValues(claim), claim.lease, claim.expiresAt],
  );
}

/** Frees the slot of the ended turn, if another one was claimed. Its deliveries then wait behind the clicks that came meanwhile. */
function freeEndedSlot(batch: Batch, webhookId: string, endedLease: string, newSlotId: string): void {
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
     SELECT id FROM host
     WHERE (free > 0 OR NOT may_send)
       AND (EXISTS (SELECT 1 FROM webhook_slots WHERE webhook_id = host.id AND expires_at <= ?2)
         OR id = ?1 AND may_send AND EXISTS (SELECT 1 FROM ${DUE_DELIVERIES} WHERE webhook_id = ?1 AND due_at <= ?2))
     ORDER BY id <= ?1, id LIMIT 1`,
    [webhookId, now, null, 1],
  );
}

/** Selects the other webhooks at the host with slots that wait. */
export function listWaitingBeside(batch: Batch, webhookId: string, now: number): Result<{ id: string }> {
  return batch.add(
    `SELECT w.id FROM ${AT_HOST} WHERE m.id = ?1 AND w.id <> ?1
       AND EXISTS (SELECT 1 FROM webhook_slots s WHERE s.webhook_id = w.id AND s.expires_at <= ?2)`,
    [webhookId, now],
  );
}
