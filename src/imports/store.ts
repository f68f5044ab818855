import { Batch } from "../database/batch.ts";
import type { OwnDomain } from "./resolve-row.ts";
import { selectObstacles, type Obstacles } from "../links/store/insert-outcomes.ts";
import { readVerifiedDomains, type VerifiedDomain } from "../links/store/verified-domains.ts";

/** Those of the host names that are verified domains. */
export async function findVerifiedDomains(db: D1Database, names: ReadonlySet<string>): Promise<VerifiedDomain[]> {
  if (names.size === 0) return [];
  const batch = new Batch(db);
  const verified = readVerifiedDomains(batch, JSON.stringify([...names]));
  await batch.commitWithRetry();
  return verified.rows;
}

/** The verified domains of the account. */
export async function findOwnDomains(db: D1Database, accountId: number): Promise<ReadonlyMap<string, OwnDomain>> {
  const { results } = await db
    .prepare("SELECT domain, case_sensitive, nested_slugs FROM domains WHERE account_id = ?1 AND status = 'verified'")
    .bind(accountId)
    .all<{ domain: string; case_sensitive: 0 | 1; nested_slugs: 0 | 1 }>();
  return new Map(
    results.map(({ domain, case_sensitive, nested_slugs }) => [
      domain,
      { isCaseSensitive: case_sensitive === 1, hasNestedSlugs: nested_slugs === 1 },
    ]),
  );
}

/** Which of the aliases, by domain and slug, no link can have. */
export async function findTakenAliases(
  db: D1Database,
  accountId: number,
  aliases: readonly { domain: string; slug: string }[],
): Promise<Set<number>> {
  if (aliases.length === 0) return new Set();
  const links = aliases.map((alias) => ({ ...alias, external_id: null }));
  const { taken } = await findTaken(db, accountId, links, []);
  return new Set([...taken].flatMap(([index, row]) => (isTaken(row) ? [index] : [])));
}

export function isTaken({ by_slug, is_alias }: Obstacles): boolean {
  return by_slug !== null || is_alias === 1;
}

/** A link to look up: its place, and the external id that it would have. */
export interface LookUp {
  domain: string;
  slug: string;
  external_id: string | null;
}

/** Which of the links cannot be created as they are, and which of the tags the account has. */
export async function findTaken(
  db: D1Database,
  accountId: number,
  links: readonly LookUp[],
  tagKeys: readonly string[],
): Promise<{ taken: Map<number, Obstacles>; tags: Set<string> }> {
  const batch = new Batch(db);
  const { select, parameters } = selectObstacles(
    accountId,
    links.map((row) => ({ row, hosts: [] })),
  );
  const taken = batch.add<Obstacles>(select, parameters.values);
  const tags = batch.add<{ key: string }>(
    "SELECT t.key FROM json_each(?1) j CROSS JOIN tags t ON t.account_id = ?2 AND t.key = j.value",
    [JSON.stringify(tagKeys), accountId],
  );
  await batch.commitWithRetry();
  return {
    taken: new Map(taken.rows.map((row) => [row.position, row])),
    tags: new Set(tags.rows.map(({ key }) => key)),
  };
}
