import { linkCacheKey } from "./cache-key.ts";
import * as memoryCache from "./memory-cache.ts";
import { hasLostDomain, resolveLink, type LinkLookup, type ResolvedLink } from "./resolve.ts";

/** Finds the link as a visitor would, without using one of its limited visits. */
export async function peekLink(
  env: Env,
  ctx: ExecutionContext,
  lookup: Omit<LinkLookup, "usesVisit">,
): Promise<ResolvedLink> {
  const { domain, slug, now } = lookup;
  const entry = memoryCache.get(linkCacheKey(domain, slug), now);
  if (entry !== undefined && !hasLostDomain(domain, entry, now)) return { outcome: "found", entry };
  return resolveLink(env, ctx, { ...lookup, usesVisit: () => Promise.resolve(false) });
}
