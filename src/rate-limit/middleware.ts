import type { Context, MiddlewareHandler } from "hono";
import type { HttpEnv } from "../http/context.ts";
import { rateLimited, unavailable } from "../http/errors.ts";
import { RATE_LIMITS } from "../limits.ts";
import { checkRateLimit } from "./check.ts";
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
  const decision = await checkRateLimit({
    env: c.env,
    requestId: c.get("context").requestId,
    name: clientOf(c.req.raw.headers),
    operation,
    limit: RATE_LIMITS[operation],
  });
  if (decision === null && CLOSED_ON_FAILURE.has(operation))
    throw unavailable("The rate limiter did not answer. Nothing was done; try again.");
  return decision;
}
