import type { DomainEntry } from "./lookup/domain-entry.ts";
import type { FailedLookup } from "./lookup/store-in-caches.ts";
import { resolveDomain } from "./lookup/resolve.ts";
import { errorResponse, failedLookupResponse } from "./pages/error-response.ts";
import { redirectTo } from "./pages/redirect-to.ts";
import { parseRequestUrl, type IncomingRequest } from "./request-url.ts";
import { isNested } from "../platform/lib/slug.ts";
import { addQuery } from "./targets/query-params.ts";

// The settings of the custom domain that a visitor is at.

/** The response for a link before its start: the custom domain's page for unknown paths, or a page of its own. */
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
export async function findDomain(incoming: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<FoundDomain> {
  const { request, requestId, url } = incoming;
  const { domain } = url;
  if (domain === env.ANONYMOUS_HOST) return { outcome: "found", entry: {} };
  return resolveDomain(env, ctx, { requestId, headers: request.headers, domain, now: Date.now() });
}

export function noDomainResponse(incoming: IncomingRequest, domain: { outcome: "not_found" } | FailedLookup) {
  return domain.outcome === "not_found" ? errorResponse(incoming, "not_found") : failedLookupResponse(incoming, domain);
}

/** A redirect with the visitor's parameters. Null without a location, or if it is the requested URL: that would be a loop. */
export function redirectElsewhere(
  location: string | null | undefined,
  { url, requestId }: IncomingRequest,
  env: Env,
): Response | null {
  if (location == null) return null;
  const destination = parseRequestUrl(location, env.BASE_URL);
  if (destination.domain === url.domain && destination.path === url.path) return null;
  return redirectTo(addQuery(location, url.query), 302, "no-store", requestId);
}
