import { keepAnswer, notAnsweredYet, oldestKept, readAnswer, type Idempotency } from "../http/idempotency.ts";
import { batchWithRetry, violatedColumns } from "../lib/d1.ts";
import type { RedirectRow } from "../redirect/entry.ts";
import { wokenBy } from "../webhooks/outbox.ts";
import type { Link } from "./contract.ts";
import { linkEventStatements, type LinkEvent } from "./events.ts";
import { expireIfDue } from "./expiry.ts";
import { sequenceOf } from "./id.ts";

/** A link as it is stored. */
export interface LinkRow extends RedirectRow {
  domain: string;
  slug: string;
  title: string | null;
  tags: string;
  external_id: string | null;
  /** As of the last time that somebody asked, see src/clicks/counters.ts. */
  clicks: number;
  /** 0: never. */
  last_clicked_at: number;
  created_at: number;
}

export const LINK_COLUMNS = `id, account_id, domain, slug, url, title, tags, expires_at, expired_url, max_clicks, visits,
  external_id, redirect_status, clicks, last_clicked_at, created_at, updated_at`;

const TAG_BORDER = "\u001f";

/** Tags as they are stored: each between two borders, which no tag can hold. */
export function tagsToText(tags: readonly string[]): string {
  return tags.length === 0 ? "" : TAG_BORDER + tags.join(TAG_BORDER) + TAG_BORDER;
}

