import { toTombstoneVersion, type Cacheable } from "./entry.ts";

/** The settings of a verified domain, as both caches hold them. */
export interface DomainEntry extends Cacheable {
  accountId: number;
  /** Where visitors of the root go, in the form of a `Location` header. */
  rootLocation: string | null;
  /** Where visitors of unknown paths go, in the form of a `Location` header. */
  notFoundLocation: string | null;
  /** The file for Apple's universal links, as it is sent. */
  appleAppSiteAssociation: string | null;
  /** The file for Android's app links, as it is sent. */
  assetLinks: string | null;
  /** Whether links hand on the path after their slug. */
  pathForwarding: boolean;
  /** Whether links may have slugs with slashes. */
  nestedSlugs: boolean;
  brandName: string | null;
  /** An https URL. */
  brandLogo: string | null;
  /** `#rrggbb`. */
  brandColor: string | null;
}

/** What the pages of a domain's links show of its owner. */
export type Brand = Partial<Pick<DomainEntry, "brandName" | "brandLogo" | "brandColor">>;

/** The columns that an entry is made from. */
export interface ServedDomainRow {
  account_id: number;
  domain: string;
  root_url: string | null;
  not_found_url: string | null;
  /** JSON. */
  apple_app_site_association: string | null;
  /** JSON. */
  asset_links: string | null;
  path_forwarding: 0 | 1;
  nested_slugs: 0 | 1;
  brand_name: string | null;
  brand_logo: string | null;
  brand_color: string | null;
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
    pathForwarding: row.path_forwarding === 1,
    nestedSlugs: row.nested_slugs === 1,
    brandName: row.brand_name,
    brandLogo: row.brand_logo,
    brandColor: row.brand_color,
    bypassCache: false,
    readAt,
  };
}

/** The tombstone of a domain that was deleted or lost. An earlier read cannot bring the domain back. */
export function toDomainTombstone(row: ServedDomainRow, lostAt: number): DomainEntry {
  return { ...toDomainEntry(row, lostAt), ...toTombstoneVersion(row, lostAt) };
}
