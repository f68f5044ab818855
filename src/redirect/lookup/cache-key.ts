import type { DomainEntry } from "./domain-entry.ts";
import type { RedirectEntry } from "./entry.ts";

/** What is kept. */
export type Entry = RedirectEntry | DomainEntry;

declare const kind: unique symbol;

/** A place in memory and cache, and in its type what is kept there. */
export type CacheKey<E> = string & { readonly [kind]: E };

/** A link's place. `domain` is '' for the service's own. */
export function linkCacheKey(domain: string, slug: string): CacheKey<RedirectEntry> {
  return `${domain}/${slug.toLowerCase()}` as CacheKey<RedirectEntry>;
}

/** A domain's place: that of a link without a slug, which no link is. */
export function domainCacheKey(domain: string): CacheKey<DomainEntry> {
  return `${domain}/` as CacheKey<DomainEntry>;
}
