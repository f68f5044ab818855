import { slugKey } from "./slug-keys.ts";

/** The link that has a slug, as its own or as an alias, or that has it reserved after its deletion. */
export interface SlugHolder {
  linkId: string;
  /** Whether it is a link of the account that asks. */
  isOwn: boolean;
  isDeleted: boolean;
}

interface HolderRow {
  position: number;
  is_allowed: 0 | 1;
  link_id: string | null;
  is_own: 0 | 1;
  is_deleted: 0 | 1;
}

/**
 * Returns who has each of the slugs at the domain, in order; null for a slug that a new link of the account can have. Links
 * of a custom domain's previous owner do not count, because a new link replaces them (previous-owner-links.ts). Returns
 * null if the account may not use the domain.
 */
export async function readSlugHolders(
  db: D1Database,
  accountId: number,
  domain: string,
  slugs: readonly string[],
): Promise<(SlugHolder | null)[] | null> {
  const key = slugKey("d.case_sensitive", "j.value");
  const { results } = await db
    .prepare(
      `SELECT j.key AS position, ?2 = '' OR d.id IS NOT NULL AS is_allowed, coalesce(l.id, o.id, x.id) AS link_id,
         coalesce(l.account_id, a.account_id) IS ?3 AS is_own, x.id IS NOT NULL AS is_deleted
       FROM (SELECT 1) LEFT JOIN domains d INDEXED BY domains_verified
         ON d.domain = ?2 AND d.status = 'verified' AND d.account_id = ?3
       CROSS JOIN json_each(?1) j
       LEFT JOIN links l INDEXED BY links_by_slug ON l.domain = ?2 AND l.slug_key = ${key}
       LEFT JOIN aliases a ON a.domain = ?2 AND a.slug_key = ${key}
       LEFT JOIN links o ON o.seq = a.link_seq
       LEFT JOIN deleted_links x ON x.seq = a.link_seq`,
    )
    .bind(JSON.stringify(slugs), domain, accountId)
    .all<HolderRow>();
  if (results.some((row) => row.is_allowed === 0)) return null;
  return results
    .toSorted((a, b) => a.position - b.position)
    .map(({ link_id: linkId, is_own: isOwn, is_deleted: isDeleted }) =>
      linkId === null || (isOwn === 0 && domain !== "")
        ? null
        : { linkId, isOwn: isOwn === 1, isDeleted: isDeleted === 1 },
    );
}
