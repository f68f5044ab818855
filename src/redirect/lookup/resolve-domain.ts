import { domainCacheKey } from "./cache-key.ts";
import { toDomainEntry, type DomainEntry, type ServedDomainRow } from "./domain-entry.ts";
import { domainQuery } from "./store/domains.ts";
import { lookUp } from "./lookup.ts";
import { type LookupResult } from "./store-in-caches.ts";
import * as memoryCache from "./memory-cache.ts";
import type { LinkLookup } from "./resolve.ts";

/** Finds the settings of a custom domain. A domain that is not verified is not found. Never throws. */
export async function resolveDomain(
  env: Env,
  ctx: ExecutionContext,
  { domain, requestId, headers, now }: Pick<LinkLookup, "domain" | "requestId" | "headers" | "now">,
): Promise<LookupResult<DomainEntry, ServedDomainRow>> {
  const key = domainCacheKey(domain);
  const entry = memoryCache.get(key, now);
  if (entry !== undefined) return { outcome: "found", entry, row: null };
  return lookUp(ctx, { key, requestId, headers, now, db: env.DB, query: domainQuery(domain), toEntry: toDomainEntry });
}
