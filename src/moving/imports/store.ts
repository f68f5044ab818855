import { Batch } from "../../platform/database/batch.ts";
import type { OwnDomain } from "./resolve-row.ts";
import { readPlaces } from "../../links/store/creation-facts.ts";
import { readVerifiedDomains, type VerifiedDomain } from "../../links/store/verified-domains.ts";

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

/** A link to look up: its place, and the external id that it would have. */
interface LookUp {
  domain: string;
  slug: string;
  external_id: string | null;
}

/** By position, what another link has that the link would need. */
interface Taken {
  slugs: ReadonlySet<number>;
  externalIds: ReadonlySet<number>;
}

/** Which of the links cannot be created as they are, and which of the tags the account has. */
export async function findTaken(
  db: D1Database,
  accountId: number,
  links: readonly LookUp[],
  tagKeys: readonly string[] = [],
): Promise<Taken & { tags: Set<string> }> {
  const batch = new Batch(db);
  const places = readPlaces(batch, accountId, links);
  const tags = batch.add<{ key: string }>(
    "SELECT t.key FROM json_each(?1) j CROSS JOIN tags t ON t.account_id = ?2 AND t.key = j.value",
    [JSON.stringify(tagKeys), accountId],
  );
  await batch.commitWithRetry();
  const found = places();
  return {
    slugs: new Set(found.flatMap(({ position, is_held }) => (is_held === 1 ? [position] : []))),
    externalIds: new Set(found.flatMap(({ position, has_external_id }) => (has_external_id === 1 ? [position] : []))),
    tags: new Set(tags.rows.map(({ key }) => key)),
  };
}
