import { MAX_RETRY_AFTER_MS } from "../../limits.ts";
import type { AttemptResult } from "../store/results.ts";
import type { Attempt } from "./attempt.ts";
import { WEBHOOK_RETRY_JITTER, WEBHOOK_RETRY_STEPS_MS } from "../limits.ts";

/** The retry schedule: rules without I/O. `store/health.ts` has those of the circuit breaker. */

const HTTP_GONE = 410;

/**
 * The backoff after failure 1, 2, … Each step is extended by `random` (0 to 1) of the jitter, and to the receiver's
 * `Retry-After` if that is longer.
 */
export function retryDelays(random: number, retryAfterMs: number | null): number[] {
  const minimum = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return WEBHOOK_RETRY_STEPS_MS.map((step) =>
    Math.max(Math.round(step * (1 + random * WEBHOOK_RETRY_JITTER)), minimum),
  );
}

/** Evaluates an attempt of a delivery that failed `failedBefore` times since its schedule started. */
export function toResult(
  attempt: Attempt,
  failedBefore: number,
  { now, random, maxFailures }: { now: number; random: number; maxFailures: number },
): AttemptResult {
  const { record } = attempt;
  if (attempt.ok) return { record, now, failure: null };
  const delays = retryDelays(random, attempt.retryAfterMs);
  const delay = delays[failedBefore];
  const nextAttemptAt = delay === undefined ? null : now + delay;
  const gone = record.status === HTTP_GONE;
  const { responseBody } = attempt;
  return { record, now, failure: { step: failedBefore + 1, nextAttemptAt, delays, gone, maxFailures, responseBody } };
}
