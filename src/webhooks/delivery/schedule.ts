import {
  MAX_RETRY_AFTER_MS,
  WEBHOOK_RETRY_JITTER,
  WEBHOOK_RETRY_STEPS_MS,
  WEBHOOK_WAITS_AFTER_FAILURES,
} from "../../limits.ts";

/**
 * When a webhook is tried again and when it is given up: the rules, without I/O. `health.ts` says the same
 * in SQL, so that changes that come at once follow one another; a test holds the two together.
 */

export type DisabledReason = "failures" | "gone" | "manual";

export interface Health {
  status: "active" | "inactive";
  disabledReason: DisabledReason | null;
  disabledAt: number | null;
  /** In a row. */
  failureCount: number;
  /** No attempt before this time; null: no need to wait. */
  resumeAt: number | null;
}

export interface Failure {
  now: number;
  /** Of {@link retryDelays}. */
  delays: readonly number[];
  /** The receiver answered 410: it wants no more. */
  gone: boolean;
  /** So many in a row disable the webhook. */
  maxFailures: number;
}

/**
 * How long to wait after failure 1, 2, … of the schedule: its steps, made longer by `random` (0 to 1) of the
 * jitter, and no shorter than the receiver asked for.
 */
export function retryDelays(random: number, retryAfterMs: number | null): number[] {
  const asked = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return WEBHOOK_RETRY_STEPS_MS.map((step) => Math.max(Math.round(step * (1 + random * WEBHOOK_RETRY_JITTER)), asked));
}

/** How many may send at once: never so many that more than the first few failures come before the waiting. */
export function lanesAllowed(failureCount: number): number {
  return Math.max(1, WEBHOOK_WAITS_AFTER_FAILURES - failureCount);
}

export function afterSuccess(health: Health): Health {
  return { ...health, failureCount: 0, resumeAt: null };
}

/** One more failure in a row: at first nothing, then the webhook waits, each time longer, then it is disabled. */
export function afterFailure(health: Health, { now, delays, gone, maxFailures }: Failure): Health {
  const failureCount = health.failureCount + 1;
  const waits = failureCount - WEBHOOK_WAITS_AFTER_FAILURES;
  const failed = {
    ...health,
    failureCount,
    resumeAt: waits < 0 ? health.resumeAt : now + (delays[Math.min(waits, delays.length - 1)] ?? 0),
  };
  if (health.status === "inactive" || (!gone && failureCount < maxFailures)) return failed;
  return { ...failed, status: "inactive", disabledReason: gone ? "gone" : "failures", disabledAt: now };
}

/** `PATCH` with status active (3.1). */
export function afterActivation(): Health {
  return { status: "active", disabledReason: null, disabledAt: null, failureCount: 0, resumeAt: null };
}

/** `PATCH` with status inactive (3.1). */
export function afterDeactivation(health: Health, now: number): Health {
  if (health.status === "inactive") return health;
  return { ...health, status: "inactive", disabledReason: "manual", disabledAt: now };
}

/** When a delivery is tried next after `step` failed attempts, this one included; null: never again. */
export function nextAttempt(step: number, now: number, delays: readonly number[]): number | null {
  const delay = delays[step - 1];
  return delay === undefined ? null : now + delay;
}
