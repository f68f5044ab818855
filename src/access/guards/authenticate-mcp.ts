import type { Context, MiddlewareHandler } from "hono";
import { isAppToken } from "../../platform/auth/app-token.ts";
import type { AuthEnv, RequestContext } from "../../platform/auth/principal.ts";
import { accountDisabled } from "../../platform/auth/require-permissions.ts";
import { SCOPES } from "../../platform/auth/scopes.ts";
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
import { canSignIn } from "../sessions/can-sign-in.ts";
import { limiterOf } from "./authenticate-app.ts";
import { authenticateKey } from "./authenticate.ts";
import { GRANT_MESSAGES, GRANT_USE_RESOLUTION_MS, MAX_REMEMBERED_KEYS, REMEMBERED_KEY_TTL_MS } from "./limits.ts";

/** Where clients find the metadata of `/mcp` (RFC 9728, 3.1). */
const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource/mcp";

/** The access tokens that were valid at their last use, by hash. They are read at each use all the same. */
const knownTokens = new ExpiringMap<true>(MAX_REMEMBERED_KEYS);

/**
 * Authenticates the sender of a message to `/mcp`: an app by its access token, or a key. The response to everybody else says
 * where an app can be connected, and names all scopes (RFC 6750, 3; RFC 9728, 5.1).
 */
export function authenticateMcp(limit: OperationLimit): MiddlewareHandler<AuthEnv> {
  const byKey = authenticateKey(limit, []);
  return async (c, next) => {
    const header = c.req.header("Authorization");
    if (!canSignIn(c.get("context"))) return byKey(c, next);
    // Not counted: an address may be that of all users of one assistant, and all of them begin like this.
    if (header === undefined) throw unauthorized("Send an access token or an API key.", challengeOf(c));
    const [, token = ""] = /^Bearer +(\S+)$/i.exec(header) ?? [];
    try {
      if (!isAppToken("access", token)) return await byKey(c, next);
      await authenticateToken(c, limit, token);
    } catch (error) {
      throw withChallenge(error, challengeOf(c, "invalid_token"));
    }
    await next();
  };
}

/** The challenge of a 401 or a 403, with all scopes. */
export function challengeOf(c: Context<AuthEnv>, error?: "invalid_token" | "insufficient_scope"): string {
  const metadata = publicOrigin(c) + RESOURCE_METADATA_PATH;
  const parts = error === undefined ? [] : [`error="${error}"`];
  parts.push(`scope="${SCOPES.join(" ")}"`, `resource_metadata="${metadata}"`);
  return `Bearer ${parts.join(", ")}`;
}

async function authenticateToken(c: Context<AuthEnv>, limit: OperationLimit, token: string): Promise<void> {
  const context = c.get("context");
  const hash = await hashToken(token);
  // An address may be that of all users of one assistant: no app that is known waits for others there.
  if (knownTokens.get(hash, context.now) === undefined) refuseFailed(c);
  refuseUnreadToken(c, { tokenHash: hash, limit: GRANT_MESSAGES });
  const app = await findApp(context.db, hash, context.now);
  const fault = app === null ? null : faultOf(app);
  if (app !== null && fault === null) knownTokens.set(hash, true, context.now + REMEMBERED_KEY_TTL_MS);
  else knownTokens.delete(hash);
  // Counted by address only if the token is unknown.
  if (app === null) {
    await countCall(c, limit, "failed");
    throw unauthorized("This access token is not valid. Its app was disconnected, or never connected.");
  }
  const { principal } = app;
  c.set("caller", principal.grantId);
  await countInWindow(c, limit.failsClosed, {
    name: limiterOf(principal),
    kind: "messages of apps",
    limit: GRANT_MESSAGES,
    tokenHash: hash,
  });
  if (fault !== null) throw fault;
  recordUseLater(context, app);
  c.set("context", { ...context, principal });
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
