import { wokenBy } from "../../outbox/legacy.ts";
import { linkEventStatements, type LinkEvent } from "./events.ts";
import { expireIfDue } from "./expiry.ts";
import { sequenceOf } from "./sequence.ts";
import { LINK_COLUMNS, type LinkRow } from "./row.ts";

export async function findLink(db: D1Database, id: string): Promise<LinkRow | null> {
  return db
    .prepare(`SELECT ${LINK_COLUMNS} FROM links WHERE seq = ?1 AND id = ?2`)
    .bind(sequenceOf(id), id)
    .first<LinkRow>();
}

export async function findBySlug(db: D1Database, domain: string, slug: string): Promise<LinkRow | null> {
  return db
    .prepare(`SELECT ${LINK_COLUMNS} FROM links WHERE domain = ?1 AND slug = ?2`)
    .bind(domain, slug)
    .first<LinkRow>();
}

export async function findByExternalId(db: D1Database, accountId: number, externalId: string): Promise<LinkRow | null> {
  return db
    .prepare(`SELECT ${LINK_COLUMNS} FROM links WHERE account_id = ?1 AND external_id = ?2`)
    .bind(accountId, externalId)
    .first<LinkRow>();
}

/** Those of the links that exist. */
export async function findLinks(db: D1Database, ids: readonly string[]): Promise<LinkRow[]> {
  const { results } = await db
    .prepare(
      `SELECT ${LINK_COLUMNS} FROM links
       WHERE seq IN (SELECT CAST(value AS INTEGER) FROM json_each(?1)) AND id IN (SELECT value FROM json_each(?2))`,
    )
    .bind(JSON.stringify(ids.map(sequenceOf)), JSON.stringify(ids))
    .all<LinkRow>();
  return results;
}

/** The columns that a change may set; those absent stay as they are. */
export type LinkChanges = Partial<
  Pick<
    LinkRow,
    | "url"
    | "domain"
    | "slug"
    | "title"
    | "tags"
    | "expires_at"
    | "expired_url"
    | "max_clicks"
    | "external_id"
    | "password_hash"
    | "ios"
    | "android"
    | "geo"
    | "rules"
    | "preview"
    | "redirect_status"
  >
>;

export type DeleteOutcome =
  | { outcome: "deleted"; before: LinkRow; webhookIds: string[] }
  | { outcome: "not_found" }
  | { outcome: "forbidden" };

/** Deletes an account's link and notes that its clicks are to be forgotten; answers it as it was. */
export async function deleteLink(
  db: D1Database,
  accountId: number,
  id: string,
  event: LinkEvent,
): Promise<DeleteOutcome> {
  const seq = sequenceOf(id);
  const expiry = expireIfDue(db, { id, accountId }, event);
  const results = await db.batch<LinkRow>([
    ...expiry.statements,
    db.prepare(`SELECT ${LINK_COLUMNS} FROM links WHERE seq = ?1 AND id = ?2`).bind(seq, id),
    ...linkEventStatements(db, "link.delete", { id, accountId }, event),
    db
      .prepare(
        `INSERT INTO deleted_links (seq, id, account_id)
         SELECT seq, id, account_id FROM links WHERE seq = ?1 AND id = ?2 AND account_id = ?3 ON CONFLICT DO NOTHING`,
      )
      .bind(seq, id, accountId),
    db.prepare("DELETE FROM links WHERE seq = ?1 AND id = ?2 AND account_id = ?3").bind(seq, id, accountId),
  ]);
  const [found, , , owed, , deleted] = results.slice(expiry.statements.length);
  const before = found?.results[0];
  if (before === undefined) return { outcome: "not_found" };
  if (deleted?.meta.changes === 0) return { outcome: "forbidden" };
  return { outcome: "deleted", before, webhookIds: [...expiry.read(results).webhookIds, ...wokenBy(owed)] };
}

/** Sets the click counters of links, in one statement. They only ever move forward, so it may be repeated and reordered. */
export async function setClickCounters(
  db: D1Database,
  counters: readonly { linkId: string; clicks: number; lastClickedAt: number }[],
): Promise<void> {
  const rows = counters.map(({ linkId, clicks, lastClickedAt }) => [sequenceOf(linkId), linkId, clicks, lastClickedAt]);
  await db
    .prepare(
      `WITH counters (seq, id, clicks, last_clicked_at) AS (
         SELECT CAST(value ->> 0 AS INTEGER), value ->> 1, value ->> 2, value ->> 3 FROM json_each(?1)
       )
       UPDATE links SET clicks = max(links.clicks, counters.clicks),
         last_clicked_at = max(links.last_clicked_at, counters.last_clicked_at)
       FROM counters
       WHERE links.seq = counters.seq AND links.id = counters.id
         AND (links.clicks < counters.clicks OR links.last_clicked_at < counters.last_clicked_at)`,
    )
    .bind(JSON.stringify(rows))
    .run();
}
