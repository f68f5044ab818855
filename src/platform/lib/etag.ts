/**
 * Whether the client has the version with this tag, by the header `If-None-Match`. The comparison is weak (RFC 9110, 13.1.2),
 * because intermediaries that compress a response weaken its tag. `etag` is without quotation marks.
 */
export function hasVersion(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === `"${etag}"`);
}
