import { isOverload } from "../lib/durable-objects.ts";
import { describeError, log } from "../lib/log.ts";
import { withTimeout } from "../lib/timeout.ts";
import { RATE_LIMIT_WINDOW_MS, RATE_LIMITER_TIMEOUT_MS } from "../limits.ts";
import type { Decision } from "./window.ts";

interface Call {
  env: Env;
  requestId: string;
  /** Whose calls are counted together. */
  name: string;
  operation: string;
  limit: number;
  /** Whether calls in spite of a refusal bring a penalty. */
  penalties?: boolean;
}

/** Counts a call; null, with a warning, where the limiter fails. */
export async function checkRateLimit({
  env,
  requestId,
  name,
  operation,
  limit,
  penalties = true,
}: Call): Promise<Decision | null> {
  try {
    return await withTimeout(
      env.RATE_LIMITER.getByName(name).take(operation, limit, penalties),
      RATE_LIMITER_TIMEOUT_MS,
    );
  } catch (error) {
    // Whoever sends more than the object can count is over every limit.
    if (isOverload(error)) return { allowed: false, remaining: 0, waitMs: RATE_LIMIT_WINDOW_MS, penalised: false };
    log("warn", "rate_limiter_failed", { requestId, operation, ...describeError(error) });
    return null;
  }
}
