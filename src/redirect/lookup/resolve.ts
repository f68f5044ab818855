import { describeError, log } from "../../platform/lib/log.ts";
import { withTimeout } from "../../platform/lib/timeout.ts";
import { domainCacheKey, linkCacheKey, type CacheKey } from "./cache-key.ts";
import * as edgeCache from "./edge-cache.ts";
import { toDomainEntry, type DomainEntry, type ServedDomainRow } from "./domain-entry.ts";
import { toEntry, type RedirectEntry, type RedirectRow } from "./entry.ts";
import { lookUp } from "./lookup.ts";
import type { FailedLookup, LookupResult } from "./store-in-caches.ts";
import * as memoryCache from "./memory-cache.ts";
import { domainQuery } from "./store/domains.ts";
import { claimVisit, linkQuery } from "./store/links.ts";
import { compareWithHosts, refreshTakenDownHosts } from "./taken-down-hosts.ts";
import { LINK_READ_TIMEOUT_MS } from "../limits.ts";

export type ResolvedLink =
  | { outcome: "found"; entry: RedirectEntry }
  /** The link's limit of visits is reached. */
  | { outcome: "used_up"; entry: RedirectEntry }
  | { outcome: "not_found" }
  | FailedLookup;

export interface LinkLookup {
  requestId: string;
  /** Of the request. They say which client asks. */
  headers: Headers;
  domain: string;
  slug: string;
  now: number;
  /** Whether the request uses one of the visits of a link that has a limit. */
  usesVisit(entry: RedirectEntry): Promise<boolean>;
}

/** Finds a link in the edge cache or the database. A link with a limit of visits is always read from the database. Never throws. */
export async function resolveLink(env: Env, ctx: ExecutionContext, lookup: LinkLookup): Promise<ResolvedLink> {
  const { requestId, headers, domain, slug, now } = lookup;
  const hostsKnown = refreshTakenDownHosts(ctx, env.DB, now);
  const key = await findCacheKey(domain, slug, now);
  const result = await lookUp(ctx, {
    key,
    keyOf: (entry) => linkCacheKey(domain, slug, entry.caseSensitive),
    requestId,
    headers,
    now,
    db: env.DB,
    query: linkQuery(env, domain, slug),
    toEntry,
    isInvalid: (copy) => hasLostDomain(domain, copy, now),
    hostsKnown,
  });
  if (result.outcome !== "found") return result;
  if (result.row === null || result.row.max_clicks === null)
    return { outcome: "found", entry: compareWithHosts(result.entry) };
  return resolveLimitedLink(env, result.row, lookup).catch((error: unknown) => {
    log("warn", "visit_claim_failed", { requestId, ...describeError(error) });
    return { outcome: "unavailable" };
  });
}

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

/**
 * The key under which the caches have the link, if they have it. Whether a custom domain is case-sensitive is known from its
 * links, because redirects do not read the domain. It only matters for slugs with capital letters.
 */
async function findCacheKey(domain: string, slug: string, now: number): Promise<CacheKey<RedirectEntry>> {
  const [key, exactKey] = [linkCacheKey(domain, slug, false), linkCacheKey(domain, slug, true)];
  if (domain === "" || key === exactKey) return key;
  if (memoryCache.getStale(exactKey, now)?.bypassCache === false) return exactKey;
  const copy = memoryCache.getStale(key, now) ?? (await edgeCache.read(key))?.entry;
  return copy === undefined || copy.caseSensitive ? exactKey : key;
}

/** A link in the memory cache, and its key there. */
interface CachedLink {
  key: CacheKey<RedirectEntry>;
  entry: RedirectEntry;
}

/** The link if it can be used without a look at the edge cache, and its domain was not lost. */
export function findInMemory(domain: string, slug: string, now: number): CachedLink | undefined {
  let key = linkCacheKey(domain, slug, false);
  let entry = memoryCache.get(key, now);
  // Here a link in lower case may be another one.
  if (domain !== "" && entry?.caseSensitive !== false) {
    key = linkCacheKey(domain, slug, true);
    entry = memoryCache.get(key, now);
  }
  return entry === undefined || hasLostDomain(domain, entry, now) ? undefined : { key, entry };
}

/** Whether the link's domain was lost after this copy of the link was read, as far as this isolate knows. */
function hasLostDomain(domain: string, copy: RedirectEntry, now: number): boolean {
  if (domain === "") return false;
  const known = memoryCache.getStale(domainCacheKey(domain), now);
  if (known === undefined || known.readAt < copy.readAt) return false;
  return known.bypassCache || known.accountId !== copy.accountId;
}

async function resolveLimitedLink(env: Env, row: RedirectRow, lookup: LinkLookup): Promise<ResolvedLink> {
  const { domain, slug, now } = lookup;
  const entry = compareWithHosts(toEntry(row, now));
  if (entry.expiresAt !== null && entry.expiresAt <= now) return { outcome: "found", entry };
  if (entry.startsAt > now || !(await lookup.usesVisit(entry))) {
    const used = row.max_clicks !== null && row.visits >= row.max_clicks;
    return { outcome: used ? "used_up" : "found", entry };
  }
  const claimed = await withTimeout(
    claimVisit(env, env.DB, domain, slug, entry.passwordTag, now),
    LINK_READ_TIMEOUT_MS,
  );
  return claimed === null
    ? { outcome: "used_up", entry }
    : { outcome: "found", entry: compareWithHosts(toEntry(claimed, now)) };
}
