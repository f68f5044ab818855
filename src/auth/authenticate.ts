import type { Context, MiddlewareHandler } from "hono";
import { unauthorized } from "../http/errors.ts";
import { hashKey, isKeyShaped } from "./key.ts";
import { describeError, log } from "../lib/log.ts";
import { LAST_USED_RESOLUTION_MS } from "../limits.ts";
import type { Permission } from "./permissions.ts";
import type { Principal } from "../context.ts";
import type { AuthEnv } from "./principal.ts";
import { requirePermissions } from "./require-permissions.ts";
import { findCredential, recordUse } from "./store.ts";

/** Authenticates the caller (5) and checks the permission. Without `permission`, any valid key is accepted. */
export function authenticate(permission?: Permission): MiddlewareHandler<AuthEnv> {
  return async (c, next) => {
    const principal = await readPrincipal(c);
    if (permission !== undefined) requirePermissions(principal, [permission]);
    c.set("context", { ...c.get("context"), principal });
    await next();
  };
}

/** As {@link authenticate}, for a route that also accepts anonymous callers. */
export function authenticateIfClaimed(permission: Permission): MiddlewareHandler<AuthEnv> {
  const required = authenticate(permission);
  return (c, next) => (hasCredentials(c) ? required(c, next) : next());
}

/**
 * Whether the request has credentials. Wrong credentials are an error; the caller is then not treated as anonymous. An empty
 * header is wrong too, where the Worker sees it: workerd drops an empty Authorization header that it reads from a socket.
 */
export function hasCredentials(c: Context): boolean {
  return c.req.header("Authorization") !== undefined;
}

export const keyRevoked = () => unauthorized("This API key was revoked. Create a new one.");

async function readPrincipal(c: Context<AuthEnv>): Promise<Principal> {
  const header = c.req.header("Authorization");
  if (header === undefined) throw unauthorized("An API key is required. Send the header Authorization: Bearer <key>.");
  const [, key] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (key === undefined) throw unauthorized("The Authorization header must have the form: Bearer <key>.");
  const { env, now, waitUntil } = c.get("context");
  const credential = isKeyShaped(key) ? await findCredential(env.DB, await hashKey(key)) : null;
  if (credential === null) throw unauthorized("This API key is not valid. Check that it was copied completely.");
  if (credential.revokedAt !== null) throw keyRevoked();
  if (credential.expiresAt !== null && credential.expiresAt <= now)
    throw unauthorized("This API key has expired. Create a new one.");
  c.set("caller", credential.id);
  if (secondOf(credential.lastUsedAt ?? 0) !== secondOf(now)) {
    waitUntil(
      recordUse(env.DB, credential.id, now).catch((error: unknown) =>
        log("warn", "record_key_use_failed", describeError(error)),
      ),
    );
  }
  const { id: keyId, accountId, permissions, expiresAt } = credential;
  return { type: "key", keyId, accountId, permissions, expiresAt };
}

/** `lastUsedAt` is exact to the second, so it is written at most once a second. */
function secondOf(time: number): number {
  return Math.floor(time / LAST_USED_RESOLUTION_MS);
}
