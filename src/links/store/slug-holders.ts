import { isNestedSql, slugKeySql } from "../../platform/lib/slug.ts";

/**
 * Who holds a slug: another account or an anonymous link, or a link of the account that asks, as its own slug or as an alias. A
 * deleted link has its slugs while it can be restored.
 */
export type SlugHolder = { isOwn: false } | { isOwn: true; linkId: string; isDeleted: boolean };

interface HolderRow {
  position: number;
  is_allowed: 0 | 1;
  has_form: 0 | 1;
  is_held: 0 | 1;
  is_own: 0 | 1;
  link_id: string | null;
  is_deleted: 0 | 1;
}

/**
 * Returns who has each of the slugs at the domain, in order, or null: nobody. Links of a custom domain's previous owner do
 * not count, because a new link replaces them (previous-owner-links.ts). If the account cannot have one of the slugs there, returns why.
 */
export async function readSlugHolders(
  db: D1Database,
  accountId: number,
  domain: string,
  slugs: readonly string[],
): Promise<(SlugHolder | null)[] | "domain_refused" | "nested_slugs_off"> {
  const key = slugKeySql("j.value", "d.case_sensitive");
  const { results } = await db
    .prepare(
      `SELECT j.key AS position, ?2 = '' OR d.id IS NOT NULL AS is_allowed,
         coalesce(d.nested_slugs, 0) = 1 OR NOT (${isNestedSql("j.value")}) AS has_form, coalesce(l.seq, a.link_seq) IS NOT NULL AS is_held,
         coalesce(l.account_id, a.account_id) IS ?3 AS is_own, coalesce(l.id, o.id, x.id) AS link_id,
         x.id IS NOT NULL AS is_deleted
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
  if (results.some((row) => row.is_allowed === 0)) return "domain_refused";
  if (results.some((row) => row.has_form === 0)) return "nested_slugs_off";
  return results.toSorted((a, b) => a.position - b.position).map((row) => toHolder(row, domain));
}

function toHolder({ is_held, is_own, link_id: linkId, is_deleted }: HolderRow, domain: string): SlugHolder | null {
  if (is_own === 1) return linkId === null ? null : { isOwn: true, linkId, isDeleted: is_deleted === 1 };
  return is_held === 0 || domain !== "" ? null : { isOwn: false };
}
