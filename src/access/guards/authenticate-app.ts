import type { Context, MiddlewareHandler } from "hono";
import { isAppToken } from "../../platform/auth/app-token.ts";
import { challengeOf } from "../../platform/auth/challenge.ts";
import { needsConfirmation, requireConfirmedApp } from "../../platform/auth/confirmed-operations.ts";
import { appOf } from "../../platform/auth/in-process.ts";
import type { Permission } from "../../platform/auth/permissions.ts";
import type { AppPrincipal, AuthEnv, RequestContext } from "../../platform/auth/principal.ts";
import { accountDisabled, requirePermissions } from "../../platform/auth/require-permissions.ts";
import type { AppResource } from "../../platform/auth/scopes.ts";
import { findApp, recordAppUse, type AppCredential } from "../../platform/auth/store/apps.ts";
import { accountDeleted, mfaRequired, unauthorized, withChallenge } from "../../platform/http/errors.ts";
import { publicOrigin } from "../../platform/http/origin.ts";
import { ExpiringMap } from "../../platform/lib/expiring-map.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { hashToken } from "../../platform/lib/token.ts";
import {
  countCall,
  countInWindow,
  refuseFailed,
  refuseUnreadToken,
  type OperationLimit,
} from "../../platform/rate-limit/middleware.ts";
import {
  GRANT_USE_RESOLUTION_MS,
  MAX_REMEMBERED_KEYS,
  REMEMBERED_KEY_TTL_MS,
  SESSION_CHANGES,
  SESSION_READS,
} from "./limits.ts";

/** The access tokens that were valid at their last use, by hash. They are read at each use all the same. */
const knownTokens = new ExpiringMap<true>(MAX_REMEMBERED_KEYS);

/** The text after `Bearer`; null: there is none. */
function bearerOf(c: Context<AuthEnv>): string | null {
  return /^Bearer +(\S+)$/i.exec(c.req.header("Authorization") ?? "")?.[1] ?? null;
}

/** Whether the request has what looks like the access token of an app. */
export const hasAppToken = (c: Context<AuthEnv>): boolean => isAppToken("access", bearerOf(c) ?? "");

/** The limiter that has the windows of the app. */
const limiterOf = ({ grantId }: AppPrincipal): string => `grant ${grantId}`;

/**
 * Authenticates an app on the API: by its access token, or, if one of its tools makes the call in this process, without. Counts
 * the call for the grant, as calls of a session, and not for the address: all users of an assistant may share it.
 */
export function authenticateApp(limit: OperationLimit, permissions: readonly Permission[]): MiddlewareHandler<AuthEnv> {
  return async (c, next) => {
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    const window = isRead
      ? { kind: "reads of apps", limit: SESSION_READS }
      : { kind: "changes of apps", limit: SESSION_CHANGES };
    const principal = appOf(c.req.raw) ?? (await readApp(c, limit, "/api", window));
    if (appOf(c.req.raw) !== undefined) {
      c.set("caller", principal.grantId);
      await countInWindow(c, limit.failsClosed, { name: limiterOf(principal), ...window });
    }
    requirePermissions(principal, permissions);
    const context = c.get("context");
    if (needsConfirmation(limit.operation)) requireConfirmedApp(limit.operation, { ...context, principal });
    c.set("context", { ...context, principal });
    await next();
  };
}

/**
 * Reads the access token of the request, and counts the call in the window of its grant. `limit` is that of the address, in whose
 * window unknown tokens count. Throws 401 with a challenge unless the token is for the resource and its app may act.
 */
export async function readApp(
  c: Context<AuthEnv>,
  limit: OperationLimit,
  resource: AppResource,
  window: { kind: string; limit: number },
): Promise<AppPrincipal> {
  try {
    return await readToken(c, limit, resource, window);
  } catch (error) {
    throw withChallenge(error, challengeOf(publicOrigin(c), resource, "invalid_token"));
  }
}

async function readToken(
  c: Context<AuthEnv>,
  limit: OperationLimit,
  resource: AppResource,
  window: { kind: string; limit: number },
): Promise<AppPrincipal> {
  const context = c.get("context");
  const hash = await hashToken(bearerOf(c) ?? "");
  // An address may be that of all users of one assistant: no app that is known waits for others there.
  if (knownTokens.get(hash, context.now) === undefined) refuseFailed(c);
  refuseUnreadToken(c, { tokenHash: hash, limit: window.limit });
  const app = await findApp(context.db, hash, resource, context.now).catch(async (error: unknown) => {
    // Every answer has the rate limit headers (8.1 of the specification).
    await countCall(c, limit, "unread");
    throw error;
  });
  const fault = app === null ? null : faultOf(app);
  if (app !== null && fault === null) knownTokens.set(hash, true, context.now + REMEMBERED_KEY_TTL_MS);
  else knownTokens.delete(hash);
  // Counted by address only if the token is unknown.
  if (app === null) {
    await countCall(c, limit, "failed");
    throw unauthorized(`This access token is not valid for ${resource}. Connect the app to ${resource} again.`);
  }
  const principal = { ...app.principal, origin: publicOrigin(c) };
  c.set("caller", principal.grantId);
  await countInWindow(c, limit.failsClosed, { name: limiterOf(principal), ...window, tokenHash: hash });
  if (fault !== null) throw fault;
  recordUseLater(context, app);
  return principal;
}

/** Returns the error of a token that is known and not valid, or null. */
function faultOf({ isExpired, isDeleted, isDisabled, lacksFactor }: AppCredential): Error | null {
  if (isExpired) return unauthorized("This access token has expired. Refresh it.");
  if (isDeleted) return accountDeleted();
  if (isDisabled) return accountDisabled();
  return lacksFactor ? mfaRequired("app_needs_proof") : null;
}

type Caller = Pick<RequestContext, "db" | "now" | "waitUntil">;

/** Records that the app is used, at most once in {@link GRANT_USE_RESOLUTION_MS}. */
function recordUseLater({ db, now, waitUntil }: Caller, { principal, lastUsedAt }: AppCredential): void {
  if (now - (lastUsedAt ?? 0) < GRANT_USE_RESOLUTION_MS) return;
  waitUntil(
    recordAppUse(db, principal.grantId, now).catch((error: unknown) =>
      log("warn", "record_app_use_failed", describeError(error)),
    ),
  );
}
