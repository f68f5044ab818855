import type { RedirectRow } from "./entry.ts";

const COLUMNS = `id, account_id, url, redirect_status, expires_at, expired_url, max_clicks, visits, password_hash, ios,
  android, geo, rules, preview, updated_at`;
const BY_SLUG = `SELECT ${COLUMNS} FROM links WHERE domain = ?1 AND slug = ?2`;

/**
 * The link at a slug: one indexed read at the nearest replica. A replica may lag, so where it has no
 * link, or an older version than the one `knownUpdatedAt` tells of, the primary is asked.
 */
export async function findLinkBySlug(
  db: D1Database,
  domain: string,
  slug: string,
  knownUpdatedAt = 0,
): Promise<RedirectRow | null> {
  const nearest = await db.withSession("first-unconstrained").prepare(BY_SLUG).bind(domain, slug).all<RedirectRow>();
  const row = nearest.results[0] ?? null;
  const current = row !== null && row.updated_at >= knownUpdatedAt;
  if (current || nearest.meta.served_by_primary === true) return row;
  return db.prepare(BY_SLUG).bind(domain, slug).first<RedirectRow>();
}

/**
 * Takes one of the visits that a link with a limit has left, or answers null where none is left. One
 * transaction at the primary, so the limit holds however many visitors come at once. It is of the
 * link that has the slug now, which a lagging replica may not know yet. The status of a link whose last
 * visit was taken is left to `links/expiry.ts`, which reports it.
 */
export async function claimVisit(
  db: D1Database,
  domain: string,
  slug: string,
  now: number,
): Promise<RedirectRow | null> {
  return db
    .prepare(
      `UPDATE links SET visits = visits + (max_clicks IS NOT NULL)
       WHERE domain = ?1 AND slug = ?2 AND (max_clicks IS NULL OR visits < max_clicks)
         AND (expires_at IS NULL OR expires_at > ?3)
       RETURNING ${COLUMNS}`,
    )
    .bind(domain, slug, now)
    .first<RedirectRow>();
}
