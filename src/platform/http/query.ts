import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { badRequest } from "./errors.ts";
import { because } from "./faults.ts";
import { MAX_QUERY_TIME_CHARS } from "./limits.ts";

/** Refuses a query that cannot be decoded. Its broken parts would be searched for as they are, and find nothing. */
export const requireReadableQuery: MiddlewareHandler = async (c, next) => {
  const { url } = c.req;
  const start = url.indexOf("?");
  if (start !== -1 && url.includes("%", start)) {
    try {
      decodeURIComponent(url.slice(start));
    } catch {
      throw badRequest("broken_query");
    }
  }
  await next();
};

/** A time in a query, where every value is a text: digits are Unix milliseconds. `form` parses the time. */
export function queryTime<T>(form: z.ZodType<T, string | number>) {
  return z
    .string()
    .max(MAX_QUERY_TIME_CHARS)
    .transform((text): string | number => (/^\d{1,16}$/.test(text) ? Number(text) : text))
    .pipe(form);
}

/** A query parameter that may be repeated, parsed to a list of its values. `maxChars` is for the OpenAPI document. */
export function repeatable<T>(value: z.ZodType<T, string>, maxItems: number, maxChars: number) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given, context) => {
      const texts = [given].flat();
      if (texts.length > maxItems)
        context.addIssue({ code: "custom", message: because("too_many_times", { max: maxItems }) });
      return texts.slice(0, maxItems).flatMap((text) => {
        const parsed = value.safeParse(text);
        if (parsed.success) return [parsed.data];
        context.addIssue({ code: "custom", message: parsed.error.issues[0]?.message ?? because("invalid") });
        return [];
      });
    })
    .openapi({ type: "array", items: { type: "string", maxLength: maxChars }, maxItems });
}

/** A switch in a query. */
export const queryFlag = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .openapi({ type: "boolean" });