/** The row as the wire shows it. `baseUrl` is the service's origin; the status is that of `now`. */
export function toLink(row: LinkRow, baseUrl: string, now: number): Link {
  const base = new URL(baseUrl);
  const origin = row.domain === "" ? base.origin : `https://${row.domain}`;
  const expired =
    (row.expires_at !== null && row.expires_at <= now) || (row.max_clicks !== null && row.visits >= row.max_clicks);
  return {
    id: row.id,
    url: row.url,
    slug: row.slug,
    domain: row.domain === "" ? base.host : row.domain,
    shortUrl: `${origin}/${row.slug}`,
    title: row.title,
    tags: row.tags.split(TAG_BORDER).slice(1, -1),
    status: expired ? "expired" : "active",
    expiresAt: row.expires_at,
    expiredUrl: row.expired_url,
    maxClicks: row.max_clicks,
    redirectStatus: row.redirect_status as Link["redirectStatus"],
    externalId: row.external_id,
    clicks: row.clicks,
    lastClickedAt: row.last_clicked_at === 0 ? null : row.last_clicked_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export type InsertOutcome =
  | { outcome: "created"; webhookIds: string[] }
  | { outcome: "slug_taken" }
  | { outcome: "external_id_taken" }
  | { outcome: "id_taken" }
  | { outcome: "answered"; fingerprint: string; response: string };

/**
 * Stores a link, its event, and with `idempotency` the answer to it, in one transaction and one round trip. The
 * slug's owner is decided by the unique index, so it is one however many requests come at once; a
 * repeated write is recognised by the link's id.
 */
export async function insertLink(
  db: D1Database,
  link: LinkRow,
  answer: { idempotency: Idempotency; response: unknown } | null,
  event: LinkEvent,
): Promise<InsertOutcome> {
  const statements = [
    insertStatement(db, link, answer?.idempotency),
    db.prepare("SELECT id FROM links WHERE domain = ?1 AND slug = ?2").bind(link.domain, link.slug),
    db
      .prepare("SELECT id FROM links WHERE account_id = ?1 AND external_id = ?2")
      .bind(link.account_id, link.external_id),
  ];
  if (answer !== null) {
    const made = { id: link.id, key: sequenceOf(link.id), made: "SELECT 1 FROM links WHERE seq = ?7 AND id = ?4" };
    statements.push(
      keepAnswer(db, answer.idempotency, made, answer.response, link.created_at),
      readAnswer(db, answer.idempotency, link.created_at),
    );
  }
  const reported =
    link.account_id === null
      ? []
      : linkEventStatements(db, "link.create", { id: link.id, accountId: link.account_id }, event);
  const results = await batchWithRetry(db, [...statements, ...reported]);
  const [, atSlug, atExternalId] = results;
  const kept = answer === null ? undefined : results[4];
  const earlier = kept?.results[0] as { fingerprint: string; resource_id: string; response: string } | undefined;
  if (earlier !== undefined && earlier.resource_id !== link.id) return { outcome: "answered", ...earlier };
  if (atSlug?.results[0]?.["id"] === link.id) {
    return { outcome: "created", webhookIds: reported.length === 0 ? [] : wokenBy(results.at(-1)) };
  }
  if ((atExternalId?.results.length ?? 0) > 0) return { outcome: "external_id_taken" };
  return { outcome: (atSlug?.results.length ?? 0) > 0 ? "slug_taken" : "id_taken" };
}

function insertStatement(db: D1Database, link: LinkRow, idempotency: Idempotency | undefined): D1PreparedStatement {
  const columns = {
    seq: sequenceOf(link.id),
    id: link.id,
    account_id: link.account_id,
    domain: link.domain,
    slug: link.slug,
    url: link.url,
    title: link.title,
    tags: link.tags,
    status: "active",
    expires_at: link.expires_at,
    expired_url: link.expired_url,
    max_clicks: link.max_clicks,
    external_id: link.external_id,
    redirect_status: link.redirect_status,
    created_at: link.created_at,
    updated_at: link.updated_at,
  };
  const parameters: (string | number | null)[] = [];
  const bound = (value: string | number | null) => `?${parameters.push(value)}`;
  const values = Object.values(columns).map(bound).join(", ");
  const unanswered =
    idempotency === undefined
      ? "true"
      : notAnsweredYet(bound(idempotency.accountId), bound(idempotency.key), bound(oldestKept(link.created_at)));
  const names = Object.keys(columns).join(", ");
  return db
    .prepare(`INSERT INTO links (${names}) SELECT ${values} WHERE ${unanswered} ON CONFLICT DO NOTHING`)
    .bind(...parameters);
}

export async function findLink(db: D1Database, id: string): Promise<LinkRow | null> {
  return db
    .prepare(`SELECT ${LINK_COLUMNS} FROM links WHERE seq = ?1 AND id = ?2`)
    .bind(sequenceOf(id), id)
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
    "url" | "slug" | "title" | "tags" | "expires_at" | "expired_url" | "max_clicks" | "external_id" | "redirect_status"
  >
>;

export type UpdateOutcome =
  | { outcome: "updated"; before: LinkRow; after: LinkRow; webhookIds: string[] }
  | { outcome: "not_found" }
  | { outcome: "forbidden" }
  | { outcome: "slug_taken" }
  | { outcome: "external_id_taken" };

/** Changes an account's link in one round trip; only the given columns, so changes of different fields do not undo each other. */
export async function updateLink(
  db: D1Database,
  accountId: number,
  id: string,
  changes: LinkChanges,
  event: LinkEvent,
): Promise<UpdateOutcome> {
  const parameters: (string | number | null)[] = [sequenceOf(id), id, accountId, event.now];
  const bound = (value: string | number | null) => `?${parameters.push(value)}`;
  const assignments: string[] = [];
  const next: Record<string, string> = { expires_at: "expires_at", max_clicks: "max_clicks" };
  for (const [column, value] of Object.entries(changes)) {
    next[column] = bound(value);
    assignments.push(`${column} = ${next[column]}`);
  }
  assignments.push(
    // An expired link may come back; one that is over now is moved, and reported, by expiry.ts.
    `status = iif(coalesce(${next["expires_at"]} <= ?4, false) OR coalesce(${next["max_clicks"]} <= visits, false), status, 'active')`,
    "updated_at = max(?4, updated_at + 1)",
  );
  const expiry = expireIfDue(db, { id, accountId }, event);
  try {
    const results = await db.batch<LinkRow>([
      ...expiry.statements,
      db.prepare(`SELECT ${LINK_COLUMNS} FROM links WHERE seq = ?1 AND id = ?2`).bind(parameters[0], id),
      db
        .prepare(
          `UPDATE links SET ${assignments.join(", ")} WHERE seq = ?1 AND id = ?2 AND account_id = ?3 RETURNING ${LINK_COLUMNS}`,
        )
        .bind(...parameters),
      ...linkEventStatements(db, "link.update", { id, accountId }, event),
    ]);
    const [before, after, , , owed] = results.slice(expiry.statements.length);
    const { webhookIds } = expiry.read(results);
    return changeOutcome(before?.results[0], after?.results[0], [...webhookIds, ...wokenBy(owed)]);
  } catch (error) {
    const columns = violatedColumns(error);
    if (columns?.includes("links.slug")) return { outcome: "slug_taken" };
    if (columns?.includes("links.external_id")) return { outcome: "external_id_taken" };
    throw error;
  }
}

function changeOutcome(before: LinkRow | undefined, after: LinkRow | undefined, webhookIds: string[]): UpdateOutcome {
  if (before === undefined) return { outcome: "not_found" };
  return after === undefined ? { outcome: "forbidden" } : { outcome: "updated", before, after, webhookIds };
}

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
