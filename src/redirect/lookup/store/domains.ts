import { isDeletedAccount } from "../../../platform/database/account-states.ts";
import { isTakenDown } from "./verdict-sql.ts";
import type { ServedDomainRow } from "../domain-entry.ts";
import { readRow, type Query } from "./links.ts";

/** SQL for a column of a domain that is NULL while the domain or its account is taken down. */
const unlessTakenDown = (column: string) => `iif(${isTakenDown}, NULL, ${column}) AS ${column}`;

const BY_DOMAIN = `SELECT account_id, domain, ${unlessTakenDown("root_url")}, ${unlessTakenDown("not_found_url")},
    path_forwarding, nested_slugs, apple_app_site_association, asset_links, ${unlessTakenDown("brand_name")}, ${unlessTakenDown("brand_logo")},
    ${unlessTakenDown("brand_color")}, updated_at
  FROM domains WHERE domain = ?1 AND status = 'verified' AND NOT ${isDeletedAccount("domains.account_id")}`;

/** Reads the settings of a verified domain. */
export function domainQuery(domain: string): Query {
  return { sql: BY_DOMAIN, parameters: [domain] };
}

/** The settings of a verified domain, read from the primary. */
export async function findDomainAtPrimary(db: D1Database, domain: string): Promise<ServedDomainRow | null> {
  return readRow(db, domainQuery(domain));
}
