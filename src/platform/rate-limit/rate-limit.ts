import { isOverload } from "../lib/durable-objects.ts";
import { describeError, log } from "../lib/log.ts";
import { withTimeout } from "../lib/timeout.ts";
import { RATE_LIMIT_WINDOW_MS } from "../../limits.ts";
import { RATE_LIMITER_TIMEOUT_MS } from "./limits.ts";
import type { TakeOptions } from "./limiter.ts";

export interface RateLimitCheck extends TakeOptions {
  requestId: string;
  /** Calls with the same name and operation are counted together. */
  name: string;
  operation: string;
  limit: number;
}

export interface RateLimitStatus {
  allowed: boolean;
  /** Calls left in the window. */
  remaining: number;
  /** Whole seconds until another call is accepted, at least 1. After them, a refused client is let in. */
  waitSeconds: number;
  /** For how long the keys of such calls must not be read, ms. Missing: they may be read. */
  unreadMs?: number;
}

/** Counts a call and decides on it. If the limiter fails, logs a warning and returns what `whenFailed` returns, by default null. */
export async function checkRateLimit<Failed extends null = null>(
  env: Env,
  check: RateLimitCheck,
  whenFailed: (cause: unknown) => Failed = () => null as Failed,
): Promise<RateLimitStatus | Failed> {
  const { requestId, name, operation, limit, ...options } = check;
  try {
    const { allowed, remaining, waitMs, unreadMs } = await withTimeout(
      env.RATE_LIMITER.getByName(name).take(operation, limit, options),
      RATE_LIMITER_TIMEOUT_MS,
    );
    return { allowed, remaining, waitSeconds: toSeconds(waitMs), ...(unreadMs !== undefined && { unreadMs }) };
  } catch (error) {
    // A client that sends more calls than its object can count is over every limit.
    if (isOverload(error)) return OVER_EVERY_LIMIT;
    log("warn", "rate_limiter_failed", { requestId, operation, ...describeError(error) });
    return whenFailed(error);
  }
}

/** The whole seconds of a wait, at least 1. */
export function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}

const OVER_EVERY_LIMIT: RateLimitStatus = {
  allowed: false,
  remaining: 0,
  waitSeconds: toSeconds(RATE_LIMIT_WINDOW_MS),
  unreadMs: RATE_LIMIT_WINDOW_MS,
};
