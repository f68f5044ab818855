import { selectPage } from "../../platform/database/rows.ts";
import { boundsOf, type Page } from "../../platform/http/pagination.ts";
import { DOMAIN_COLUMNS, type DomainRow } from "./row.ts";

export async function findDomain(db: D1Database, id: string): Promise<DomainRow | null> {
  return db.prepare(`SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id = ?1`).bind(id).first<DomainRow>();
}

/** The account's domains, newest first; one more than the page holds. */
export async function listDomains(db: D1Database, accountId: number, page: Page): Promise<DomainRow[]> {
  return selectPage(db, `SELECT ${DOMAIN_COLUMNS} FROM domains`, accountId, boundsOf(page));
}

/**
 * SQL for whether the account's links at a domain are case-sensitive, deleted links that can be restored included: 1 or 0, or
 * NULL if it has none. They are all the same, so one is read. A deleted link that can be restored has a row in `aliases`.
 */
export function caseOfLinks(account: string, domain: string): string {
  const ofLinks = (archived: 0 | 1) => `(SELECT l.case_sensitive FROM links l INDEXED BY links_by_domain
    WHERE l.account_id = ${account} AND l.archived = ${archived} AND l.domain = ${domain} AND l.domain <> '' LIMIT 1)`;
  return `coalesce(${ofLinks(0)}, ${ofLinks(1)}, (SELECT dl.link ->> 'case_sensitive'
    FROM aliases a INDEXED BY aliases_by_link CROSS JOIN deleted_links dl ON dl.seq = a.link_seq
    WHERE a.account_id = ${account} AND a.domain = ${domain} LIMIT 1))`;
}
