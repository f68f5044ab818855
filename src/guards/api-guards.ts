import { z, type RouteConfig } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { BODY_BOUNDS, boundedBody, type BodyBounds } from "../http/body.ts";
import type { HttpEnv } from "../http/context.ts";
import { describeRoute } from "../http/openapi.ts";
import { refuseUnusedHeaders } from "../http/unused-headers.ts";
import { RATE_LIMITS } from "../rate-limits.ts";
import { countAnonymousLink } from "../rate-limit/creation-limits.ts";
import { rateLimit, type Operation } from "../rate-limit/middleware.ts";
import { authenticate, hasCredentials } from "./authenticate.ts";
import type { Permission } from "../auth/permissions.ts";
import type { AuthEnv, MaybeAuthEnv } from "../auth/principal.ts";

/** A route as its contract defines it, such as `GET /api/links/{id}`. */
export type Contract = RouteConfig & { getRoutingPath(): string };

/** The route's key in {@link RATE_LIMITS}, such as `GET /api/links/:id`. */
type OperationOf<R extends Contract> = `${Uppercase<R["method"]>} ${ReturnType<R["getRoutingPath"]>}`;

/** Fails to compile for a route that has no rate limit. */
export type Limited<R extends Contract> =
  OperationOf<R> extends Operation ? unknown : { missingRateLimit: OperationOf<R> };

export type Guarded<R, E extends HttpEnv> = R & { middleware: [MiddlewareHandler<E>] };

/**
 * The route for callers with an API key that has the permissions; without `permission`, with any key. `bounds` is null if
 * the handler reads the body itself.
 */
export function requireKey<R extends Contract>(
  route: R & Limited<R>,
  permission?: Permission | readonly Permission[],
  bounds: BodyBounds | null = BODY_BOUNDS,
): Guarded<R, AuthEnv> {
  const operation = operationOf(route);
  const permissions = permission === undefined ? [] : [permission].flat();
  const guards = [authenticate(operation, permissions)];
  return protect(route, `${describePermissions(permissions)} ${describeLimit(operation)}`, guards, bounds);
}

/** The route for everyone. */
export function allowAnonymous<R extends Contract>(route: R & Limited<R>): Guarded<R, HttpEnv> {
  const operation = operationOf(route);
  return protect(route, describeLimit(operation), [rateLimit(operation)], BODY_BOUNDS);
}

/** `POST /api/shorten`, which callers with and without a key may use. Both have rate limits of their own. */
export function acceptKey<R extends RouteConfig>(route: R, permission: Permission): Guarded<R, MaybeAuthEnv> {
  const withKey = "POST /api/shorten (authenticated)";
  const anonymous = "POST /api/shorten (anonymous)";
  const limits = `At most ${RATE_LIMITS[withKey]} calls a minute with a key, ${RATE_LIMITS[anonymous]} without a key.`;
  const guards = [
    guardIf(true, authenticate(withKey, [permission])),
    guardIf(false, rateLimit(anonymous)),
    guardIf(false, admitAnonymous),
  ];
  const optionalKey = { ...route, security: [{ apiKey: [] }, { session: [] }, {}] };
  return protect(optionalKey, `${describePermissions([permission])} ${limits}`, guards, BODY_BOUNDS);
}

/** The guard for callers with credentials, or for those without. */
function guardIf<E extends HttpEnv>(withCredentials: boolean, guard: MiddlewareHandler<E>): MiddlewareHandler<E> {
  return (c, next) => (hasCredentials(c) === withCredentials ? guard(c, next) : next());
}

/** Counts the link of a caller without a key, and adds to the context that there is none. */
const admitAnonymous: MiddlewareHandler<MaybeAuthEnv> = async (c, next) => {
  const context = c.get("context");
  await countAnonymousLink(context, c.req.raw.headers);
  c.set("context", { ...context, principal: null });
  await next();
};

export function operationOf(route: Contract): Operation {
  return `${route.method.toUpperCase()} ${route.getRoutingPath()}` as Operation;
}

function describePermissions(permissions: readonly Permission[]): string {
  if (permissions.length === 0) return "Any API key is accepted.";
  const names = permissions.map((permission) => `\`${permission}\``);
  return `Permission${names.length > 1 ? "s" : ""}: ${names.join(" and ")}.`;
}

export function describeLimit(operation: Operation): string {
  return `At most ${RATE_LIMITS[operation]} calls a minute.`;
}

/** Adds what a request passes before its handler, in this order: key and rate limit, headers, body size, validation. */
export function protect<R extends RouteConfig, E extends HttpEnv>(
  route: R,
  description: string,
  guards: (MiddlewareHandler<HttpEnv> | MiddlewareHandler<AuthEnv> | MiddlewareHandler<MaybeAuthEnv>)[],
  bounds: BodyBounds | null,
): Guarded<R, E> {
  const strict = { ...route, request: { query: z.strictObject({}), ...route.request } };
  const described = describeRoute(strict, description);
  const body = route.request?.body === undefined || bounds === null ? [] : [boundedBody(bounds)];
  const middleware = [...guards, ...refuseUnusedHeaders(route), ...body];
  // The guards have different environments; the handler sees that of the last one.
  return { ...described, middleware: middleware as unknown as [MiddlewareHandler<E>] };
}
