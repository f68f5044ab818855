import type { ServedDomainRow } from "../redirect/lookup/domain-entry.ts";
import { challengeName, challengeValue } from "./challenge.ts";
import type { Domain } from "./contract.ts";
import { toUnicodeName } from "./name.ts";

/** A domain as it is stored. */
export interface DomainRow extends ServedDomainRow {
  id: string;
  token: string;
  status: "pending" | "verified";
  txt_found: number | null;
  cname_found: number | null;
  checked_at: number | null;
  check_at: number | null;
  verified_at: number | null;
  lost_at: number | null;
  /** Of the custom hostname at Cloudflare; null: not registered. */
  hostname_id: string | null;
  /** Null: the operator wants none. */
  hostname_status: string | null;
  hostname_error: string | null;
  hostname_at: number | null;
  created_at: number;
}

export const DOMAIN_COLUMNS = `id, account_id, domain, token, status, txt_found, cname_found, root_url, not_found_url,
  apple_app_site_association, asset_links, checked_at, check_at, verified_at, lost_at, hostname_id, hostname_status,
  hostname_error, hostname_at, created_at, updated_at`;

/** The host of the service, which domains point at. `baseUrl` is its origin. */
export function serviceHostOf(baseUrl: string): string {
  return new URL(baseUrl).hostname;
}

/** The row as the wire shows it. */
export function toDomain(row: DomainRow, serviceHost: string): Domain {
  const { domain } = row;
  return {
    id: row.id,
    domain,
    unicodeDomain: toUnicodeName(domain),
    status: row.status,
    records: [
      { type: "TXT", name: challengeName(domain), value: challengeValue(row.token), found: toFound(row.txt_found) },
      { type: "CNAME", name: domain, value: serviceHost, found: toFound(row.cname_found) },
      ...certificateOf(row),
    ],
    notFoundUrl: row.not_found_url,
    rootUrl: row.root_url,
    appleAppSiteAssociation: parse(row.apple_app_site_association) as Domain["appleAppSiteAssociation"],
    assetLinks: parse(row.asset_links) as Domain["assetLinks"],
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
