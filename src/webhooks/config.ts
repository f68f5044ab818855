import { DEFAULT_WEBHOOK_MAX_FAILURES } from "../limits.ts";

/** Failures in a row that disable a webhook: the operator's number, or the default where it is none. */
export function maxFailuresOf(env: Pick<Env, "WEBHOOK_MAX_FAILURES">): number {
  const chosen = Number(env.WEBHOOK_MAX_FAILURES);
  return Number.isInteger(chosen) && chosen >= 1 ? chosen : DEFAULT_WEBHOOK_MAX_FAILURES;
}
