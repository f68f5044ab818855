import { noteReplica } from "./cache-use.ts";
import type { ServedDomainRow } from "./domain-entry.ts";
import type { RedirectRow } from "./entry.ts";

const COLUMNS = `id, account_id, url, redirect_status, expires_at, expired_url, max_clicks, visits, password_hash, ios,
  android, geo, rules, preview, updated_at`;
// At a custom domain only while it is verified for the link's own account.
const AT_SLUG = `domain = ?1 AND slug = ?2 AND (domain = '' OR EXISTS (SELECT 1 FROM domains d
  WHERE d.domain = links.domain AND d.status = 'verified' AND d.account_id = links.account_id))`;
const BY_SLUG = `SELECT ${COLUMNS} FROM links WHERE ${AT_SLUG}`;

const BY_DOMAIN = `SELECT account_id, domain, root_url, not_found_url, apple_app_site_association, asset_links, updated_at
  FROM domains WHERE domain = ?1 AND status = 'verified'`;

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
  return readNearest<RedirectRow>(db, BY_SLUG, [domain, slug], knownUpdatedAt);
}

/** What a verified domain says of itself, read like a link. */
export async function findVerifiedDomain(
  db: D1Database,
  domain: string,
  knownUpdatedAt = 0,
): Promise<ServedDomainRow | null> {
  return readNearest<ServedDomainRow>(db, BY_DOMAIN, [domain], knownUpdatedAt);
}

async function readNearest<R extends { updated_at: number }>(
  db: D1Database,
  sql: string,
  parameters: string[],
  knownUpdatedAt: number,
): Promise<R | null> {
  const nearest = await db
    .withSession("first-unconstrained")
    .prepare(sql)
    .bind(...parameters)
    .all<R>();
  if (nearest.meta.served_by_primary === false) noteReplica();
  const row = nearest.results[0] ?? null;
  const current = row !== null && row.updated_at >= knownUpdatedAt;
  if (current || nearest.meta.served_by_primary === true) return row;
  return db
    .prepare(sql)
    .bind(...parameters)
    .first<R>();
}

/** The link at a slug as it is now, from the primary. */
export async function findLinkAtPrimary(db: D1Database, domain: string, slug: string): Promise<RedirectRow | null> {
  return db.prepare(BY_SLUG).bind(domain, slug).first<RedirectRow>();
}

/**
 * Takes one of the visits that a link with a limit has left, or answers null where none is left. One
 * transaction at the primary, so the limit holds however many visitors come at once. It is of the
 * link that has the slug now, which a lagging replica may not know yet. The status of a link whose last
 * visit was taken is left to `links/expiry.ts`, which reports it. None is taken where the link has another
 * password by now than `passwordHash`, with which the visitor was let in: who gets the row must ask for that one.
 */
export async function claimVisit(
  db: D1Database,
  domain: string,
  slug: string,
  passwordHash: string | null,
  now: number,
): Promise<RedirectRow | null> {
  return db
    .prepare(
      `UPDATE links SET visits = visits + (max_clicks IS NOT NULL AND (password_hash IS NULL OR password_hash IS ?4))
       WHERE ${AT_SLUG} AND (max_clicks IS NULL OR visits < max_clicks)
         AND (expires_at IS NULL OR expires_at > ?3)
       RETURNING ${COLUMNS}`,
    )
    .bind(domain, slug, now, passwordHash)
    .first<RedirectRow>();
}
