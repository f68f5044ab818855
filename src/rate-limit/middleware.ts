import type { Context, MiddlewareHandler } from "hono";
import type { HttpEnv } from "../http/context.ts";
import { rateLimited, unavailable } from "../http/errors.ts";
import { describeError, log } from "../lib/log.ts";
import { withTimeout } from "../lib/timeout.ts";
import { RATE_LIMIT_WINDOW_MS, RATE_LIMITER_TIMEOUT_MS, RATE_LIMITS } from "../limits.ts";
import { clientOf } from "./client.ts";
import type { Decision } from "./window.ts";

export type Operation = keyof typeof RATE_LIMITS;

/** Operations that cost others something: where the limiter fails they are refused, all others pass. */
const CLOSED_ON_FAILURE: ReadonlySet<Operation> = new Set(["POST /api/shorten (anonymous)", "POST /api/webhooks/:id"]);

/** Counts the call for its IP address (8.1) and tells the client where it stands, on errors too. */
export function rateLimit(operationOf: Operation | ((c: Context<HttpEnv>) => Operation)): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const operation = typeof operationOf === "string" ? operationOf : operationOf(c);
    const decision = await decide(c, operation);
    if (decision !== null) {
      const seconds = Math.max(1, Math.ceil(decision.waitMs / 1_000));
      c.header("X-RateLimit-Limit", String(RATE_LIMITS[operation]));
      c.header("X-RateLimit-Remaining", String(decision.remaining));
      c.header("X-RateLimit-Reset", String(seconds));
      if (!decision.allowed) throw rateLimited(`Too many requests. Try again in ${seconds} seconds.`, seconds);
    }
    await next();
  };
}

async function decide(c: Context<HttpEnv>, operation: Operation): Promise<Decision | null> {
  try {
    const limiter = c.env.RATE_LIMITER.getByName(clientOf(c.req.raw.headers));
    return await withTimeout(limiter.take(operation, RATE_LIMITS[operation]), RATE_LIMITER_TIMEOUT_MS);
  } catch (error) {
    // Whoever sends more than the object can count is over every limit.
    if (isOverload(error)) return { allowed: false, remaining: 0, waitMs: RATE_LIMIT_WINDOW_MS, penalised: false };
    log("warn", "rate_limiter_failed", { requestId: c.get("requestId"), operation, ...describeError(error) });
    if (CLOSED_ON_FAILURE.has(operation))
      throw unavailable("The rate limiter did not answer. Nothing was done; try again.");
    return null;
  }
}

/** How the platform marks a call that an object was too busy to take. */
function isOverload(error: unknown): boolean {
  return error instanceof Error && "overloaded" in error && error.overloaded === true;
}
