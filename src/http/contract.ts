import { z } from "@hono/zod-openapi";

/** A response with a JSON body. */
export function json<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/** A request with a JSON body. */
export function jsonBody<S extends z.ZodType>(schema: S) {
  return { body: { required: true, content: { "application/json": { schema } } } };
}

/** What deleting and revoking answer. */
export const Success = z.object({ success: z.literal(true) }).openapi("Success");
