import type { Webhook } from "../../../src/webhooks/contract.ts";
import type { Failure } from "../../../src/webhooks/store/health.ts";

/** The rules of `src/webhooks/store/health.ts` as pure functions. The tests compare the SQL with them. */

export interface Health {
  status: Webhook["status"];
  disabledReason: Webhook["disabledReason"];
  disabledAt: number | null;
  failureCount: number;
  resumeAt: number | null;
}

const CIRCUIT_OPENS_AT = 5;

export const healthy: Health = {
  status: "active",
  disabledReason: null,
  disabledAt: null,
  failureCount: 0,
  resumeAt: null,
};

export function afterSuccess(health: Health): Health {
  return { ...health, failureCount: 0, resumeAt: null };
}

export function afterFailure(health: Health, { delays, gone, maxFailures }: Failure, now: number): Health {
  const failureCount = health.failureCount + 1;
  const openFor = failureCount - CIRCUIT_OPENS_AT;
  const resumeAt = openFor < 0 ? health.resumeAt : now + (delays[Math.min(openFor, delays.length - 1)] ?? 0);
  const failed = { ...health, failureCount, resumeAt };
  if (health.status === "inactive" || (!gone && failureCount < maxFailures)) return failed;
  return { ...failed, status: "inactive", disabledReason: gone ? "gone" : "failures", disabledAt: now };
}

/** `PATCH` with the status inactive (3.1). With the status active, the webhook is {@link healthy}. */
export function afterDeactivation(health: Health, now: number): Health {
  if (health.status === "inactive") return health;
  return { ...health, status: "inactive", disabledReason: "manual", disabledAt: now };
}

/** The number of concurrency slots. */
export function slotLimit(failureCount: number): number {
  return Math.max(1, CIRCUIT_OPENS_AT - failureCount);
}
