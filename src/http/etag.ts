import type { Context } from "hono";

/**
 * Sets the `ETag` and makes browsers revalidate their copies. Returns true if the client of a GET or HEAD has this version
 * already, so that the response is a 304.
 */
export function isUnchanged(c: Context, etag: string): boolean {
  c.header("ETag", `"${etag}"`);
  c.header("Cache-Control", "private, no-cache");
  const known = c.req.header("If-None-Match");
  if (known === undefined || (c.req.method !== "GET" && c.req.method !== "HEAD")) return false;
  // A weak comparison (RFC 9110, 13.1.2), because intermediaries that compress a response weaken its tag.
  return known.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === `"${etag}"`);
}
