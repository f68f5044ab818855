import { WEBHOOK_WAITS_AFTER_FAILURES } from "../../limits.ts";
import type { Failure } from "../delivery/schedule.ts";

/** `schedule.ts` in SQL. Each change is one statement, so however many come at once, they follow one another. */

/** Which attempt a result is of; it counts once, however often it is recorded. */
export interface Result {
  webhookId: string;
  eventId: string;
  /** The lease under which a stored delivery was tried; null: it is not stored until its result is. */
  lease: string | null;
}

// ?1 is the webhook, ?2 the event, ?3 the lease.
const COUNTS = `iif(?3 IS NULL,
  NOT EXISTS (SELECT 1 FROM deliveries WHERE webhook_id = ?1 AND event_id = ?2),
  EXISTS (SELECT 1 FROM deliveries WHERE webhook_id = ?1 AND event_id = ?2 AND lease = ?3))`;

/** Goes before the statement that records the delivery. */
export function successStatement(db: D1Database, result: Result, now: number): D1PreparedStatement {
  return db
    .prepare(
      `UPDATE webhooks SET failure_count = 0, resume_at = NULL, woken_until = NULL,
         last_triggered_at = max(coalesce(last_triggered_at, 0), ?4)
       WHERE id = ?1 AND ${COUNTS}`,
    )
    .bind(result.webhookId, result.eventId, result.lease, now);
}

/** Clicks that were delivered without a row of their own; written only where it changes something. */
export function clicksSuccessStatement(
  db: D1Database,
  webhookId: string,
  now: number,
  resolutionMs: number,
): D1PreparedStatement {
  return db
    .prepare(
      `UPDATE webhooks SET failure_count = 0, resume_at = NULL, woken_until = NULL,
         last_triggered_at = max(coalesce(last_triggered_at, 0), ?2)
       WHERE id = ?1 AND (failure_count > 0 OR resume_at IS NOT NULL OR coalesce(last_triggered_at, 0) <= ?3)`,
    )
    .bind(webhookId, now, now - resolutionMs);
}

/** Goes before the statement that records the delivery. */
export function failureStatement(db: D1Database, result: Result, failure: Failure): D1PreparedStatement {
  const disables = "status = 'active' AND (?6 OR failure_count + 1 >= ?7)";
  const waits = `failure_count + 1 - ${WEBHOOK_WAITS_AFTER_FAILURES}`;
  const lastDelay = failure.delays.length - 1;
  return db
    .prepare(
      `UPDATE webhooks SET
         failure_count = failure_count + 1,
         resume_at = iif(${waits} < 0, resume_at, ?4 + json_extract(?5, '$[' || min(${waits}, ${lastDelay}) || ']')),
         woken_until = NULL,
         disabled_reason = iif(${disables}, iif(?6, 'gone', 'failures'), disabled_reason),
         disabled_at = iif(${disables}, ?4, disabled_at),
         status = iif(${disables}, 'inactive', status)
       WHERE id = ?1 AND ${COUNTS}`,
    )
    .bind(
      result.webhookId,
      result.eventId,
      result.lease,
      failure.now,
      JSON.stringify(failure.delays),
      failure.gone ? 1 : 0,
      failure.maxFailures,
    );
}

/** The assignments of a `PATCH` of the status; `now` is the name of a parameter. */
export function statusAssignments(status: "active" | "inactive", now: string): string[] {
  if (status === "active") {
    return [
      "status = 'active'",
      "disabled_reason = NULL",
      "disabled_at = NULL",
      "failure_count = 0",
      "resume_at = NULL",
    ];
  }
  return [
    "disabled_reason = iif(status = 'active', 'manual', disabled_reason)",
    `disabled_at = iif(status = 'active', ${now}, disabled_at)`,
    "status = 'inactive'",
  ];
}

/** SQL for how many may send to the webhook `w` at once, as `lanesAllowed` says. */
export const LANES_ALLOWED = `max(1, ${WEBHOOK_WAITS_AFTER_FAILURES} - w.failure_count)`;
