/**
 * SQL about the slugs that are no link's own (the table `aliases` in schema.sql). The arguments are SQL too.
 */

/**
 * The slug with this key is an alias of a link, or it is kept for a deleted link of another account. The account may take the slugs of
 * its own deleted links. `except` is the link that asks.
 */
export function isAlias(domain: string, slugKey: string, account: string, except = "NULL"): string {
  return `EXISTS (SELECT 1 FROM aliases a WHERE a.domain = ${domain} AND a.slug_key = ${slugKey} AND a.link_seq IS NOT ${except}
    AND (a.account_id IS NOT ${account} OR EXISTS (SELECT 1 FROM links o WHERE o.seq = a.link_seq)))`;
}
