import type { Batch } from "../../database/batch.ts";
import type { Parameters } from "../../database/parameters.ts";
import { CIRCUIT_BREAKER_FAILURES, LAST_TRIGGERED_RESOLUTION_MS } from "../../limits.ts";
import type { Webhook } from "../contract.ts";

/**
 * The health of a webhook: its consecutive failures, its circuit breaker and its status. Each change is one UPDATE of the
 * values as they are, so concurrent changes take effect one after the other.
 *
 * The circuit breaker opens at {@link CIRCUIT_BREAKER_FAILURES}: no attempt is made before `resume_at`, then one at a time.
 * Each further failure moves `resume_at` by the next backoff step. A success closes the circuit.
 */

/** The delivery that a result belongs to. */
export interface DeliveryKey {
  webhookId: string;
  eventId: string;
  /** The lease under which the attempt was made; null: the delivery is stored together with this result. */
  lease: string | null;
}

/** A failed attempt, as far as it concerns the webhook. */
export interface Failure {
  /** Backoff after the failure that opens the circuit, after the next one, and so on. The last one repeats. */
  delays: readonly number[];
  /** The receiver responded 410 Gone, which disables the webhook at once. */
  gone: boolean;
  /** Consecutive failures that disable the webhook. */
  maxFailures: number;
}

// The fence: a result counts under the current lease only. A result without a lease counts until its delivery is stored.
// Parameters: ?1 webhook, ?2 event, ?3 lease.
const COUNTS = `iif(?3 IS NULL,
  NOT EXISTS (SELECT 1 FROM deliveries WHERE webhook_id = ?1 AND event_id = ?2),
  EXISTS (SELECT 1 FROM deliveries WHERE webhook_id = ?1 AND event_id = ?2 AND lease = ?3))`;

/** Call it before the statement that stores the delivery's result. */
export function countSuccess(batch: Batch, { webhookId, eventId, lease }: DeliveryKey, now: number): void {
  batch.add(
    `UPDATE webhooks SET failure_count = 0, resume_at = NULL, next_wake_up_at = NULL,
       last_triggered_at = max(coalesce(last_triggered_at, 0), ?4)
     WHERE id = ?1 AND ${COUNTS}`,
    [webhookId, eventId, lease, now],
  );
}

/** The same for clicks without stored deliveries. Writes nothing if the webhook is healthy and `last_triggered_at` recent. */
export function countDeliveredClicks(batch: Batch, webhookId: string, now: number): void {
  batch.add(
    `UPDATE webhooks SET failure_count = 0, resume_at = NULL, next_wake_up_at = NULL,
       last_triggered_at = max(coalesce(last_triggered_at, 0), ?2)
     WHERE id = ?1 AND (failure_count > 0 OR resume_at IS NOT NULL OR coalesce(last_triggered_at, 0) <= ?3)`,
    [webhookId, now, now - LAST_TRIGGERED_RESOLUTION_MS],
  );
}

/** Call it before the statement that stores the delivery's result. */
export function countFailure(
  batch: Batch,
  { webhookId, eventId, lease }: DeliveryKey,
  { delays, gone, maxFailures }: Failure,
  now: number,
): void {
  const disables = "status = 'active' AND (?6 OR failure_count + 1 >= ?7)";
  const openFor = `failure_count + 1 - ${CIRCUIT_BREAKER_FAILURES}`;
  batch.add(
    `UPDATE webhooks SET
       failure_count = failure_count + 1,
       resume_at = iif(${openFor} < 0, resume_at, ?4 + json_extract(?5, '$[' || min(${openFor}, ${delays.length - 1}) || ']')),
       next_wake_up_at = NULL,
       disabled_reason = iif(${disables}, iif(?6, 'gone', 'failures'), disabled_reason),
       disabled_at = iif(${disables}, ?4, disabled_at),
       status = iif(${disables}, 'inactive', status)
     WHERE id = ?1 AND ${COUNTS}`,
    [webhookId, eventId, lease, now, JSON.stringify(delays), gone ? 1 : 0, maxFailures],
  );
}

/** The assignments of an UPDATE that sets the status on the account's request. */
export function statusAssignments(status: Webhook["status"], parameters: Parameters, now: number): string[] {
  if (status === "active")
    return [
      "status = 'active'",
      "disabled_reason = NULL",
      "disabled_at = NULL",
      "failure_count = 0",
      "resume_at = NULL",
    ];
  return [
    // A restored webhook that its account turns off is not turned on again by the operator.
    "disabled_reason = iif(status = 'active' OR disabled_reason = 'restored', 'manual', disabled_reason)",
    `disabled_at = iif(status = 'active', ${parameters.add(now)}, disabled_at)`,
    "status = 'inactive'",
  ];
}

/**
 * SQL for the number of concurrency slots of the webhook `w`. It falls with each failure, so the attempts in flight cannot
 * fail more often than it takes to open the circuit. With an open circuit one slot is left.
 */
export const SLOT_LIMIT = `max(1, ${CIRCUIT_BREAKER_FAILURES} - w.failure_count)`;
