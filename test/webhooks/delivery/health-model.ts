import type { Webhook } from "../../../src/webhooks/contract.ts";
import type { Failure } from "../../../src/webhooks/store/health.ts";

/** The rules of `src/webhooks/store/health.ts` as pure functions. The tests compare the SQL with them. */

export interface Health {
  status: Webhook["status"];
  disabledReason: Webhook["disabledReason"];
  disabledAt: number | null;
  failureCount: number;
  strikes: number;
  inFlightLimit: number;
  resumeAt: number | null;
}

const CIRCUIT_OPENS_AT = 5;
const MOST_IN_FLIGHT = 25;

export const healthy: Health = {
  status: "active",
  disabledReason: null,
  disabledAt: null,
  failureCount: 0,
  strikes: 0,
  inFlightLimit: 1,
  resumeAt: null,
};

/** `strikes`: those of the webhook when the attempt was started. */
export function afterSuccess(health: Health, strikes: number): Health {
  const answered = { ...health, failureCount: 0 };
  if (strikes !== health.strikes) return answered;
  return { ...answered, strikes: 0, inFlightLimit: Math.min(MOST_IN_FLIGHT, health.inFlightLimit + 1), resumeAt: null };
}

export function afterFailure(
  health: Health,
  { delays, gone, maxFailures }: Failure,
  strikes: number,
  now: number,
): Health {
  const isStrike = strikes === health.strikes;
  const after = isStrike ? strikes + 1 : health.strikes;
  const openFor = after - CIRCUIT_OPENS_AT;
  const failed = {
    ...health,
    failureCount: health.failureCount + 1,
    strikes: after,
    inFlightLimit: 1,
    resumeAt: isStrike && openFor >= 0 ? now + (delays[Math.min(openFor, delays.length - 1)] ?? 0) : health.resumeAt,
  };
  if (health.status === "inactive" || (!gone && !(isStrike && after >= maxFailures))) return failed;
  return { ...failed, status: "inactive", disabledReason: gone ? "gone" : "failures", disabledAt: now };
}

/** `PATCH` with the status inactive (3.1). With the status active, the webhook is {@link healthy}. */
export function afterDeactivation(health: Health, now: number): Health {
  if (health.status === "inactive") return health;
  return { ...health, status: "inactive", disabledReason: "manual", disabledAt: now };
}
