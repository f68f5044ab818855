import type { Context, MiddlewareHandler } from "hono";
import type { HttpEnv } from "../http/context.ts";
import { limiterFailed, rateLimited } from "../http/errors.ts";
import { ExpiringMap } from "../lib/expiring-map.ts";
import { RATE_LIMIT_WINDOW_MS } from "../../limits.ts";
import { KEY_LIMIT_RESOLUTION_MS, MAX_FAILED_KEYS_PER_ADDRESS, MAX_REMEMBERED_REFUSALS } from "./limits.ts";
import { clientName } from "./client-address.ts";
import { checkRateLimit, toSeconds, type RateLimitStatus } from "./rate-limit.ts";

/** The rate limit of an operation, such as `GET /api/links/:id`. Each operation has its own window. */
export interface OperationLimit<Operation extends string = string> {
  operation: Operation;
  /** Calls per client in any {@link RATE_LIMIT_WINDOW_MS}. */
  perMinute: number;
  /** Whether calls are refused while the limiter fails: they cost others something. */
  failsClosed: boolean;
}

/** Hono's context, of a route with or without a key. */
type CallContext = Pick<Context<HttpEnv>, "get" | "header" | "req" | "res" | "env">;

/** The key of a call: `valid`, `failed` if it was read and is not valid, `unread` if there is none that was read. */
export type KeyState = "valid" | "failed" | "unread";

/** Limits by key, which the operator gives an account: each of its keys has own windows with `factor` times the limits. */
export interface KeyLimits {
  keyId: string;
  factor: number;
}

/** Calls whose keys must not be read, as the limiter said: clients with failed keys, clients with an operation, and tokens. */
const refusals = new ExpiringMap<true>(MAX_REMEMBERED_REFUSALS);

/** Counts the call of an operation that needs no key and sets the rate limit headers, on errors too. */
export function rateLimit(limit: OperationLimit): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const status = await countCall(c, limit);
    await next();
    extendRetryAfter(c, status);
  };
}

/** Sets the rate limit headers of a window without calls. They are in the answer only if the limiter fails to count the call. */
export function announceLimit({ perMinute, failsClosed }: OperationLimit): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    setHeaders(c, perMinute, { remaining: failsClosed ? 0 : perMinute, waitSeconds: toSeconds(RATE_LIMIT_WINDOW_MS) });
    await next();
  };
}

/**
 * Counts the call for its client, sets the rate limit headers, and throws 429 if the client is over the limit. Calls
 * with a valid key, or of an operation that needs none, have other windows than calls without a valid key. A call of a key
 * with limits of its own counts for the key instead of the client. Returns null if the limiter failed.
 */
export async function countCall(
  c: CallContext,
  limit: OperationLimit,
  key?: KeyState,
  keyLimits: KeyLimits | null = null,
): Promise<RateLimitStatus | null> {
  const { requestId, now } = c.get("context");
  const client = clientName(c.req.raw.headers);
  const isValid = key === undefined || key === "valid";
  const { operation } = limit;
  const maxCalls = maxCallsOf(limit, keyLimits);
  const check = {
    requestId,
    // An object of their own: so many calls that they overload it do not stop the callers with keys.
    name: isValid ? windowsOf(client, keyLimits) : `no valid key ${client}`,
    operation,
    limit: maxCalls,
    ...(keyLimits !== null && { resolutionMs: KEY_LIMIT_RESOLUTION_MS }),
    ...((key === "valid" || key === "failed") && { keyIsValid: isValid }),
  };
  const status = await checkRateLimit(c.env, check, (cause) => (limit.failsClosed ? limiterFailed(cause) : null));
  if (status === null) return null;
  if (key === "valid" && status.unreadMs !== undefined)
    refusals.set(`${windowsOf(client, keyLimits)} ${operation}`, true, now + status.unreadMs);
  if (key === "failed" && status.unreadMs !== undefined) {
    refusals.set(client, true, now + status.unreadMs);
    refuseFailedKeys(c, status.unreadMs);
  }
  setHeaders(c, maxCalls, status);
  if (!status.allowed)
    throw tooManyCalls(status.waitSeconds, isValid ? whoseOf(keyLimits) : " without a valid API key");
  return status;
}

