import { DEFAULT_WEBHOOK_MAX_FAILURES } from "./limits.ts";

/** Reads the number of consecutive failures that disable a webhook. Invalid values are replaced by the default. */
export function readMaxFailures(env: Pick<Env, "WEBHOOK_MAX_FAILURES">): number {
  const configured = Number(env.WEBHOOK_MAX_FAILURES);
  return Number.isInteger(configured) && configured >= 1 ? configured : DEFAULT_WEBHOOK_MAX_FAILURES;
}
