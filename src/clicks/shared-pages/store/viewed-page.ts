import { PASSWORD_ATTACK_RESOLUTION_MS } from "../../../limits.ts";

/** The page that a token opens, and what viewers see of its link or tag. */
export interface ViewedRow {
  id: string;
  account_id: number;
  tag: string | null;
  title: string | null;
  /** Encrypted. */
  token: string;
  password_hash: string | null;
  show_destination: 0 | 1;
  /** Of the link; null for the page of a tag. */
  link_id: string | null;
  short_url: string | null;
  url: string | null;
}

/**
 * Returns the page with this hash of a token. Null also if its link is deleted, or if its account is deleted or disabled. It
 * reads the primary, so that a change takes effect at once. `origin` is that of the service.
 */
export async function findViewedPage(db: D1Database, tokenHash: string, origin: string): Promise<ViewedRow | null> {
  return db
    .prepare(
      `SELECT p.id, p.account_id, p.tag, p.title, p.token, p.password_hash, p.show_destination, l.id AS link_id, l.url,
         iif(l.domain = '', ?2, 'https://' || l.domain) || '/' || l.slug AS short_url
       FROM shared_pages p CROSS JOIN accounts a ON a.id = p.account_id
         LEFT JOIN links l NOT INDEXED ON l.seq = p.link_seq AND l.id = p.link_id AND l.account_id = p.account_id
       WHERE p.token_hash = ?1 AND a.disabled_at IS NULL AND a.deleted_at IS NULL
         AND (p.link_seq IS NULL OR l.seq IS NOT NULL)`,
    )
    .bind(tokenHash, origin)
    .first<ViewedRow>();
}

/** Stores the same password or the same token under another key, unless it was changed in the meantime. */
export async function replaceSecret(
  db: D1Database,
  id: string,
  column: "password_hash" | "token",
  from: string,
  to: string,
): Promise<void> {
  await db.prepare(`UPDATE shared_pages SET ${column} = ?3 WHERE id = ?1 AND ${column} = ?2`).bind(id, from, to).run();
}

/**
 * Stores that the page with this password is under attack at `now` (Unix milliseconds), unless that was stored less than
 * {@link PASSWORD_ATTACK_RESOLUTION_MS} before. It is no change of a setting.
 */
export async function recordPasswordAttack(db: D1Database, id: string, hash: string, now: number): Promise<void> {
  await db
    .prepare(
      `UPDATE shared_pages SET password_attacked_at = CAST(?3 AS INTEGER) WHERE id = ?1 AND password_hash = ?2
       AND (password_attacked_at IS NULL OR password_attacked_at <= ?3 - ?4)`,
    )
    .bind(id, hash, now, PASSWORD_ATTACK_RESOLUTION_MS)
    .run();
}
