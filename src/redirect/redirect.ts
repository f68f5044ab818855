import { expiredResponse, linkResponse } from "./link-response.ts";
import type { RedirectEntry } from "./lookup/entry.ts";
import * as memoryCache from "./lookup/memory-cache.ts";
import { findInMemory, resolveLink, type LinkLookup } from "./lookup/resolve.ts";
import { failedLookupResponse } from "./pages/error-response.ts";
import { OWN_VISITS_PATH } from "./own-visits.ts";
import { isDomainPath, isServicePath, parseLinkPath } from "./path.ts";
import type { IncomingRequest } from "./request-url.ts";
import { isNested } from "../platform/lib/slug.ts";
import { usesVisit } from "./uses-visit.ts";

/** Everything outside the API: short links, and the fixed paths of the service domain and of custom domains. */
export function serveShortDomain(
  incoming: IncomingRequest,
  env: Env,
  ctx: ExecutionContext,
): Response | Promise<Response> {
  const { request, requestId, url } = incoming;
  const { domain, path } = url;
  if (path === OWN_VISITS_PATH) return serveOwnVisits(incoming, env, ctx);
  if (request.method !== "GET" && request.method !== "HEAD")
    return import("./password/password-form.ts").then(({ submitPassword }) => submitPassword(incoming, env, ctx));
  if (domain !== "" && isDomainPath(path))
    return import("./custom-domain.ts").then(({ serveDomainPath }) => serveDomainPath(incoming, env, ctx));
  if (domain === "" && isServicePath(path))
    return import("./service-pages.ts").then(({ servePage }) => servePage(incoming, env));
  if (path === "robots.txt")
    return import("./pages/fixed-files.ts").then(({ robotsText }) => robotsText(incoming, "/api/"));
  if (path === "favicon.ico")
    return import("./pages/fixed-files.ts").then(({ faviconResponse }) => faviconResponse(incoming));
  const link = parseLinkPath(path);
  if (link === null) return notFound(incoming, env, ctx);
  const { slug } = link;
  if (link.preview) return showPreview(incoming, slug, env, ctx);

  const now = Date.now();
  const cached = findInMemory(domain, slug, now);
  if (cached === undefined) {
    const lookup = {
      requestId,
      headers: request.headers,
      domain,
      slug,
      now,
      usesVisit: (found: RedirectEntry) => usesVisit(request, found, now, env),
    };
    return isNested(slug) ? lookUpNested(incoming, env, ctx, lookup) : lookUpAndRespond(incoming, env, ctx, lookup);
  }
  const { key, entry } = cached;
  if (memoryCache.claimRefresh(key, now))
    ctx.waitUntil(resolveLink(env, ctx, { requestId, headers: request.headers, domain, slug, now, usesVisit: never }));
  return linkResponse({ incoming, entry, now, env, ctx });
}

/** The page on the service domain and on verified domains, for each method. */
async function serveOwnVisits(incoming: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<Response> {
  if (incoming.url.domain !== "") return (await import("./custom-domain.ts")).serveDomainPath(incoming, env, ctx);
  return (await import("./pages/own-visits-page.ts")).ownVisitsPage(incoming);
}

async function notFound(incoming: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<Response> {
  const { notFoundResponse } = await import("./not-found.ts");
  return notFoundResponse(incoming, env, ctx);
}

async function showPreview(
  incoming: IncomingRequest,
  slug: string,
  env: Env,
  ctx: ExecutionContext,
): Promise<Response> {
  const { showDestination } = await import("./destination-preview.ts");
  return (await showDestination(incoming, slug, env, ctx)) ?? notFound(incoming, env, ctx);
}

async function lookUpNested(
  incoming: IncomingRequest,
  env: Env,
  ctx: ExecutionContext,
  lookup: LinkLookup,
): Promise<Response> {
  const { canHaveSlug } = await import("./visited-domain.ts");
  return (await canHaveSlug(incoming, lookup.slug, env, ctx))
    ? lookUpAndRespond(incoming, env, ctx, lookup)
    : notFound(incoming, env, ctx);
}

async function lookUpAndRespond(
  incoming: IncomingRequest,
  env: Env,
  ctx: ExecutionContext,
  lookup: LinkLookup,
): Promise<Response> {
  const link = await resolveLink(env, ctx, lookup);
  if (link.outcome === "found") return linkResponse({ incoming, entry: link.entry, now: lookup.now, env, ctx });
  if (link.outcome === "used_up") return expiredResponse({ incoming, entry: link.entry, now: lookup.now, env, ctx });
  if (link.outcome === "not_found") return notFound(incoming, env, ctx);
  return failedLookupResponse(incoming, link);
}

const never = () => Promise.resolve(false);
