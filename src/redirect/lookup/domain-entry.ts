import type { Cacheable } from "./entry.ts";

/** What a verified domain says of itself: the form kept in memory and in the cache. */
export interface DomainEntry extends Cacheable {
  accountId: number;
  /** Where visitors of its root go, and those of what it does not have; both as a header can hold them. */
  rootLocation: string | null;
  notFoundLocation: string | null;
  /** The files that link apps to it, as they are sent. */
  appleAppSiteAssociation: string | null;
  assetLinks: string | null;
}

/** The columns behind an entry. */
export interface ServedDomainRow {
  account_id: number;
  domain: string;
  root_url: string | null;
  not_found_url: string | null;
  /** JSON, like the one after it. */
  apple_app_site_association: string | null;
  asset_links: string | null;
  updated_at: number;
}

export function toDomainEntry(row: ServedDomainRow, readAt: number): DomainEntry {
  return {
    accountId: row.account_id,
    updatedAt: row.updated_at,
    rootLocation: row.root_url === null ? null : new URL(row.root_url).href,
    notFoundLocation: row.not_found_url === null ? null : new URL(row.not_found_url).href,
    appleAppSiteAssociation: row.apple_app_site_association,
    assetLinks: row.asset_links,
    askDatabase: false,
    readAt,
  };
}

/** In place of a domain that was deleted or lost: keeps an earlier read from bringing it back. */
export function toDomainTombstone(row: ServedDomainRow, lostAt: number): DomainEntry {
  return { ...toDomainEntry(row, lostAt), updatedAt: Math.max(lostAt, row.updated_at + 1), askDatabase: true };
}
