import { linkResponse } from "./link-response.ts";
import * as memoryCache from "./lookup/memory-cache.ts";
import { findInMemory, resolveLink, type ResolvedLink } from "./lookup/resolve.ts";
import { failedLookupResponse } from "./pages/error-response.ts";
import { redirectTo } from "./pages/redirect-to.ts";
import { parseLinkPath } from "./path.ts";
import { isNested } from "./slug.ts";
import type { IncomingRequest } from "./request-url.ts";
import { usesVisit } from "./uses-visit.ts";

// The path after a slug, on domains whose links hand it on.

/** Responds for the link whose slug is the first segment of the path. Null: the path has one segment, or there is no such link. */
export async function forwardPath(
  incoming: IncomingRequest,
  env: Env,
  ctx: ExecutionContext,
): Promise<Response | null> {
  const { url, requestId } = incoming;
  const slashAt = url.path.indexOf("/");
  const link = slashAt === -1 ? null : parseLinkPath(url.path.slice(0, slashAt));
  const rest = toForwarded(url.path.slice(slashAt + 1));
  if (link === null || link.preview || isNested(link.slug) || rest === null) return null;
  const now = Date.now();
  const found = await find(incoming, link.slug, now, env, ctx);
  if (found.outcome === "not_found") return null;
  if (found.outcome !== "found" && found.outcome !== "used_up") return failedLookupResponse(incoming, found);
  const { entry } = found;
  const hasEnded = found.outcome === "used_up" || (entry.expiresAt !== null && entry.expiresAt <= now);
  // Visitors of a link that has ended or not begun are sent to no path.
  const isActive = !hasEnded && entry.startsAt <= now;
  // The form for the password is at the short URL.
  if (isActive && entry.passwordTag !== null)
    return redirectTo(`/${link.slug}${url.query === "" ? "" : `?${url.query}`}`, 302, "no-store", requestId);
  const response = await linkResponse({
    // The form for reports gets the short URL.
    incoming: { ...incoming, url: { ...url, path: link.slug } },
    entry: hasEnded ? { ...entry, expiresAt: 0 } : entry,
    now,
    env,
    ctx,
  });
  const location = response.headers.get("Location");
  // As with the query, a path could complete a trusted site's open redirect.
  if (location === null || !isActive || entry.verdict !== 0) return response;
  const headers = new Headers(response.headers);
  headers.set("Location", addPath(location, rest));
  return new Response(null, { status: response.status, headers });
}

async function find(
  incoming: IncomingRequest,
  slug: string,
  now: number,
  env: Env,
  ctx: ExecutionContext,
): Promise<ResolvedLink> {
  const { request, requestId, url } = incoming;
  const lookup = { requestId, headers: request.headers, domain: url.domain, slug, now };
  const cached = findInMemory(url.domain, slug, now);
  if (cached === undefined)
    return resolveLink(env, ctx, { ...lookup, usesVisit: (entry) => usesVisit(request, entry, now, env) });
  if (memoryCache.claimRefresh(cached.key, now))
    ctx.waitUntil(resolveLink(env, ctx, { ...lookup, usesVisit: () => Promise.resolve(false) }));
  return { outcome: "found", entry: cached.entry };
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
