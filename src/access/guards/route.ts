import { z, type RouteConfig, type RouteHandler } from "@hono/zod-openapi";
import type { Handler, HonoRequest, MiddlewareHandler } from "hono";
import { describeConfirmation } from "../../platform/auth/confirmed-operations.ts";
import type { AuthEnv } from "../../platform/auth/principal.ts";
import { BODY_BOUNDS, boundedBody, type BodyBounds } from "../../platform/http/body.ts";
import type { HttpEnv } from "../../platform/http/context.ts";
import { describeRoute } from "../../platform/http/openapi.ts";
import { answerByObject } from "../../platform/http/passed-call.ts";
import { requireReadableQuery } from "../../platform/http/query.ts";
import { refuseUnusedHeaders } from "../../platform/http/unused-headers.ts";
import type { OperationLimit } from "../../platform/rate-limit/middleware.ts";

/** A route as its contract defines it, such as `GET /api/links/{id}`. */
export type Contract = RouteConfig & { getRoutingPath(): string };

/** Calls a minute of one client. `failsClosed`: they are refused while the limiter fails, because they cost others something. */
export type CallsPerMinute = number | { perMinute: number; failsClosed: true };

/** What a request passes before its headers and its body are read. */
export interface Admission {
  guards: MiddlewareHandler[];
  limits: OperationLimit[];
  /** Permissions and limits, in a sentence or two for the OpenAPI document. */
  description: string;
  /** For a document that differs from the contract. */
  security?: Record<string, string[]>[];
  /** Only the service's own pages can call it: it accepts no key, and nobody without a browser. */
  isOfPages?: true;
}

/** Who may call a route: returns the guards of an operation with its limit. */
export interface Access<E extends HttpEnv, Limit = CallsPerMinute> {
  (operation: string, limit: Limit): Admission;
  /** Only a type, and never set: what the guards leave to the handler in the context. */
  env?: E;
}

/** The operation, such as `GET /api/links/:id`. If callers have different limits, there is one operation for each. */
type OperationOf<R extends Contract, Limit> = Limit extends CallsPerMinute
  ? `${Uppercase<R["method"]>} ${ReturnType<R["getRoutingPath"]>}`
  : `${Uppercase<R["method"]>} ${ReturnType<R["getRoutingPath"]>} (${keyof Limit & string})`;

/** A route with its guards. */
export interface Route<Operation extends string = string> {
  contract: Contract;
  limits: readonly OperationLimit<Operation>[];
  isOfPages: boolean;
  handler: Handler;
}

/**
 * A row in the routes of a feature: the contract, who may call it, how often in a minute, and the handler. A request passes
 * in this order: guards of the access (key or session, rate limit), headers, body size, validation. `bounds` is null if
 * the handler reads the body itself. A call that `computesLong` is answered by an object after the guards.
 */
export function route<R extends Contract, E extends HttpEnv, Limit>(
  contract: R,
  access: Access<E, Limit>,
  limit: NoInfer<Limit>,
  handler: RouteHandler<R, NoInfer<E>>,
  bounds: BodyBounds | null = BODY_BOUNDS,
  computesLong: ComputesLong | null = null,
): Route<OperationOf<R, Limit>> {
  const operation = `${contract.method.toUpperCase()} ${contract.getRoutingPath()}`;
  const { guards, limits, description, security, isOfPages = false } = access(operation, limit);
  const strict = { ...contract, request: { query: z.strictObject({}), ...contract.request } };
  const described = describeRoute(security === undefined ? strict : { ...strict, security }, description);
  const body = contract.request?.body === undefined || bounds === null ? [] : [boundedBody(bounds)];
  const admission = computesLong === null ? guards : [...guards.map(unlessPassed), passOn(computesLong)];
  const middleware = [...admission, ...refuseUnusedHeaders(contract), requireReadableQuery, ...body];
  return {
    contract: { ...described, middleware },
    limits: limits as OperationLimit<OperationOf<R, Limit>>[],
    isOfPages,
    handler: handler as Handler,
  };
}

/** Whether a call can compute for more than 50 ms. Redirects of its isolate would wait for it. */
export type ComputesLong = (request: HonoRequest) => boolean;

/** An object gets calls that have passed the guards. */
const unlessPassed =
  (guard: MiddlewareHandler): MiddlewareHandler =>
  (c, next) =>
    c.get("context").isPassed ? next() : guard(c, next);

/** Lets an object of the account answer the calls that compute long. The object stores nothing. */
function passOn(computesLong: ComputesLong): MiddlewareHandler<AuthEnv> {
  return async (c, next) => (c.get("context").isPassed || !computesLong(c.req) ? next() : answerByObject(c));
}

/** For the row of a route whose handler finds out whether the call computes long (`requireShort`). */
export const findsOut: ComputesLong = () => false;

/** The limit of a route whose calls cost others something: they are refused while the limiter fails. */
export const failClosed = (perMinute: number): CallsPerMinute => ({ perMinute, failsClosed: true });

export function toLimit(operation: string, calls: CallsPerMinute): OperationLimit {
  return typeof calls === "number" ? { operation, perMinute: calls, failsClosed: false } : { operation, ...calls };
}

/** A sentence for the OpenAPI document. */
export function describeLimit({ operation, perMinute }: OperationLimit): string {
  return [`At most ${perMinute} calls a minute.`, ...describeConfirmation(operation)].join(" ");
}
