/**
 * SQL about the keys of slugs (`slug_key` in schema.sql). The arguments are SQL too. All links and deleted links that an
 * account has at a domain, and the domain itself, are equally case-sensitive, because the setting of a domain only changes
 * while there are none (src/domains/store/domains.ts).
 */

/** The key of a slug. NULL stands for a domain that is not case-sensitive. */
export function slugKey(isCaseSensitive: string, slug: string): string {
  return `iif(${isCaseSensitive}, ${slug}, lower(${slug}))`;
}

/** 1 if the account has made the domain case-sensitive, else 0. */
export function isCaseSensitive(account: string, domain: string): string {
  return `coalesce((SELECT d.case_sensitive FROM domains d WHERE d.account_id = ${account} AND d.domain = ${domain}), 0)`;
}
