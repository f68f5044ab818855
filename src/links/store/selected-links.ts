import { Parameters, type Value } from "../../platform/database/parameters.ts";
import { toSearchTerm } from "../../platform/lib/tag-key.ts";
import { ALL_LINKS } from "../list-filter.ts";
import { searchQuery } from "./search-index.ts";
import { LISTED_LINKS, listedLinks } from "./sequence.ts";

/** Returns those of the ids that are links of the account. */
export async function findListedIds(db: D1Database, accountId: number, ids: readonly string[]): Promise<string[]> {
  const parameters = new Parameters([accountId]);
  const { condition } = listedLinks(ids, parameters);
  const sql = `SELECT l.id FROM ${LISTED_LINKS} WHERE ${condition} AND l.account_id = ?1`;
  return readIds(db, sql, parameters.values);
}

/** Returns up to `limit` ids of the account's links that have one of the tags, if any are given, and are on the domain. */
export async function findSelectedIds(
  db: D1Database,
  accountId: number,
  { tags, domain }: { tags: readonly string[]; domain: string | undefined },
  limit: number,
): Promise<string[]> {
  if (tags.length === 0 && domain !== undefined && domain !== "") {
    const sql = `SELECT id FROM links INDEXED BY links_by_domain
      WHERE account_id = ?1 AND archived IN (0, 1) AND domain = ?2 AND domain <> '' LIMIT ?3`;
    return readIds(db, sql, [accountId, domain, limit]);
  }
  const query = searchQuery(accountId, { ...ALL_LINKS, tags, domains: domain === undefined ? [] : [domain] });
  // The index finds candidates.
  const sql = `SELECT l.id FROM links_fts AS f CROSS JOIN links AS l ON l.seq = f.rowid
    WHERE f.links_fts MATCH ?1 AND (?3 IS NULL OR l.domain = ?3)
    AND (?4 = '[]' OR EXISTS (SELECT 1 FROM json_each(?4) WHERE instr(l.tag_keys, value) > 0)) LIMIT ?2`;
  return readIds(db, sql, [query, limit, domain ?? null, JSON.stringify(tags.map(toSearchTerm))]);
}

async function readIds(db: D1Database, sql: string, values: readonly Value[]): Promise<string[]> {
  const { results } = await db
    .prepare(sql)
    .bind(...values)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** Returns the short URLs of those of the links that exist. `origin` is that of the service. */
export async function findShortUrls(
  db: D1Database,
  ids: readonly string[],
  origin: string,
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const parameters = new Parameters([origin]);
  const { condition } = listedLinks(ids, parameters);
  const { results } = await db
    .prepare(
      `SELECT l.id, iif(l.domain = '', ?1, 'https://' || l.domain) || '/' || l.slug AS url
       FROM ${LISTED_LINKS} WHERE ${condition}`,
    )
    .bind(...parameters.values)
    .all<{ id: string; url: string }>();
  return new Map(results.map(({ id, url }) => [id, url]));
}
