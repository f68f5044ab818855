import { linkResponse } from "./link-response.ts";
import * as memoryCache from "./lookup/memory-cache.ts";
import { findInMemory, resolveLink, type ResolvedLink } from "./lookup/resolve.ts";
import { failedLookupResponse } from "./pages/error-response.ts";
import { redirectTo } from "./pages/redirect-to.ts";
import { parseLinkPath } from "./path.ts";
import type { IncomingRequest } from "./request-url.ts";
import { isNested } from "../platform/lib/slug.ts";
import { parseStrayPath } from "./stray-characters.ts";
import { usesVisit } from "./uses-visit.ts";

// Links that are visited at another path than their own.

/** Responds for the link whose short URL stands between stray characters. Null: the path is a slug as it stands, or there is no such link. */
export async function serveStrayPath(
  incoming: IncomingRequest,
  hasNestedSlugs: boolean,
  env: Env,
  ctx: ExecutionContext,
): Promise<Response | null> {
  const { url } = incoming;
  const stray = parseLinkPath(url.path) === null ? parseStrayPath(url.path) : null;
  if (stray === null || (isNested(stray.slug) && !hasNestedSlugs)) return null;
  const { slug, preview } = stray;
  const query = [stray.query, url.query].filter((part) => part !== "").join("&");
  if (preview) {
    const { showDestination } = await import("./destination-preview.ts");
    return showDestination({ ...incoming, url: { ...url, path: `${slug}+`, query } }, slug, env, ctx);
  }
  const served = await serveElsewhere({ ...incoming, url: { ...url, query } }, slug, env, ctx);
  return served?.response ?? null;
}

/** The response for such a link. */
interface ServedElsewhere {
  response: Response;
  /** Whether it is the response of a link that everybody may follow at once. */
  isOpen: boolean;
}

/** Responds for the link with the slug, whatever the path of the request is. Null: there is no such link. */
export async function serveElsewhere(
  incoming: IncomingRequest,
  slug: string,
  env: Env,
  ctx: ExecutionContext,
): Promise<ServedElsewhere | null> {
  const { url, requestId } = incoming;
  const now = Date.now();
  const found = await find(incoming, slug, now, env, ctx);
  if (found.outcome === "not_found") return null;
  if (found.outcome !== "found" && found.outcome !== "used_up")
    return { response: await failedLookupResponse(incoming, found), isOpen: false };
  const { entry } = found;
  const hasEnded = found.outcome === "used_up" || (entry.expiresAt !== null && entry.expiresAt <= now);
  const isActive = !hasEnded && entry.startsAt <= now;
  // The form for the password is at the short URL.
  if (isActive && entry.passwordTag !== null) {
    const shortUrl = `/${slug}${url.query === "" ? "" : `?${url.query}`}`;
    return { response: redirectTo(shortUrl, 302, "no-store", requestId), isOpen: false };
  }
  const response = await linkResponse({
    // The form for reports gets the short URL.
    incoming: { ...incoming, url: { ...url, path: slug } },
    entry: hasEnded ? { ...entry, expiresAt: 0 } : entry,
    now,
    env,
    ctx,
  });
  return { response, isOpen: isActive && entry.verdict === 0 };
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
