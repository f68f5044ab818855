import { z, type RouteConfig } from "@hono/zod-openapi";
import { ErrorBody } from "./error-body.ts";
import type { Tag } from "./openapi.ts";
import { COOKIE_HEADER, RETRY_HEADER } from "./openapi-components.ts";

/** What the contract of a route begins with. The name of the operation in the document is made of the summary. */
export function operation<M extends RouteConfig["method"], P extends string>(
  method: M,
  path: P,
  tag: Tag,
  summary: string,
) {
  return { method, path, tags: [tag], summary };
}

/** Of operations that need the session of a person. */
export const sessionOnly = { security: [{ session: [] }] };

/** A response with a JSON body. */
export function json<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/** The same with a cookie. */
export function jsonWithCookie<S extends z.ZodType>(schema: S, description: string) {
  return { ...json(schema, description), headers: COOKIE_HEADER };
}

/** A response with a page, or with JSON for clients that prefer it. */
export function pageOrJson<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { "text/html": { schema: z.string() }, "application/json": { schema } } };
}

/** The 503 of a short link. */
export function unavailablePage(description: string) {
  return { ...pageOrJson(ErrorBody, description), headers: RETRY_HEADER };
}

/** The response to a request that conflicts with the present state. `when` names the possible conflicts. */
export function conflicting(when: string) {
  return { 409: json(ErrorBody, when) };
}

/** The response to a request whose `If-Match` names no present version. */
export const preconditionResponse = {
  412: json(ErrorBody, "The resource was changed since you read it, so nothing was done."),
};

/** A request with a JSON body. */
export function jsonBody<S extends z.ZodType>(schema: S) {
  return { body: { required: true, content: { "application/json": { schema } } } };
}

/** The body of a successful deletion or revocation. */
export const Success = z
  .object({ success: z.literal(true).openapi({ description: "Always true." }) })
  .openapi("Success", { description: "The request was carried out.", example: { success: true } });
export const SUCCESS = { success: true as const };
