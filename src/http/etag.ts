import type { Context } from "hono";

/**
 * Sets the answer's `ETag` and has browsers ask whether it is still right before they use their copy.
 * True where the caller of a GET or HEAD has this version already, so that 304 without a body is the answer.
 */
export function isUnchanged(c: Context, etag: string): boolean {
  c.header("ETag", `"${etag}"`);
  c.header("Cache-Control", "private, no-cache");
  const known = c.req.header("If-None-Match");
  if (known === undefined || (c.req.method !== "GET" && c.req.method !== "HEAD")) return false;
  // Compared weakly (RFC 9110, 13.1.2): whoever compresses an answer on its way makes its tag a weak one.
  return known.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === `"${etag}"`);
}
