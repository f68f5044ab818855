import type { Hook } from "@hono/zod-openapi";
import { z } from "@hono/zod-openapi";
import { MAX_TIMESTAMP_MS } from "../limits.ts";
import type { HttpEnv } from "./context.ts";
import { invalidRequest } from "./errors.ts";

type Issue = z.core.$ZodIssue;

/** Turns what zod found into the wire's 400: one detail a field, an unknown field by its name. */
export const onInvalid: Hook<unknown, HttpEnv, string, unknown> = (result) => {
  if (!result.success) throw invalidRequest(result.error.issues.flatMap(toDetails));
};

function toDetails(issue: Issue): { path: string; message: string }[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: [...path, key].join("."),
      message: "is not known here; remove it or correct its name",
    }));
  }
  return [{ path: path.join("."), message: describe(issue) }];
}

function describe(issue: Issue): string {
  if (issue.code === "invalid_type" && issue.input === undefined) return "is required";
  return issue.message;
}

const CONTROL_CHARACTER = /\p{Cc}/u;

/** A line of text without control characters or broken Unicode; spaces around it are dropped. */
export function lineOfText(maxChars: number) {
  return z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(maxChars, `must have at most ${maxChars} characters`)
    .refine(
      (text) => text.isWellFormed() && !CONTROL_CHARACTER.test(text),
      "must not hold control characters or broken Unicode",
    );
}

/** A time in the request: Unix milliseconds or ISO 8601 with an offset, always milliseconds when read. */
export const TimestampInput = z
  .union([z.number(), z.iso.datetime({ offset: true })], {
    error: "must be a time: Unix milliseconds, or ISO 8601 with Z or an offset, such as 2030-01-31T12:00:00Z",
  })
  .transform((time) => (typeof time === "number" ? time : Date.parse(time)))
  .refine(
    (time) => Number.isInteger(time) && time >= 0 && time <= MAX_TIMESTAMP_MS,
    "must be whole milliseconds between 1970 and 9999",
  )
  .openapi({ oneOf: [{ type: "integer" }, { type: "string", format: "date-time" }], example: 1_900_000_000_000 });

/** A time in an answer: Unix milliseconds. */
export const Timestamp = z.number().int().openapi({ description: "Unix milliseconds", example: 1_790_000_000_000 });
