import { toSlugKey } from "../../platform/lib/slug.ts";
import type { DomainEntry } from "./domain-entry.ts";
import type { RedirectEntry } from "./entry.ts";

/** What the memory cache and the edge cache hold. */
export type Entry = RedirectEntry | DomainEntry;

declare const kind: unique symbol;

/** A key of both caches. Its type says which kind of entry is stored under it. */
export type CacheKey<E> = string & { readonly [kind]: E };

/** `domain` is '' for the service domain. */
export function linkCacheKey(domain: string, slug: string, isCaseSensitive: boolean): CacheKey<RedirectEntry> {
  return `${domain}/${toSlugKey(slug, isCaseSensitive)}` as CacheKey<RedirectEntry>;
}

/** The key of a link with an empty slug, which no link has. */
export function domainCacheKey(domain: string): CacheKey<DomainEntry> {
  return `${domain}/` as CacheKey<DomainEntry>;
}
