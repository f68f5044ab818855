import { isClick } from "../clicks/capture/click.ts";
import type { DomainEntry } from "./lookup/domain-entry.ts";
import type { FailedLookup } from "./lookup/lookup.ts";
import { resolveDomain } from "./lookup/resolve-domain.ts";
import { isUncounted, OWN_VISITS_PATH } from "./own-visits.ts";
import { errorResponse, failedLookupResponse } from "./pages/error-response.ts";
import { redirectTo } from "./pages/redirect-to.ts";
import { parseRequestUrl, type IncomingRequest } from "./request-url.ts";
import { isNested } from "./slug.ts";
import { addQuery } from "./targets/query-params.ts";

/** Responds to a path of `isDomainPath`, or that of the own visits, of a verified domain or `ANONYMOUS_HOST`, and with 404 at any other host. */
export async function serveDomainPath(incoming: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<Response> {
  const domain = await findDomain(incoming, env, ctx);
  if (domain.outcome !== "found") return noDomainResponse(incoming, domain);
  const { entry } = domain;
  switch (incoming.url.path) {
    case "":
      return redirectElsewhere(entry.rootLocation, incoming, env) ?? showRoot({ ...incoming, brand: entry });
    case "robots.txt":
      return (await import("./pages/fixed-files.ts")).robotsText(incoming, "");
    case "favicon.ico":
      return (await import("./pages/fixed-files.ts")).faviconResponse(incoming);
    case OWN_VISITS_PATH:
      return (await import("./pages/own-visits-page.ts")).ownVisitsPage({ ...incoming, brand: entry });
    default:
      return appFile(incoming, entry);
  }
}

async function showRoot(incoming: IncomingRequest): Promise<Response> {
  const { rootPage } = await import("./pages/root-page.ts");
  return rootPage(incoming);
}

/**
 * The response for an unknown path: the custom domain's own page for it, or that of the link whose short URL stands between
 * stray characters, or a 404.
 */
export async function notFoundResponse(incoming: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<Response> {
  if (incoming.url.domain === "")
    return (await serveStrayPath(incoming, false, env, ctx)) ?? errorResponse(incoming, "not_found");
  const domain = await findDomain(incoming, env, ctx);
  if (domain.outcome !== "found") return noDomainResponse(incoming, domain);
  const { entry } = domain;
  const forwarded = entry.pathForwarding === true ? await forward(incoming, env, ctx) : null;
  if (forwarded !== null) return forwarded;
  const elsewhere = redirectElsewhere(entry.notFoundLocation, incoming, env);
  const stray = elsewhere === null ? await serveStrayPath(incoming, entry.nestedSlugs === true, env, ctx) : null;
  if (stray !== null) return stray;
  countOrphan(incoming, entry, env, ctx);
  return elsewhere ?? errorResponse({ ...incoming, brand: entry }, "not_found");
}

/** The response for a link before its start: as {@link notFoundResponse}, with a page of its own. */
export async function notStartedResponse(
  incoming: IncomingRequest,
  env: Env,
  ctx: ExecutionContext,
): Promise<Response> {
  if (incoming.url.domain === "") return errorResponse(incoming, "not_started");
  const domain = await findDomain(incoming, env, ctx);
  if (domain.outcome !== "found") return noDomainResponse(incoming, domain);
  const elsewhere = redirectElsewhere(domain.entry.notFoundLocation, incoming, env);
  return elsewhere ?? errorResponse({ ...incoming, brand: domain.entry }, "not_started");
}

async function serveStrayPath(
  incoming: IncomingRequest,
  hasNestedSlugs: boolean,
  env: Env,
  ctx: ExecutionContext,
): Promise<Response | null> {
  const elsewhere = await import("./elsewhere.ts");
  return elsewhere.serveStrayPath(incoming, hasNestedSlugs, env, ctx);
}

async function forward(incoming: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<Response | null> {
  const { forwardPath } = await import("./forward-path.ts");
  return forwardPath(incoming, env, ctx);
}

/** Nobody waits for it. `ANONYMOUS_HOST` is of no account. */
function countOrphan(
  { request, url: { domain, path } }: IncomingRequest,
  { accountId }: Partial<DomainEntry>,
  env: Env,
  ctx: ExecutionContext,
): void {
  if (
    accountId === undefined ||
    env.NOT_RECORDED.includes("orphan-visits") ||
    !isClick(request) ||
    isUncounted(request)
  )
    return;
  ctx.waitUntil(
    import("../clicks/capture/orphan-visits.ts").then(({ countOrphanVisit }) =>
      countOrphanVisit(request, { accountId, domain, path }, env),
    ),
  );
}

/** The request with the brand of its custom domain, for a page. Without it if the domain cannot be read. */
export async function withBrand(incoming: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<IncomingRequest> {
  if (incoming.url.domain === "") return incoming;
  const domain = await findDomain(incoming, env, ctx);
  return domain.outcome === "found" ? { ...incoming, brand: domain.entry } : incoming;
}

/**
 * Whether the domain can have a link with the slug. The domain is read for a nested slug only, and no link for one at a domain without
 * such slugs. True if the domain cannot be read: a cache may have the link.
 */
export async function canHaveSlug(
  incoming: IncomingRequest,
  slug: string,
  env: Env,
  ctx: ExecutionContext,
): Promise<boolean> {
  if (!isNested(slug)) return true;
  if (incoming.url.domain === "") return false;
  const domain = await findDomain(incoming, env, ctx);
  return domain.outcome === "found" ? domain.entry.nestedSlugs === true : domain.outcome !== "not_found";
}

type FoundDomain = { outcome: "found"; entry: Partial<DomainEntry> } | { outcome: "not_found" } | FailedLookup;

/** `ANONYMOUS_HOST` is no account's domain, so it has no settings. */
async function findDomain(incoming: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<FoundDomain> {
  const { request, requestId, url } = incoming;
  const { domain } = url;
  if (domain === env.ANONYMOUS_HOST) return { outcome: "found", entry: {} };
  return resolveDomain(env, ctx, { requestId, headers: request.headers, domain, now: Date.now() });
}

function noDomainResponse(incoming: IncomingRequest, domain: { outcome: "not_found" } | FailedLookup) {
  return domain.outcome === "not_found" ? errorResponse(incoming, "not_found") : failedLookupResponse(incoming, domain);
}

/** The file itself: Apple and Google follow no redirects for it. */
async function appFile(incoming: IncomingRequest, entry: Partial<DomainEntry>): Promise<Response> {
  const { appleAppSiteAssociation, assetLinks } = entry;
  const file = incoming.url.path.endsWith("assetlinks.json") ? assetLinks : appleAppSiteAssociation;
  if (file == null) return errorResponse(incoming, "not_found");
  return (await import("./pages/fixed-files.ts")).jsonFile(incoming, file);
}

/** A redirect with the visitor's parameters. Null without a location, or if it is the requested URL: that would be a loop. */
function redirectElsewhere(
  location: string | null | undefined,
  { url, requestId }: IncomingRequest,
  env: Env,
): Response | null {
  if (location == null) return null;
  const destination = parseRequestUrl(location, env.BASE_URL);
  if (destination.domain === url.domain && destination.path === url.path) return null;
  return redirectTo(addQuery(location, url.query), 302, "no-store", requestId);
}
