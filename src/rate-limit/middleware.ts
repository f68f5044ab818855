import type { Context, MiddlewareHandler } from "hono";
import type { HttpEnv } from "../http/context.ts";
import { rateLimited, unavailable } from "../http/errors.ts";
import { ExpiringSet } from "../lib/expiring-set.ts";
import { MAX_FAILED_KEYS_PER_ADDRESS, MAX_REMEMBERED_REFUSALS, RATE_LIMITS } from "../limits.ts";
import { clientName } from "./client.ts";
import { checkRateLimit, toSeconds, type RateLimitStatus } from "./rate-limit.ts";

export type Operation = keyof typeof RATE_LIMITS;

/** Hono's context, of a route with or without a key. */
type CallContext = Pick<Context<HttpEnv>, "get" | "header" | "req" | "res" | "env">;

/** The key of a call: `valid`, `failed` if it was read and is not valid, `unread` if there is none that was read. */
export type KeyState = "valid" | "failed" | "unread";

/** Operations that cost others something. They are refused if the limiter fails; all others are let through. */
const CLOSED_ON_FAILURE: ReadonlySet<Operation> = new Set(["POST /api/shorten (anonymous)", "POST /api/webhooks/:id"]);

/** Calls whose keys must not be read, as the limiter said: clients with failed keys, and clients with an operation. */
const refusals = new ExpiringSet(MAX_REMEMBERED_REFUSALS);

/** Counts the call of an operation that needs no key (8.1) and sets the rate limit headers, on errors too. */
export function rateLimit(operation: Operation): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const status = await countCall(c, operation);
    await next();
    extendRetryAfter(c, status);
  };
}

/**
 * Counts the call for its client (8.1), sets the rate limit headers, and throws 429 if the client is over the limit. Calls
 * with a valid key, or of an operation that needs none, have other windows than calls without a valid key. Returns null
 * if the limiter failed.
 */
export async function countCall(c: CallContext, operation: Operation, key?: KeyState): Promise<RateLimitStatus | null> {
  const { requestId, now } = c.get("context");
  const client = clientName(c.req.raw.headers);
  const isValid = key === undefined || key === "valid";
  const status = await checkRateLimit(c.env, {
    requestId,
    // An object of their own: so many calls that they overload it do not stop the callers with keys.
    name: isValid ? client : `no valid key ${client}`,
    operation,
    limit: RATE_LIMITS[operation],
    ...((key === "valid" || key === "failed") && { keyIsValid: isValid }),
  });
  if (status === null) {
    if (!CLOSED_ON_FAILURE.has(operation)) return null;
    throw unavailable("The rate limiter did not respond. Nothing was changed. Try again.");
  }
  if (key === "valid" && status.unreadMs !== undefined) refusals.add(`${client} ${operation}`, now + status.unreadMs);
  if (key === "failed" && status.unreadMs !== undefined) {
    refusals.add(client, now + status.unreadMs);
    refuseFailedKeys(c, status.unreadMs);
  }
  setHeaders(c, RATE_LIMITS[operation], status);
  if (!status.allowed) throw tooManyCalls(status.waitSeconds, isValid ? "" : " without a valid API key");
  return status;
}

/**
 * Throws 429 if the limiter refused so many calls of the client that their keys are not read. `isKnownKey` exempts a key
 * from the refusal of failed keys, so that others at its address cannot lock it out.
 */
export function refuseUnread(c: CallContext, operation: Operation, isKnownKey: boolean): void {
  const { now } = c.get("context");
  const client = clientName(c.req.raw.headers);
  const failedMs = isKnownKey ? 0 : refusals.remainingMs(client, now);
  if (failedMs > 0) refuseFailedKeys(c, failedMs);
  const overLimitMs = refusals.remainingMs(`${client} ${operation}`, now);
  if (overLimitMs === 0) return;
  const waitSeconds = toSeconds(overLimitMs);
  setHeaders(c, RATE_LIMITS[operation], { remaining: 0, waitSeconds });
  throw tooManyCalls(waitSeconds);
}

/** If another limit refused the last call of the client's window, the next call has to wait for that window too. */
export function extendRetryAfter(c: CallContext, status: RateLimitStatus | null): void {
  if (c.res.status !== 429 || status === null || status.remaining > 0) return;
  const waitSeconds = Number(c.res.headers.get("Retry-After"));
  c.header("Retry-After", String(Math.max(waitSeconds, status.waitSeconds)));
}

function refuseFailedKeys(c: CallContext, unreadMs: number): never {
  const waitSeconds = toSeconds(unreadMs);
  setHeaders(c, MAX_FAILED_KEYS_PER_ADDRESS, { remaining: 0, waitSeconds });
  throw rateLimited(
    `Your IP address sent too many API keys that are not valid. Try again in ${waitSeconds} seconds.`,
    waitSeconds,
  );
}

const tooManyCalls = (waitSeconds: number, which = "") =>
  rateLimited(`Too many requests${which}. Try again in ${waitSeconds} seconds.`, waitSeconds);

function setHeaders(
  c: CallContext,
  limit: number,
  { remaining, waitSeconds }: Pick<RateLimitStatus, "remaining" | "waitSeconds">,
): void {
  c.header("X-RateLimit-Limit", String(limit));
  c.header("X-RateLimit-Remaining", String(remaining));
  c.header("X-RateLimit-Reset", String(waitSeconds));
}
