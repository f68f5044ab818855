import type { MiddlewareHandler } from "hono";
import { needsConfirmation } from "../../platform/auth/confirmed-operations.ts";
import { appOf } from "../../platform/auth/in-process.ts";
import type { Permission } from "../../platform/auth/permissions.ts";
import type { AppPrincipal, AuthEnv } from "../../platform/auth/principal.ts";
import { appCannotConfirm } from "../../platform/auth/require-confirmed.ts";
import { requirePermissions } from "../../platform/auth/require-permissions.ts";
import { countInWindow, type OperationLimit } from "../../platform/rate-limit/middleware.ts";
import { SESSION_CHANGES, SESSION_READS } from "./limits.ts";

/** The limiter that has the windows of the app. */
export const limiterOf = ({ grantId }: AppPrincipal): string => `grant ${grantId}`;

/**
 * Authenticates a call that a tool makes for an app. Counts it for the grant, as calls of a session, and not for the address:
 * all users of an assistant may share it.
 */
export function authenticateApp(
  { operation, failsClosed }: OperationLimit,
  permissions: readonly Permission[],
): MiddlewareHandler<AuthEnv> {
  return async (c, next) => {
    const principal = appOf(c.req.raw);
    if (principal === undefined) throw new Error("the request is not of an app");
    const context = c.get("context");
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    const window = isRead
      ? { kind: "reads of apps", limit: SESSION_READS }
      : { kind: "changes of apps", limit: SESSION_CHANGES };
    c.set("caller", principal.grantId);
    await countInWindow(c, failsClosed, { name: limiterOf(principal), ...window });
    requirePermissions(principal, permissions);
    if (needsConfirmation(operation)) throw appCannotConfirm(context.baseUrl);
    c.set("context", { ...context, principal });
    await next();
  };
}
