import { collect } from "../clicks/collect.ts";
import { isVisit, readVisit } from "../clicks/visit.ts";
import { SLUG } from "../lib/slug.ts";
import { PERMANENT_REDIRECT_MAX_AGE_SECONDS } from "../limits.ts";
import type { Incoming } from "./address.ts";
import { targetFor, webTargetFor } from "./choice.ts";
import { answerUnknown, isSitePath, serveSite } from "./custom-domain.ts";
import type { RedirectEntry } from "./entry.ts";
import { claimRefresh, recall } from "./memo.ts";
import { openAppPage, showsPages } from "./open-app.ts";
import { faviconResponse, homePage, message, redirectTo, robotsText } from "./pages.ts";
import { placeOf } from "./place.ts";
import { isCutOff, resolveLink, type LinkQuestion } from "./resolve.ts";
import type { Target } from "./rules.ts";
import { addAppQuery, addQuery } from "./target.ts";

/** Everything outside the API: short links, and the few fixed paths of a short domain. */
export function serveShortDomain(incoming: Incoming, env: Env, ctx: ExecutionContext): Response | Promise<Response> {
  const { request, requestId, address } = incoming;
  const { domain, path } = address;
  if (request.method !== "GET" && request.method !== "HEAD") return message(incoming, "method_not_allowed");
  if (domain !== "" && isSitePath(path)) return serveSite(incoming, env, ctx);
  if (path === "") return homePage(incoming);
  if (path === "robots.txt") return robotsText(incoming, "/api/");
  if (path === "favicon.ico") return faviconResponse(incoming);
  const slug = SLUG.test(path) ? path : readSlug(path);
  if (slug === null) return answerUnknown(incoming, env, ctx);

  const now = Date.now();
  const place = placeOf(domain, slug);
  const entry = recall(place, now);
  if (entry === undefined || isCutOff(domain, entry, now)) {
    return resolveAndAnswer(incoming, env, ctx, { requestId, domain, slug, now, counts: () => takesVisit(request) });
  }
  if (claimRefresh(place, now)) ctx.waitUntil(resolveLink(env, ctx, { requestId, domain, slug, now, counts: never }));
  return follow(incoming, entry, now, env, ctx);
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
  incoming: Incoming,
  env: Env,
  ctx: ExecutionContext,
  asked: LinkQuestion,
): Promise<Response> {
  const resolution = await resolveLink(env, ctx, asked);
  if (resolution.outcome === "found") return follow(incoming, resolution.entry, asked.now, env, ctx);
  if (resolution.outcome === "used_up") return end(incoming, resolution.entry);
  if (resolution.outcome === "unknown") return answerUnknown(incoming, env, ctx);
  return message(incoming, resolution.outcome);
}

/** Whether it takes one of the visits of a link that has a limit: crawlers and link previews only look at it. */
async function takesVisit(request: Request): Promise<boolean> {
  if (!isVisit(request)) return false;
  // Only links with a limit need it; no other redirect evaluates it.
  const { isCrawler } = await import("../lib/crawler.ts");
  return !isCrawler(request.headers.get("User-Agent") ?? "");
}

const never = () => Promise.resolve(false);

function follow(
  incoming: Incoming,
  entry: RedirectEntry,
  now: number,
  env: Env,
  ctx: ExecutionContext,
): Response | Promise<Response> {
  if (entry.expiresAt !== null && entry.expiresAt <= now) return end(incoming, entry);
  const { request, requestId } = incoming;
  const { query } = incoming.address;
  if (isVisit(request)) collect(readVisit(request, query, entry, now), env, ctx);
  const { redirectStatus: status } = entry;
  const target: Target = entry.targets === null ? entry : targetFor(entry, request, now);
  if (target.app === true) return offerApp(incoming, entry, target, now);
  if (query !== "") return redirectTo(addQuery(target.location, query), status, cacheControl(entry, now), requestId);
  const headers = headersOf(entry, target, now);
  headers.set("X-Request-Id", requestId);
  return new Response(null, { status, headers });
}

/** An address of an app: a browser gets a page that opens it, anybody else the web address. */
async function offerApp(incoming: Incoming, entry: RedirectEntry, app: Target, now: number): Promise<Response> {
  const { request, requestId } = incoming;
  const { query } = incoming.address;
  const web = addQuery(webTargetFor(entry, request, now).location, query);
  if (!(await showsPages(request))) return redirectTo(web, entry.redirectStatus, "no-store", requestId);
  return openAppPage(incoming, addAppQuery(app.location, query), web);
}

// Made once for a target; a response copies them.
const madeHeaders = new WeakMap<Target, Headers>();

/** The headers for a visitor without parameters, but for the request id, which the caller sets. */
function headersOf(entry: RedirectEntry, target: Target, now: number): Headers {
  const made = madeHeaders.get(target);
  if (made !== undefined) return made;
  const headers = new Headers({ Location: target.location, "Cache-Control": cacheControl(entry, now) });
  // How long a permanent redirect may be kept grows shorter towards the link's end.
  if (entry.expiresAt === null || isTemporary(entry)) madeHeaders.set(target, headers);
  return headers;
}

/**
 * A temporary redirect is asked for anew each time, and one that is chosen for a visitor; a permanent one may be
 * kept for a while, never past the link's end.
 */
function cacheControl(entry: RedirectEntry, now: number): string {
  if (isTemporary(entry) || entry.askDatabase || entry.targets !== null) return "no-store";
  const left = entry.expiresAt === null ? Infinity : Math.floor((entry.expiresAt - now) / 1_000);
  return `private, max-age=${Math.min(PERMANENT_REDIRECT_MAX_AGE_SECONDS, left)}`;
}

function isTemporary(entry: RedirectEntry): boolean {
  return entry.redirectStatus === 302 || entry.redirectStatus === 307;
}

/** Expired or used up. */
function end(incoming: Incoming, entry: RedirectEntry): Response {
  if (entry.expiredLocation === null) return message(incoming, "gone");
  const location = addQuery(entry.expiredLocation, incoming.address.query);
  return redirectTo(location, 302, "no-store", incoming.requestId);
}
