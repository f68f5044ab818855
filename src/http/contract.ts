import { z } from "@hono/zod-openapi";
import { ErrorBody } from "./error-body.ts";

/** A response with a JSON body. */
export function json<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/** The response of a request that cannot be fulfilled beside what is there already; `when` says what that may be. */
export function conflicting(when: string) {
  return { 409: json(ErrorBody, when) };
}

/** A request with a JSON body. */
export function jsonBody<S extends z.ZodType>(schema: S) {
  return { body: { required: true, content: { "application/json": { schema } } } };
}

/** What deleting and revoking answer. */
export const Success = z.object({ success: z.literal(true) }).openapi("Success");