const maxCallsOf = ({ perMinute }: OperationLimit, keyLimits: KeyLimits | null) => perMinute * (keyLimits?.factor ?? 1);

/** The limiter that has the windows of a valid call. */
const windowsOf = (client: string, keyLimits: KeyLimits | null) =>
  keyLimits === null ? client : `key ${keyLimits.keyId}`;

const whoseOf = (keyLimits: KeyLimits | null) => (keyLimits === null ? "" : " with this API key");

/** A window that an address or a session has for many operations. */
export interface CallWindow {
  name: string;
  /** What is counted together. */
  kind: string;
  limit: number;
  /** The hash of a token that was read for the call. It is read no more if too many calls were refused after that. */
  tokenHash?: string;
}

/**
 * Counts a call in the window, sets the rate limit headers, and throws 429 if there are too many; if `failsClosed`, 503
 * while the limiter fails.
 */
export async function countInWindow(c: CallContext, failsClosed: boolean, window: CallWindow): Promise<void> {
  const { name, kind, limit, tokenHash } = window;
  const { requestId, now } = c.get("context");
  const check = { requestId, name, operation: kind, limit, ...(tokenHash !== undefined && { keyIsValid: true }) };
  const status = await checkRateLimit(c.env, check, (cause) => (failsClosed ? limiterFailed(cause) : null));
  if (status === null) return;
  if (tokenHash !== undefined && status.unreadMs !== undefined)
    refusals.set(`token ${tokenHash}`, true, now + status.unreadMs);
  setHeaders(c, limit, status);
  if (!status.allowed) throw tooManyCalls(status.waitSeconds);
}

/**
 * Throws 429 if the limiter refused so many calls of the client that their keys are not read. `known` are the limits of a
 * key that was valid shortly before: it is exempt from the refusal of failed keys, and with limits of its own from that of
 * the client's window, so that others at its address cannot lock it out.
 */
export function refuseUnread(c: CallContext, limit: OperationLimit, known: KeyLimits | null | undefined): void {
  const { now } = c.get("context");
  const client = clientName(c.req.raw.headers);
  if (known === undefined) refuseFailed(c);
  const keyLimits = known ?? null;
  const overLimitMs = refusals.remainingMs(`${windowsOf(client, keyLimits)} ${limit.operation}`, now);
  if (overLimitMs === 0) return;
  const waitSeconds = toSeconds(overLimitMs);
  setHeaders(c, maxCallsOf(limit, keyLimits), { remaining: 0, waitSeconds });
  throw tooManyCalls(waitSeconds, whoseOf(keyLimits));
}

/** Throws 429 if the client sent so many keys and tokens that are not valid that further ones are not read. */
export function refuseFailed(c: CallContext): void {
  const unreadMs = refusals.remainingMs(clientName(c.req.raw.headers), c.get("context").now);
  if (unreadMs > 0) refuseFailedKeys(c, unreadMs);
}

/** Throws 429 if the window with this limit refused so many calls that the token is not read. */
export function refuseUnreadToken(c: CallContext, { tokenHash, limit }: { tokenHash: string; limit: number }): void {
  const unreadMs = refusals.remainingMs(`token ${tokenHash}`, c.get("context").now);
  if (unreadMs === 0) return;
  const waitSeconds = toSeconds(unreadMs);
  setHeaders(c, limit, { remaining: 0, waitSeconds });
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
  throw rateLimited("Your IP address sent too many access tokens or API keys that are not valid.", waitSeconds);
}

const tooManyCalls = (waitSeconds: number, which = "") => rateLimited(`Too many requests${which}.`, waitSeconds);

function setHeaders(
  c: CallContext,
  limit: number,
  { remaining, waitSeconds }: Pick<RateLimitStatus, "remaining" | "waitSeconds">,
): void {
  c.header("X-RateLimit-Limit", String(limit));
  c.header("X-RateLimit-Remaining", String(remaining));
  c.header("X-RateLimit-Reset", String(waitSeconds));
}
