/** The domains of links (3.3): '' is the service's own, any other is in lower case and Punycode. */

/** The domain that a request names, as it is stored. What is no host name stays as it is: nobody has such a domain. */
export function toDomain(text: string, baseUrl: string): string {
  const given = text.toLowerCase();
  const host = /[\s/\\?#@:]/.test(given) ? "" : hostOf(`https://${given}`);
  const name = host === "" ? given : host;
  return name === new URL(baseUrl).host ? "" : name;
}

/** The host of an http or https URL, or ''. */
export function hostOf(url: string): string {
  const parsed = /^https?:/i.test(url) ? URL.parse(url) : null;
  return parsed?.hostname.replace(/\.$/, "") ?? "";
}

/** The text's domain is verified for the account: SQL about the two, themselves SQL. */
export function isVerifiedFor(account: string, domain: string): string {
  return `EXISTS (SELECT 1 FROM domains d WHERE d.domain = ${domain} AND d.status = 'verified' AND d.account_id = ${account})`;
}

/**
 * For RETURNING, as `served`: whether the link answers at its domain. Those of a domain that was lost stay their
 * owner's, who may change them, but nothing of them must come before the visitors of whoever has the domain now.
 */
export const IS_SERVED = `(links.domain = '' OR ${isVerifiedFor("links.account_id", "links.domain")}) AS served`;

/** No host of the JSON array is a verified domain, whoever has it. */
export function noneVerified(hosts: string): string {
  return `NOT EXISTS (SELECT 1 FROM ${verifiedIn(hosts)})`;
}

export interface VerifiedDomain {
  domain: string;
  account_id: number;
}

/** Those hosts that are verified domains, and whose. */
export function verifiedAmong(db: D1Database, hosts: string): D1PreparedStatement {
  return db.prepare(`SELECT d.domain, d.account_id FROM ${verifiedIn("?1")}`).bind(hosts);
}

function verifiedIn(hosts: string): string {
  return `json_each(${hosts}) h CROSS JOIN domains d INDEXED BY domains_verified ON d.domain = h.value AND d.status = 'verified'`;
}
