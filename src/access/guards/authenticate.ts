import type { Context, MiddlewareHandler } from "hono";
import type { HttpEnv } from "../../platform/http/context.ts";
import { accountDeleted, unauthorized } from "../../platform/http/errors.ts";
import { ExpiringMap } from "../../platform/lib/expiring-map.ts";
import { appOf } from "../../platform/auth/in-process.ts";
import { hashKey } from "../../platform/auth/key.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { LAST_USED_RESOLUTION_MS, MAX_REMEMBERED_KEYS, REMEMBERED_KEY_TTL_MS } from "./limits.ts";
import { authenticateApp, hasAppToken } from "./authenticate-app.ts";
import { canSignIn } from "../sessions/can-sign-in.ts";
import { authenticatePerson, hasSessionCookie } from "./authenticate-person.ts";
import {
  countCall,
  extendRetryAfter,
  refuseUnread,
  type KeyLimits,
  type KeyState,
  type OperationLimit,
} from "../../platform/rate-limit/middleware.ts";
import type { Permission } from "../../platform/auth/permissions.ts";
import type { AuthEnv, RequestContext } from "../../platform/auth/principal.ts";
import { accountDisabled, requirePermissions } from "../../platform/auth/require-permissions.ts";
import { otherKeyHeader, readAuthorization } from "../../platform/auth/read-authorization.ts";
import { findCredential, recordUse, type Credential } from "../../platform/auth/store/keys.ts";

/** The key of a call, or the error without a valid one. */
type ReadKey =
  | { state: Extract<KeyState, "valid">; credential: Credential }
  | { state: Exclude<KeyState, "valid">; credential: Credential | null; error: unknown };

/** The keys that were valid at their last use, by hash, with the limits that they had. They are read at each use all the same. */
const knownKeys = new ExpiringMap<KeyLimits | null>(MAX_REMEMBERED_KEYS);

/**
 * Authenticates the caller, counts the call and checks the permissions. Without any, each valid key, each session and each app
 * is accepted.
 */
export function authenticate(limit: OperationLimit, permissions: readonly Permission[]): MiddlewareHandler<AuthEnv> {
  const byKey = authenticateKey(limit, permissions);
  const byCookie = authenticatePerson(limit, permissions);
  const byGrant = authenticateApp(limit, permissions);
  return (c, next) => {
    if (appOf(c.req.raw) !== undefined || (hasAppToken(c) && canSignIn(c.get("context")))) return byGrant(c, next);
    // With an Authorization header, cookies are ignored.
    return (c.req.header("Authorization") === undefined && hasSessionCookie(c) ? byCookie : byKey)(c, next);
  };
}

/** As {@link authenticate}, by a key alone. Counts the call in the window of the outcome: of valid keys, or of others. */
export function authenticateKey(limit: OperationLimit, permissions: readonly Permission[]): MiddlewareHandler<AuthEnv> {
  return async (c, next) => {
    const key = await readKey(c, limit);
    if (key.credential !== null) {
      const { id, accountId } = key.credential;
      c.set("keyCall", { accountId, keyId: id, operation: limit.operation });
    }
    if (key.state === "valid") c.set("caller", key.credential.id);
    const status = await countCall(c, limit, key.state, key.state === "valid" ? limitsOf(key.credential) : null);
    if (key.state !== "valid") throw key.error;
    const context = c.get("context");
    const { id: keyId, accountId, expiresAt, linkDefaults, isUntrusted } = key.credential;
    recordUseLater(context, key.credential);
    const own = key.credential.permissions;
    const ofAccount = { accountId, linkDefaults, isUntrusted };
    const limits = limitsOf(key.credential);
    const principal = { type: "key" as const, keyId, limits, permissions: own, expiresAt, ...ofAccount };
    if (key.credential.isDeleted) throw accountDeleted();
    if (key.credential.isDisabled) throw accountDisabled();
    requirePermissions(principal, permissions);
    c.set("context", { ...context, principal });
    await next();
    extendRetryAfter(c, status);
  };
}

/**
 * Whether the request has credentials. Wrong credentials are an error; the caller is then not treated as anonymous. So is
 * a key in a header that is not read. An empty Authorization header is wrong too, where the Worker sees it: workerd drops an empty Authorization header that it reads from a socket.
 */
export function hasCredentials<E extends HttpEnv>(c: Context<E>): boolean {
  const hasKey = c.req.header("Authorization") !== undefined || otherKeyHeader(c.req.raw.headers) !== undefined;
  return hasKey || hasSessionCookie(c) || appOf(c.req.raw) !== undefined;
}

export const keyRevoked = () => unauthorized("This API key was revoked. Create a new one.");

const unread = (message: string): ReadKey => ({ state: "unread", credential: null, error: unauthorized(message) });

/** Reads the key with one indexed read. A key of another form costs none. */
async function readKey(c: Context<AuthEnv>, limit: OperationLimit): Promise<ReadKey> {
  const { key, fault: formFault } = readAuthorization(c.req.raw.headers);
  if (key === undefined) return unread(formFault);
  const { db, now } = c.get("context");
  const hash = await hashKey(key);
  refuseUnread(c, limit, knownKeys.get(hash, now));
  try {
    const credential = await findCredential(db, hash);
    const fault = faultOf(credential, now);
    if (credential !== null && fault === null) {
      knownKeys.set(hash, limitsOf(credential), now + REMEMBERED_KEY_TTL_MS);
      return { state: "valid", credential };
    }
    knownKeys.delete(hash);
    return { state: "failed", credential, error: fault };
  } catch (error) {
    // Counted without a valid key, so that customers find their windows as they were when the database is back.
    return { state: "unread", credential: null, error };
  }
}

function limitsOf({ id, rateLimitFactor }: Credential): KeyLimits | null {
  return rateLimitFactor === null ? null : { keyId: id, factor: rateLimitFactor };
}

const INVALID_KEY = "This API key is not valid. Check that it was copied completely.";

/** Returns the error of a key that is not valid, or null. */
function faultOf(credential: Credential | null, now: number): Error | null {
  if (credential === null) return unauthorized(INVALID_KEY);
  if (credential.revokedAt !== null) return keyRevoked();
  const isExpired = credential.expiresAt !== null && credential.expiresAt <= now;
  return isExpired ? unauthorized("This API key has expired. Create a new one.") : null;
}

/** Records the use of the key, at most once in {@link LAST_USED_RESOLUTION_MS}, also by parallel calls. */
function recordUseLater({ db, now, country, waitUntil }: RequestContext, { id, lastUsedAt }: Credential): void {
  const before = now - LAST_USED_RESOLUTION_MS;
  if (lastUsedAt !== null && lastUsedAt > before) return;
  waitUntil(
    recordUse(db, id, { now, before, country }).catch((error: unknown) =>
      log("warn", "record_key_use_failed", describeError(error)),
    ),
  );
}
