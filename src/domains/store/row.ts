import { newId } from "../../platform/lib/uuid.ts";
import type { ServedDomainRow } from "../../redirect/lookup/domain-entry.ts";
import { challengeName, challengeValue, newChallengeToken } from "../challenge.ts";
import type { Domain } from "../contract.ts";
import { serviceHostOf, toUnicodeName } from "../name.ts";

/** A row of the table `domains`. Times are Unix milliseconds. */
export interface DomainRow extends ServedDomainRow {
  id: string;
  /** The secret part of the TXT record. */
  token: string;
  status: "pending" | "verified";
  /** Results of the last check; null: not known yet. */
  txt_found: number | null;
  cname_found: number | null;
  checked_at: number | null;
  /** The next check by the cron; null: none. */
  check_at: number | null;
  verified_at: number | null;
  /** Since when the TXT record is missing. */
  lost_at: number | null;
  /** The custom hostname's id at Cloudflare; null: not registered. */
  hostname_id: string | null;
  /** Null: the domain has no custom hostname. */
  hostname_status: string | null;
  hostname_error: string | null;
  /** The next sync with Cloudflare. */
  hostname_at: number | null;
  case_sensitive: 0 | 1;
  created_at: number;
}

export const DOMAIN_COLUMNS = `id, account_id, domain, token, status, txt_found, cname_found, root_url, not_found_url,
  apple_app_site_association, asset_links, checked_at, check_at, verified_at, lost_at, hostname_id, hostname_status,
  hostname_error, hostname_at, case_sensitive, path_forwarding, nested_slugs, brand_name, brand_logo, brand_color, created_at, updated_at`;

/** A pending domain with a new token. */
export function newDomainRow(accountId: number, domain: string, caseSensitive: boolean, now: number): DomainRow {
  return {
    id: newId(now),
    account_id: accountId,
    domain,
    token: newChallengeToken(),
    status: "pending",
    txt_found: null,
    cname_found: null,
    root_url: null,
    not_found_url: null,
    apple_app_site_association: null,
    asset_links: null,
    checked_at: null,
    check_at: null,
    verified_at: null,
    lost_at: null,
    hostname_id: null,
    hostname_status: null,
    hostname_error: null,
    hostname_at: null,
    case_sensitive: caseSensitive ? 1 : 0,
    path_forwarding: 0,
    nested_slugs: 0,
    brand_name: null,
    brand_logo: null,
    brand_color: null,
    created_at: now,
    updated_at: now,
  };
}

/** The domain as the API returns it. */
export function toDomain(row: DomainRow, baseUrl: string): Domain {
  const { domain } = row;
  return {
    id: row.id,
    domain,
    unicodeDomain: toUnicodeName(domain),
    status: row.status,
    caseSensitive: row.case_sensitive === 1,
    pathForwarding: row.path_forwarding === 1,
    nestedSlugs: row.nested_slugs === 1,
    records: [
      { type: "TXT", name: challengeName(domain), value: challengeValue(row.token), found: toFound(row.txt_found) },
      { type: "CNAME", name: domain, value: serviceHostOf(baseUrl), found: toFound(row.cname_found) },
      ...certificateOf(row),
    ],
    notFoundUrl: row.not_found_url,
    rootUrl: row.root_url,
    appleAppSiteAssociation: parse(row.apple_app_site_association) as Domain["appleAppSiteAssociation"],
    assetLinks: parse(row.asset_links) as Domain["assetLinks"],
    brandName: row.brand_name,
    brandLogo: row.brand_logo,
    brandColor: row.brand_color,
    createdAt: row.created_at,
    verifiedAt: row.verified_at,
    lostAt: row.lost_at,
  };
}

function certificateOf({ domain, hostname_status, hostname_error }: DomainRow): Domain["records"] {
  if (hostname_status === null) return [];
  const found = hostname_status === "active";
  return [{ type: "certificate", name: domain, status: hostname_status, error: hostname_error, found }];
}

function toFound(stored: number | null): boolean | null {
  return stored === null ? null : stored === 1;
}

function parse(json: string | null): unknown {
  return json === null ? null : JSON.parse(json);
}
