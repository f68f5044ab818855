import { serveElsewhere } from "./elsewhere.ts";
import { parseLinkPath } from "./path.ts";
import { isNested } from "../platform/lib/slug.ts";
import type { IncomingRequest } from "./request-url.ts";

// The path after a slug, on domains whose links hand it on.

/** Responds for the link whose slug is the first segment of the path. Null: the path has one segment, or there is no such link. */
export async function forwardPath(
  incoming: IncomingRequest,
  env: Env,
  ctx: ExecutionContext,
): Promise<Response | null> {
  const { url } = incoming;
  const slashAt = url.path.indexOf("/");
  const link = slashAt === -1 ? null : parseLinkPath(url.path.slice(0, slashAt));
  const rest = toForwarded(url.path.slice(slashAt + 1));
  if (link === null || link.preview || isNested(link.slug) || rest === null) return null;
  const served = await serveElsewhere(incoming, link.slug, env, ctx);
  if (served === null) return null;
  const { response, isOpen } = served;
  const location = response.headers.get("Location");
  // Visitors of a link that has ended or not begun are sent to no path. As with the query, a path could complete a trusted
  // site's open redirect, so that links with a verdict hand on none.
  if (location === null || !isOpen) return response;
  const headers = new Headers(response.headers);
  headers.set("Location", addPath(location, rest));
  return new Response(null, { status: response.status, headers });
}

/** The path without empty segments, percent-encoded as it was. Null if it could lead out of the destination's folder, or if nothing is left. */
export function toForwarded(path: string): string | null {
  const segments = path.split("/").filter((segment) => segment !== "");
  if (segments.length === 0 || segments.some(leadsUp)) return null;
  return segments.join("/") + (path.endsWith("/") ? "/" : "");
}

/** Whether a server may read the segment as one of dots, also beside an encoded slash or before a parameter (`..;a`). */
function leadsUp(segment: string): boolean {
  const text = segment.replaceAll(/%2e/gi, ".").split(/%2f|%5c|%3b|[\\;]/i);
  return text.some((part) => part === "." || part === "..");
}

/** Adds a path to that of the destination, before its query. */
export function addPath(location: string, rest: string): string {
  const end = location.search(/[?#]/);
  const base = end === -1 ? location : location.slice(0, end);
  return `${base.endsWith("/") ? base : `${base}/`}${rest}${end === -1 ? "" : location.slice(end)}`;
}
