import { PERMANENT_REDIRECT_MAX_AGE_SECONDS } from "../limits.ts";
import type { Address } from "./address.ts";
import type { RedirectEntry } from "./entry.ts";
import { claimRefresh, placeOf, recall } from "./memo.ts";
import { faviconResponse, homePage, message, robotsText } from "./pages.ts";
import { resolveLink } from "./resolve.ts";
import { addQuery } from "./target.ts";

const SLUG = /^[A-Za-z0-9_-]{1,64}$/;

/** Everything outside the API: short links, and the few fixed paths of a short domain. */
export function serveShortDomain(
  request: Request,
  address: Address,
  env: Env,
  ctx: ExecutionContext,
): Response | Promise<Response> {
  const { domain, path, query } = address;
  if (request.method !== "GET" && request.method !== "HEAD") return message(request, "method_not_allowed");
  if (path === "" && domain === "") return homePage(request);
  if (path === "robots.txt") return robotsText(request);
  if (path === "favicon.ico") return faviconResponse(request);
  const slug = SLUG.test(path) ? path : readSlug(path);
  if (slug === null) return message(request, "unknown");

  const now = Date.now();
  const place = placeOf(domain, slug);
  const entry = recall(place, now);
  if (entry === undefined) return resolveAndAnswer(request, env, ctx, { domain, slug, now }, query);
  if (claimRefresh(place, now)) ctx.waitUntil(resolveLink(env, ctx, { domain, slug, now, counts: false }));
  return follow(request, entry, query, now);
}

/** Forgives what people and mail programs do to a printed link: a slash at its end, percent-encoding. */
function readSlug(path: string): string | null {
  try {
    const decoded = decodeURIComponent(path.endsWith("/") ? path.slice(0, -1) : path);
    return SLUG.test(decoded) ? decoded : null;
  } catch {
    return null;
  }
}

async function resolveAndAnswer(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  link: { domain: string; slug: string; now: number },
  query: string,
): Promise<Response> {
  const resolution = await resolveLink(env, ctx, { ...link, counts: isVisit(request) });
  if (resolution.outcome === "found") return follow(request, resolution.entry, query, link.now);
  if (resolution.outcome === "used_up") return end(request, resolution.entry, query);
  return message(request, resolution.outcome);
}

/** Whether somebody follows the link, rather than a browser or a program looking ahead. */
function isVisit(request: Request): boolean {
  const purpose = request.headers.get("Sec-Purpose") ?? request.headers.get("Purpose") ?? "";
  return request.method === "GET" && !purpose.startsWith("prefetch");
}

function follow(request: Request, entry: RedirectEntry, query: string, now: number): Response {
  if (entry.expiresAt !== null && entry.expiresAt <= now) return end(request, entry, query);
  return new Response(null, {
    status: entry.redirectStatus,
    headers: {
      Location: query === "" ? entry.location : addQuery(entry.location, query),
      "Cache-Control": cacheControl(entry, now),
      "X-Request-Id": crypto.randomUUID(),
    },
  });
}

/** A temporary redirect is asked for anew each time; a permanent one may be kept for a while, never past the link's end. */
function cacheControl(entry: RedirectEntry, now: number): string {
  if (entry.redirectStatus === 302 || entry.redirectStatus === 307 || entry.askDatabase) return "no-store";
  const left = entry.expiresAt === null ? Infinity : Math.floor((entry.expiresAt - now) / 1_000);
  return `private, max-age=${Math.min(PERMANENT_REDIRECT_MAX_AGE_SECONDS, left)}`;
}

/** Expired or used up. */
function end(request: Request, entry: RedirectEntry, query: string): Response {
  if (entry.expiredLocation === null) return message(request, "gone");
  return new Response(null, {
    status: 302,
    headers: {
      Location: addQuery(entry.expiredLocation, query),
      "Cache-Control": "no-store",
      "X-Request-Id": crypto.randomUUID(),
    },
  });
}
