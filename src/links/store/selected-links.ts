import { Parameters } from "../../database/parameters.ts";
import { matchExpression } from "./list-filter.ts";
import { LISTED_LINKS, listedLinks } from "./sequence.ts";

/** Returns those of the ids that are links of the account. */
export async function findListedIds(db: D1Database, accountId: number, ids: readonly string[]): Promise<string[]> {
  const parameters = new Parameters([accountId]);
  const { condition } = listedLinks(ids, parameters);
  return idsOf(db, `SELECT l.id FROM ${LISTED_LINKS} WHERE ${condition} AND l.account_id = ?1`, parameters);
}

/** Returns up to `limit` ids of the account's links that have one of the tags, if any are given, and are on the domain. */
export async function findSelectedIds(
  db: D1Database,
  accountId: number,
  { tags, domain }: { tags: readonly string[]; domain: string | undefined },
  limit: number,
): Promise<string[]> {
  const parameters = new Parameters([limit]);
  if (tags.length === 0) {
    const conditions = `account_id = ${parameters.add(accountId)} AND archived IN (0, 1) AND domain = ${parameters.add(domain ?? "")}`;
    return idsOf(db, `SELECT id FROM links INDEXED BY links_by_domain WHERE ${conditions} LIMIT ?1`, parameters);
  }
  const none = { search: undefined, slug: undefined, url: undefined, externalId: undefined, status: undefined };
  const created = { from: undefined, until: undefined };
  const filter = { ...none, created, archived: "include", tags, tagMode: "any", domain } as const;
  const match = parameters.add(matchExpression(accountId, filter));
  return idsOf(db, `SELECT id FROM links_fts WHERE links_fts MATCH ${match} LIMIT ?1`, parameters);
}

async function idsOf(db: D1Database, sql: string, { values }: Parameters): Promise<string[]> {
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
