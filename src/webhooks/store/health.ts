import type { Batch } from "../../platform/database/batch.ts";
import type { Parameters } from "../../platform/database/parameters.ts";
import { MAX_IN_FLIGHT_PER_HOST } from "../../limits.ts";
import type { Webhook } from "../contract.ts";
import {
  CIRCUIT_BREAKER_FAILURES,
  FIRST_IN_FLIGHT_LIMIT,
  LAST_TRIGGERED_KEPT_MS,
  LAST_TRIGGERED_RESOLUTION_MS,
} from "../limits.ts";

/**
 * The health of a webhook: its consecutive failures, its limit of attempts in flight, its circuit breaker and its status.
 * Each change is one UPDATE of the values as they are, so concurrent changes take effect one after the other.
 *
 * `failure_count` counts every failure. `strikes` counts failures that were in flight together once: a result changes it only
 * if it has the value that it had when the attempt was started. The same holds for the limit of attempts in flight, which
 * each success raises by one and a strike sets to {@link FIRST_IN_FLIGHT_LIMIT}.
 *
 * The circuit breaker opens at {@link CIRCUIT_BREAKER_FAILURES} strikes: no attempt is made before `resume_at`, then one at a
 * time. Each further strike moves `resume_at` by the next backoff step. A success closes the circuit.
 */

/** The delivery that a result belongs to, and the attempt's view of its webhook. */
export interface AttemptKey {
  webhookId: string;
  eventId: string;
  /** The lease of the turn in which the attempt was made; null: a ping, which has none. */
  lease: string | null;
  /** The webhook's strikes when the attempt was started. */
  strikes: number;
}

/** A failed attempt, as far as it concerns the webhook. */
export interface Failure {
  /** Backoff after the strike that opens the circuit, after the next one, and so on. The last one repeats. */
  delays: readonly number[];
  /** The receiver responded 410 Gone, which disables the webhook at once. */
  gone: boolean;
  /** Consecutive strikes that disable the webhook. */
  maxFailures: number;
}

// The fence. A result of a stored delivery counts under the delivery's lease, that of a click under the lease of its row, and
// that of a ping until it is stored. Parameters: ?1 webhook, ?2 event, ?3 lease.
const STORED = "SELECT 1 FROM deliveries WHERE webhook_id = ?1 AND event_id = ?2";
export const COUNTS = `iif(EXISTS (${STORED}), EXISTS (${STORED} AND lease = ?3),
  ?3 IS NULL OR EXISTS (SELECT 1 FROM waiting_clicks WHERE webhook_id = ?1 AND lease = ?3))`;

/** `isCurrent` and `successes` are SQL. */
const countsAsSuccess = (isCurrent: string, successes: string) => `failure_count = 0,
  in_flight_limit = iif(${isCurrent}, min(${MAX_IN_FLIGHT_PER_HOST}, in_flight_limit + ${successes}), in_flight_limit),
  resume_at = iif(${isCurrent}, NULL, resume_at),
  strikes = iif(${isCurrent}, 0, strikes)`;

/**
 * Call it before the statement that stores the delivery's result. If the webhook is healthy and at its highest limit, its row
 * is written at most once in {@link LAST_TRIGGERED_KEPT_MS}: `delivery_totals` has the exact time of the last delivery, but is
 * not in backups.
 */
export function countSuccess(batch: Batch, { webhookId, eventId, lease, strikes }: AttemptKey, now: number): void {
  batch.add(
    `UPDATE webhooks SET ${countsAsSuccess("strikes = ?4", "1")},
       last_triggered_at = max(coalesce(last_triggered_at, 0), ?5)
     WHERE id = ?1 AND (failure_count > 0 OR strikes > 0 OR in_flight_limit < ${MAX_IN_FLIGHT_PER_HOST}
       OR coalesce(last_triggered_at, 0) <= ?6) AND ${COUNTS}`,
    [webhookId, eventId, lease, strikes, now, now - LAST_TRIGGERED_KEPT_MS],
  );
}

/**
 * The same for clicks that were delivered with their first attempt. Writes nothing if the webhook is healthy and at its highest
 * limit, and `last_triggered_at` is recent.
 */
export function countDeliveredClicks(
  batch: Batch,
  { webhookId, strikes }: Pick<AttemptKey, "webhookId" | "strikes">,
  clicks: number,
  now: number,
): void {
  batch.add(
    `UPDATE webhooks SET ${countsAsSuccess("strikes = ?2", "?3")},
       last_triggered_at = max(coalesce(last_triggered_at, 0), ?4)
     WHERE id = ?1 AND (failure_count > 0 OR strikes > 0 OR in_flight_limit < ${MAX_IN_FLIGHT_PER_HOST}
       OR coalesce(last_triggered_at, 0) <= ?5)`,
    [webhookId, strikes, clicks, now, now - LAST_TRIGGERED_RESOLUTION_MS],
  );
}

/** Call it before the statement that stores the delivery's result. */
export function countFailure(
  batch: Batch,
  { webhookId, eventId, lease, strikes }: AttemptKey,
  { delays, gone, maxFailures }: Failure,
  now: number,
): void {
  const isStrike = "strikes = ?8";
  const disables = `status = 'active' AND (?6 OR (${isStrike} AND strikes + 1 >= ?7))`;
  const openFor = `strikes + 1 - ${CIRCUIT_BREAKER_FAILURES}`;
  batch.add(
    `UPDATE webhooks SET
       failure_count = failure_count + 1,
       strikes = strikes + (${isStrike}),
       in_flight_limit = ${FIRST_IN_FLIGHT_LIMIT},
       resume_at = iif(${isStrike} AND ${openFor} >= 0,
         ?4 + json_extract(?5, '$[' || min(${openFor}, ${delays.length - 1}) || ']'), resume_at),
       disabled_reason = iif(${disables}, iif(?6, 'gone', 'failures'), disabled_reason),
       disabled_at = iif(${disables}, ?4, disabled_at),
       status = iif(${disables}, 'inactive', status)
     WHERE id = ?1 AND ${COUNTS}`,
    [webhookId, eventId, lease, now, JSON.stringify(delays), gone ? 1 : 0, maxFailures, strikes],
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
      "strikes = 0",
      `in_flight_limit = ${FIRST_IN_FLIGHT_LIMIT}`,
      "resume_at = NULL",
    ];
  return [
    // A restored webhook that its account turns off is not turned on again by the operator.
    "disabled_reason = iif(status = 'active' OR disabled_reason = 'restored', 'manual', disabled_reason)",
    `disabled_at = iif(status = 'active', ${parameters.add(now)}, disabled_at)`,
    "status = 'inactive'",
  ];
}
