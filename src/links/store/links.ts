import { Parameters } from "../../platform/database/parameters.ts";
import { slugKeySql, toSlugKey } from "../../platform/lib/slug.ts";
import { LINK_COLUMNS, type LinkRow } from "./row.ts";
import { LISTED_LINKS, listedLinks } from "./sequence.ts";
import { isCaseSensitive } from "./verified-domains.ts";

export async function findLink(db: D1Database, id: string): Promise<LinkRow | null> {
  return (await findLinks(db, [id]))[0] ?? null;
}

/** Returns those of the links that exist, in no particular order. */
export async function findLinks(db: D1Database, ids: readonly string[]): Promise<LinkRow[]> {
  const parameters = new Parameters();
  const { condition } = listedLinks(ids, parameters);
  const statement = db.prepare(`SELECT ${LINK_COLUMNS} FROM ${LISTED_LINKS} WHERE ${condition}`);
  return (await statement.bind(...parameters.values).all<LinkRow>()).results;
}

/** A link of any account, or of none, as operators find it. */
interface AnyLink extends Pick<LinkRow, "id" | "account_id" | "domain" | "slug"> {
  /** Packed: that of the link itself, whether or not its account or its domain is taken down. */
  own_verdict: number;
}

export async function findAnyLink(db: D1Database, id: string): Promise<AnyLink | null> {
  const parameters = new Parameters();
  const { condition } = listedLinks([id], parameters);
  return db
    .prepare(`SELECT id, account_id, domain, slug, verdict AS own_verdict FROM ${LISTED_LINKS} WHERE ${condition}`)
    .bind(...parameters.values)
    .first<AnyLink>();
}

/** The destinations of links of any accounts, by their ids. One that does not exist has no entry. */
export async function findUrls(db: D1Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const parameters = new Parameters();
  const { condition } = listedLinks(ids, parameters);
  const { results } = await db
    .prepare(`SELECT id, url FROM ${LISTED_LINKS} WHERE ${condition}`)
    .bind(...parameters.values)
    .all<{ id: string; url: string }>();
  return new Map(results.map(({ id, url }) => [id, url]));
}

const KEY = slugKeySql("?2", isCaseSensitive("?3", "?1"));

/** The link that has the slug ?2 at the domain ?1, or else that alias, as the account ?3 would have it. */
const BY_SLUG = `SELECT ${LINK_COLUMNS} FROM links WHERE domain = ?1 AND slug_key = ${KEY}
  UNION ALL SELECT ${LINK_COLUMNS} FROM links
  WHERE seq = (SELECT link_seq FROM aliases WHERE domain = ?1 AND slug_key = ${KEY}) LIMIT 1`;

/** Finds a link, which may be another account's, by the slug or alias that it would have if it were the account's. */
export async function findBySlug(
  db: D1Database,
  accountId: number,
  domain: string,
  slug: string,
): Promise<LinkRow | null> {
  return db.prepare(BY_SLUG).bind(domain, slug, accountId).first<LinkRow>();
}

/** Finds the account's link with this slug or alias at a domain. No two links have the same one. */
export async function findOwnLink(
  db: D1Database,
  accountId: number,
  domain: string,
  slug: string,
): Promise<LinkRow | null> {
  const link = await findBySlug(db, accountId, domain, slug);
  return link?.account_id === accountId ? link : null;
}

/** Whether the slug of the service domain is an alias of another account's link, or kept for its deleted link. */
export async function isKeptForOthers(db: D1Database, accountId: number, slug: string): Promise<boolean> {
  const sql = "SELECT 1 FROM aliases WHERE domain = '' AND slug_key = ?1 AND account_id <> ?2";
  return (await db.prepare(sql).bind(toSlugKey(slug, false), accountId).first()) !== null;
}

export async function findByExternalId(db: D1Database, accountId: number, externalId: string): Promise<LinkRow | null> {
  return db
    .prepare(`SELECT ${LINK_COLUMNS} FROM links WHERE account_id = ?1 AND external_id = ?2`)
    .bind(accountId, externalId)
    .first<LinkRow>();
}
