import { z } from "@hono/zod-openapi";

const EXAMPLE = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";

/** The id of a resource in a response. */
export const Id = z.uuid().openapi({ description: "UUID version 7, in lower case.", example: EXAMPLE });

/**
 * An id in a request. It is found in upper case too (RFC 9562, section 4). Any other text is the id of nothing, so it is
 * not a validation error.
 */
export const IdInput = z.string().toLowerCase().openapi({
  type: "string",
  format: "uuid",
  description: "The id, in upper or lower case.",
  example: EXAMPLE,
});

/** The path parameters of a resource. `name` says what the id is of, such as `link`. */
export function idParams(name: string) {
  return z.object({ id: IdInput.openapi({ description: `The id of the ${name}.` }) });
}
