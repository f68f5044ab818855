import type { Batch, Result } from "../../platform/database/batch.ts";

/** SQL about the custom domains of links. The arguments are SQL too. */

/** The domain is verified for the account. */
export function isVerifiedFor(account: string, domain: string): string {
  return `EXISTS (SELECT 1 FROM domains d WHERE d.domain = ${domain} AND d.status = 'verified' AND d.account_id = ${account})`;
}

/**
 * For RETURNING: whether visitors reach the link. The links of a lost domain stay with their account, which may change
 * them, but must not reach visitors of the domain's new owner.
 */
export const REACHABLE_COLUMN = `(links.domain = '' OR ${isVerifiedFor("links.account_id", "links.domain")}) AS is_reachable`;

/**
 * 1 if the account has made the domain case-sensitive, else 0. All links and deleted links that an account has at a domain are as
 * the domain is, because its setting only changes while there are none (src/domains/store/change.ts).
 */
export function isCaseSensitive(account: string, domain: string): string {
  return `coalesce((SELECT d.case_sensitive FROM domains d WHERE d.account_id = ${account} AND d.domain = ${domain}), 0)`;
}

/** SQL for 1 if the account lets links at the domain have nested slugs, else 0. It only stops while there are none. */
export function hasNestedSlugs(account: string, domain: string): string {
  return `EXISTS (SELECT 1 FROM domains d WHERE d.account_id = ${account} AND d.domain = ${domain} AND d.nested_slugs = 1)`;
}

export interface VerifiedDomain {
  domain: string;
  account_id: number;
  case_sensitive: 0 | 1;
}

/** Reads which of the hosts, a JSON array, are verified domains. */
export function readVerifiedDomains(batch: Batch, hosts: string): Result<VerifiedDomain> {
  return batch.add(
    `SELECT d.domain, d.account_id, d.case_sensitive FROM json_each(?1) h
     CROSS JOIN domains d INDEXED BY domains_verified ON d.domain = h.value AND d.status = 'verified'`,
    [hosts],
  );
}
