import type { Context, MiddlewareHandler } from "hono";
import type { HttpEnv } from "../http/context.ts";
import { rateLimited, unavailable } from "../http/errors.ts";
import { RATE_LIMITS } from "../limits.ts";
import { clientName } from "./client.ts";
import { checkRateLimit, type RateLimitStatus } from "./rate-limit.ts";

export type Operation = keyof typeof RATE_LIMITS;

/** Operations that cost others something. They are refused if the limiter fails; all others are let through. */
const CLOSED_ON_FAILURE: ReadonlySet<Operation> = new Set(["POST /api/shorten (anonymous)", "POST /api/webhooks/:id"]);

/** Counts the call for its client (8.1) and sets the rate limit headers, on errors too. */
export function rateLimit(operation: Operation | ((c: Context<HttpEnv>) => Operation)): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const name = typeof operation === "string" ? operation : operation(c);
    const status = await countCall(c, name);
    if (status !== null) {
      const { allowed, remaining, waitSeconds } = status;
      c.header("X-RateLimit-Limit", String(RATE_LIMITS[name]));
      c.header("X-RateLimit-Remaining", String(remaining));
      c.header("X-RateLimit-Reset", String(waitSeconds));
      if (!allowed) throw rateLimited(`Too many requests. Try again in ${waitSeconds} seconds.`, waitSeconds);
    }
    await next();
  };
}

async function countCall(c: Context<HttpEnv>, operation: Operation): Promise<RateLimitStatus | null> {
  const status = await checkRateLimit(c.env, {
    requestId: c.get("context").requestId,
    name: clientName(c.req.raw.headers),
    operation,
    limit: RATE_LIMITS[operation],
  });
  if (status === null && CLOSED_ON_FAILURE.has(operation))
    throw unavailable("The rate limiter did not respond. Nothing was changed. Try again.");
  return status;
}
