import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { hasVersion } from "../lib/etag.ts";
import { MAX_IF_MATCH_CHARS } from "./limits.ts";

/** The request header of operations that answer with a 304 if the client has the current version. */
export const ifNoneMatchHeaders = z.object({
  "if-none-match": z.string().max(MAX_IF_MATCH_CHARS).optional().openapi({
    description: "The `ETag` of the version that you have. If it is current, the response is a 304 without a body.",
    example: '"5f2b9c"',
  }),
});

/**
 * Sets the `ETag` and makes browsers revalidate their copies. Returns true if the client of a GET or HEAD has this version
 * already, so that the response is a 304.
 */
export function isUnchanged(c: Context, etag: string): boolean {
  c.header("ETag", `"${etag}"`);
  c.header("Cache-Control", "private, no-cache");
  if (c.req.method !== "GET" && c.req.method !== "HEAD") return false;
  return hasVersion(c.req.header("If-None-Match") ?? null, etag);
}
