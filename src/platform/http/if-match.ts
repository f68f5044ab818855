import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { because } from "./faults.ts";
import { MAX_IF_MATCH_CHARS } from "./limits.ts";

/** Protection against lost updates: a resource's `ETag` in a response, and `If-Match` in a request (RFC 9110, 13.1.1). */

/** A request changes a resource only if it has one of these versions. null: any. */
export type RequiredVersions = readonly number[] | null;

// A tag is any text in quotes, so a comma inside it separates nothing. RFC 9110, 5.6.1, allows empty elements of a list.
const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/;
// Spaces are matched in one way only, so a long header takes linear time.
const TAGS = new RegExp(`^[ \\t,]*${TAG.source}(?:[ \\t]*,(?:[ \\t]*${TAG.source})?)*[ \\t]*$`);

/** The request header of operations that change a resource with an `ETag`. */
export const ifMatchHeaders = z.object({
  "if-match": z
    .string()
    .max(MAX_IF_MATCH_CHARS)
    .refine((text) => text.trim() === "*" || TAGS.test(text), because("wrong_form", { expected: "etags" }))
    .optional()
    .openapi({
      description:
        "The `ETag` of the link as you know it. If the link was changed since then, nothing is done and the response is a 412.",
      example: '"1790000000000"',
    }),
});

/** The header in the responses of operations with such a resource, for contracts. */
export const eTagHeader = {
  headers: {
    ETag: {
      description: "The version of the link's settings, for `If-Match`. Clicks do not change it.",
      schema: { type: "string" as const, example: '"1790000000000"' },
    },
  },
};

/** The versions that a valid `If-Match` names. A weak tag names none, because the comparison is the strong one. */
export function readIfMatch(header: string | undefined): RequiredVersions {
  if (header === undefined || header.trim() === "*") return null;
  return (header.match(new RegExp(TAG, "g")) ?? []).flatMap((tag) =>
    /^"\d{1,15}"$/.test(tag) && tag === toETag(Number(tag.slice(1, -1))) ? [Number(tag.slice(1, -1))] : [],
  );
}

/**
 * Sets the `ETag` of the resource in the response. It covers the settings and not the clicks, so no GET is answered with
 * a 304. Cloudflare compresses responses and then makes their tags weak, which would never match: `no-transform` keeps
 * this one strong.
 */
export function setETag(c: Context, version: number): void {
  c.header("ETag", toETag(version));
  c.header("Cache-Control", "no-store, no-transform");
}

function toETag(version: number): string {
  return `"${version}"`;
}
