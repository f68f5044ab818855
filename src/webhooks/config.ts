import { DEFAULT_WEBHOOK_MAX_FAILURES } from "./limits.ts";

/** Reads the number of consecutive failures that disable a webhook. Invalid values are replaced by the default. */
export function readMaxFailures(env: Pick<Env, "WEBHOOK_MAX_FAILURES">): number {
  return parseMaxFailures(env.WEBHOOK_MAX_FAILURES) ?? DEFAULT_WEBHOOK_MAX_FAILURES;
}

/** As {@link readMaxFailures}; null: the text is no such number. */
export function parseMaxFailures(text: string): number | null {
  const configured = Number(text);
  return Number.isInteger(configured) && configured >= 1 ? configured : null;
}
