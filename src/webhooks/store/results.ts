import type { Batch } from "../../platform/database/batch.ts";
import type { OutgoingEvent } from "../../platform/outbox/event-types.ts";
import type { AttemptRecord, Delivery } from "../delivery-contract.ts";
import { insertDelivery } from "./deliveries.ts";
import type { ClickEntry } from "./read-delivery-log.ts";
import { countDeliveredClicks, countFailure, countSuccess, type AttemptKey, type Failure } from "./health.ts";
import type { WaitingClick } from "./waiting-clicks.ts";
import type { WebhookState } from "./state.ts";
import { MAX_KEPT_ATTEMPTS, MAX_KEPT_CLICK_DELIVERIES } from "../limits.ts";

/** Writes the results of attempts. All statements are idempotent. */

/** The result of an attempt. */
export interface AttemptResult {
  record: AttemptRecord;
  /** When the attempt ended, Unix milliseconds. */
  now: number;
  /** Null: the event was delivered. */
  failure: DeliveryFailure | null;
}

interface DeliveryFailure extends Failure {
  /** Failed attempts since the retry schedule started, this one included. */
  step: number;
  /** Null: the delivery is given up. */
  nextAttemptAt: number | null;
  /** The beginning of the response body; null: there was no response. */
  responseBody: string | null;
}

/** Records an attempt of a stored delivery. The lease fences it: under another lease it changes nothing. */
export function recordResult(
  batch: Batch,
  delivery: AttemptKey & Pick<OutgoingEvent, "type">,
  result: AttemptResult,
): void {
  const { webhookId, eventId, lease } = delivery;
  const { record, failure } = result;
  countResult(batch, delivery, result);
  batch.add(
    `UPDATE deliveries SET status = ?4, due_at = ?5, step = coalesce(?6, step), lease = NULL, sending_until = NULL, attempts = (
       SELECT json_group_array(json(value)) FROM (
         SELECT value FROM (
           SELECT -1 AS key, json(?7) AS value UNION ALL SELECT key, value FROM json_each(attempts))
         ORDER BY key LIMIT ${MAX_KEPT_ATTEMPTS})),
       response_body = iif(?8, ?9, response_body)
     WHERE webhook_id = ?1 AND event_id = ?2 AND lease = ?3`,
    [
      webhookId,
      eventId,
      lease,
      statusAfter(failure),
      failure?.nextAttemptAt ?? null,
      failure?.step ?? null,
      JSON.stringify(record),
      failure === null ? 0 : 1,
      failure?.responseBody ?? null,
    ],
  );
  if (failure === null && delivery.type === "link.click") moveToClickLog(batch, delivery);
}

/** Records the first attempt of an event that is not stored, and stores it with its delivery. */
export function recordFirstAttempt(
  batch: Batch,
  attempt: Omit<AttemptKey, "eventId">,
  event: OutgoingEvent & { createdAt: number },
  result: AttemptResult,
): void {
  const { webhookId } = attempt;
  const { record, failure } = result;
  countResult(batch, { ...attempt, eventId: event.id }, result);
  const delivery = { status: statusAfter(failure), dueAt: failure?.nextAttemptAt ?? null, step: failure?.step };
  insertDelivery(batch, webhookId, event, { ...delivery, attempts: [record], responseBody: failure?.responseBody });
}

function countResult(batch: Batch, delivery: AttemptKey, { failure, now }: AttemptResult): void {
  if (failure === null) countSuccess(batch, delivery, now);
  else countFailure(batch, delivery, failure, now);
}

function statusAfter(failure: DeliveryFailure | null): Delivery["status"] {
  if (failure === null) return "delivered";
  return failure.nextAttemptAt === null ? "failed" : "pending";
}

/** Records clicks that were delivered at the first attempt. It writes at most two rows, whatever their number. */
export function recordDeliveredClicks(
  batch: Batch,
  attempts: Pick<AttemptKey, "webhookId" | "strikes">,
  clicks: readonly ClickEntry[],
  now: number,
): void {
  if (clicks.length === 0) return;
  countDeliveredClicks(batch, attempts, clicks.length, now);
  batch.add(
    `INSERT INTO click_deliveries (webhook_id, entries)
     SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = ?1) ${MERGE_ENTRIES}`,
    [attempts.webhookId, JSON.stringify(clicks)],
  );
}

/** Stores clicks that cannot be sent now as deliveries. */
export function storeClicks(
  batch: Batch,
  { target, status, disabledAt }: WebhookState,
  clicks: readonly WaitingClick[],
  now: number,
): void {
  for (const { id, body, createdAt } of clicks) {
    // A webhook gets no events from the time after its deactivation.
    if (status === "inactive" && createdAt >= (disabledAt ?? 0)) continue;
    insertDelivery(batch, target.id, { id, type: "link.click", body, createdAt }, { status: "pending", dueAt: now });
  }
}

/** A stored click is deleted once it is delivered, as the log of clicks has it then. */
function moveToClickLog(batch: Batch, { webhookId, eventId }: AttemptKey): void {
  const delivered = "FROM deliveries WHERE webhook_id = ?1 AND event_id = ?2 AND status = 'delivered'";
  batch.add(
    `INSERT INTO click_deliveries (webhook_id, entries)
     SELECT ?1, json_array(json_object('id', event_id, 'createdAt', created_at, 'attempts', json(attempts))) ${delivered} ${MERGE_ENTRIES}`,
    [webhookId, eventId],
  );
  batch.add(`DELETE ${delivered}`, [webhookId, eventId]);
}

// Keeps the newest entries, each once, newest first.
const MERGE_ENTRIES = `ON CONFLICT (webhook_id) DO UPDATE SET entries = (
  SELECT json_group_array(json(entry)) FROM (
    SELECT value ->> 'id' AS id, value AS entry FROM (
      SELECT value FROM json_each(excluded.entries) UNION ALL SELECT value FROM json_each(click_deliveries.entries))
    GROUP BY id ORDER BY id DESC LIMIT ${MAX_KEPT_CLICK_DELIVERIES}))`;
