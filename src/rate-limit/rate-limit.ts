import { isOverload } from "../lib/durable-objects.ts";
import { describeError, log } from "../lib/log.ts";
import { withTimeout } from "../lib/timeout.ts";
import { RATE_LIMIT_WINDOW_MS, RATE_LIMITER_TIMEOUT_MS } from "../limits.ts";

export interface RateLimitCheck {
  requestId: string;
  /** Calls with the same name and operation are counted together. */
  name: string;
  operation: string;
  limit: number;
  /** Whether calls that ignore `Retry-After` bring a penalty. Default: true. */
  penalties?: boolean;
  /** Whether an accepted call counts against the limit. Default: true. */
  counts?: boolean;
}

export interface RateLimitStatus {
  allowed: boolean;
  /** Calls left in the window. */
  remaining: number;
  /** Whole seconds until another call is accepted, at least 1. After them, a refused client is let in. */
  waitSeconds: number;
}

/** Counts a call and decides on it. Logs a warning and returns null if the limiter fails. */
export async function checkRateLimit(env: Env, check: RateLimitCheck): Promise<RateLimitStatus | null> {
  const { requestId, name, operation, limit, penalties = true, counts = true } = check;
  try {
    const { allowed, remaining, waitMs } = await withTimeout(
      env.RATE_LIMITER.getByName(name).take(operation, limit, { penalties, counts }),
      RATE_LIMITER_TIMEOUT_MS,
    );
    return { allowed, remaining, waitSeconds: toSeconds(waitMs) };
  } catch (error) {
    // A client that sends more calls than its object can count is over every limit.
    if (isOverload(error)) return { allowed: false, remaining: 0, waitSeconds: toSeconds(RATE_LIMIT_WINDOW_MS) };
    log("warn", "rate_limiter_failed", { requestId, operation, ...describeError(error) });
    return null;
  }
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
