import type { MiddlewareHandler } from "hono";
import type { Permission } from "../../platform/auth/permissions.ts";
import { SCOPES } from "../../platform/auth/scopes.ts";
import type { AuthEnv, MaybeAuthEnv } from "../../platform/auth/principal.ts";
import type { HttpEnv } from "../../platform/http/context.ts";
import { countAnonymousLink } from "../../platform/rate-limit/creation-limits.ts";
import { announceLimit, rateLimit } from "../../platform/rate-limit/middleware.ts";
import { authenticate, hasCredentials } from "./authenticate.ts";
import { describeLimit, toLimit, type Access, type CallsPerMinute } from "./route.ts";

/** Callers with an API key that has the permissions, and persons whose role has them. Without any, each key and session. */
export function requireKey(...permissions: Permission[]): Access<AuthEnv> {
  return (operation, calls) => {
    const limit = toLimit(operation, calls);
    return {
      guards: [authenticate(limit, permissions)],
      limits: [limit],
      description: `${describePermissions(permissions)} ${describeLimit(limit)}`,
      security: securityOf(permissions),
    };
  };
}

/** Everyone. */
export const allowAnonymous: Access<HttpEnv> = (operation, calls) => {
  const limit = toLimit(operation, calls);
  return { guards: [rateLimit(limit)], limits: [limit], description: describeLimit(limit) };
};

/** Callers with and without a key. Both have limits of their own. */
export function acceptKey(
  permission: Permission,
): Access<MaybeAuthEnv, Record<"authenticated" | "anonymous", CallsPerMinute>> {
  return (operation, { authenticated, anonymous }) => {
    const withKey = toLimit(`${operation} (authenticated)`, authenticated);
    const withoutKey = toLimit(`${operation} (anonymous)`, anonymous);
    const limits = `At most ${withKey.perMinute} calls a minute with a key, ${withoutKey.perMinute} without a key, which also count for the network (IPv4 /24, IPv6 /48).`;
    return {
      guards: [
        // Every answer has the rate limit headers (8.1 of the specification), also while the limiter fails.
        guardIf(true, announceLimit(withKey)),
        guardIf(false, announceLimit(withoutKey)),
        guardIf(true, authenticate(withKey, [permission])),
        guardIf(false, rateLimit(withoutKey)),
        guardIf(false, admitAnonymous),
      ],
      limits: [withKey, withoutKey],
      description: `${describePermissions([permission])} ${limits}`,
      security: [...securityOf([permission]), {}],
    };
  };
}

/** What a caller can send, for the OpenAPI document: an app only where its scopes suffice. */
function securityOf(permissions: readonly Permission[]): Record<string, string[]>[] {
  const isOfApps = permissions.every((permission) => (SCOPES as readonly Permission[]).includes(permission));
  return [{ apiKey: [] }, { session: [] }, ...(isOfApps ? [{ app: [...permissions] }] : [])];
}

/** The guard for callers with credentials, or for those without. */
function guardIf<E extends HttpEnv>(withCredentials: boolean, guard: MiddlewareHandler<E>): MiddlewareHandler<E> {
  return (c, next) => (hasCredentials(c) === withCredentials ? guard(c, next) : next());
}

/** Counts the link of a caller without a key, and adds to the context that there is none. */
const admitAnonymous: MiddlewareHandler<MaybeAuthEnv> = async (c, next) => {
  const context = c.get("context");
  const isBurst = await countAnonymousLink(context, c.req.raw.headers);
  c.set("context", { ...context, principal: null, isBurst });
  await next();
};

function describePermissions(permissions: readonly Permission[]): string {
  if (permissions.length === 0) return "Any API key is accepted.";
  const names = permissions.map((permission) => `\`${permission}\``);
  return `Permission${names.length > 1 ? "s" : ""}: ${names.join(" and ")}.`;
}
