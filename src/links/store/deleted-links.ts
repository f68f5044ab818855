import type { AccountContext } from "../../platform/context.ts";
import { Batch, type Statements } from "../../platform/database/batch.ts";
import { Parameters } from "../../platform/database/parameters.ts";
import type { Page } from "../../platform/http/pagination.ts";
import { changeUsage } from "../../access/usage/store.ts";
import type { LinkCondition } from "./as-read.ts";
import { deletedLinkBytes, LINK_COLUMNS, ROW_JSON, type LinkRow } from "./row.ts";
import { LISTED_LINKS, listedLinks, sequenceOf } from "./sequence.ts";
import { MAX_COUNTED_LINKS } from "../limits.ts";

/** A deleted link that is kept. */
export interface DeletedLink {
  id: string;
  account_id: number;
  deleted_at: number;
  /** The row as it was, as JSON. */
  link: string;
}

/** Records the links `l` that meet the condition, before the batch deletes them. Their bytes still count. */
export function recordDeletedLinks(batch: Batch, { condition, values }: LinkCondition, now: number): void {
  const from = `${LISTED_LINKS} WHERE ${condition}`;
  const parameters = new Parameters(values);
  changeUsage(batch, `SELECT account_id, -1 AS links, 0 AS bytes FROM (SELECT l.account_id FROM ${from})`, values);
  batch.add(
    `INSERT INTO deleted_links (seq, id, account_id, deleted_at, link)
     SELECT l.seq, l.id, l.account_id, ${parameters.add(now)}, ${ROW_JSON} FROM ${from} ON CONFLICT DO NOTHING`,
    parameters.values,
  );
}

/**
 * Returns those of the links that exist, and those that are deleted and still kept. Both are read in one transaction, so
 * that a link that is deleted or restored meanwhile is in one of them.
 */
export async function findWithDeleted(
  db: Statements,
  ids: readonly string[],
): Promise<{ present: LinkRow[]; deleted: DeletedLink[] }> {
  if (ids.length === 0) return { present: [], deleted: [] };
  const batch = new Batch(db);
  const parameters = new Parameters();
  const { condition } = listedLinks(ids, parameters);
  const { values } = parameters;
  const present = batch.add<LinkRow>(`SELECT ${LINK_COLUMNS} FROM ${LISTED_LINKS} WHERE ${condition}`, values);
  const deleted = batch.add<DeletedLink>(
    `SELECT id, account_id, deleted_at, link FROM deleted_links l WHERE ${condition}`,
    values,
  );
  await batch.commit();
  return { present: present.rows, deleted: deleted.rows };
}

/**
 * Returns the account's links that were deleted after `deletedAfter`, the last deleted first: those of the page and one
 * more. `matches` is as in a list of links.
 */
export async function listDeleted(
  { db, principal: { accountId } }: AccountContext,
  page: Page,
  deletedAfter: number,
  isCounted: boolean,
): Promise<{ rows: DeletedLink[]; matches: number | null }> {
  const links = "deleted_links INDEXED BY deleted_links_by_account WHERE account_id = ?1 AND deleted_at > ?2";
  const parameters = new Parameters([accountId, deletedAfter, page.limit + 1, page.offset]);
  const isAfter =
    page.after === null
      ? ""
      : `AND (deleted_at, seq) < (${parameters.add(page.afterValue)}, ${parameters.add(sequenceOf(page.after))})`;
  const batch = new Batch(db);
  const listed = batch.add<DeletedLink>(
    `SELECT id, account_id, deleted_at, link FROM ${links} ${isAfter} ORDER BY deleted_at DESC, seq DESC LIMIT ?3 OFFSET ?4`,
    parameters.values,
  );
  const counted = isCounted
    ? batch.add<{ matches: number }>(
        `SELECT count(*) AS matches FROM (SELECT 1 FROM ${links} LIMIT ${MAX_COUNTED_LINKS + 1})`,
        [accountId, deletedAfter],
      )
    : null;
  await batch.commit();
  return { rows: listed.rows, matches: counted?.first?.matches ?? null };
}

/** The link as it was when it was deleted. */
export function parseDeletedLink({ link }: DeletedLink): LinkRow {
  return JSON.parse(link) as LinkRow;
}

/** Returns up to `limit` links that were deleted at `deletedAt` or earlier, the earliest first. */
export async function findLinksDeletedBefore(
  db: D1Database,
  deletedAt: number,
  limit: number,
): Promise<Pick<DeletedLink, "id" | "account_id">[]> {
  const { results } = await db
    .prepare("SELECT id, account_id FROM deleted_links WHERE deleted_at <= ?1 ORDER BY deleted_at LIMIT ?2")
    .bind(deletedAt, limit)
    .all<DeletedLink>();
  return results;
}

/** Removes the records of links whose clicks are deleted, their shared pages and notes. Their slugs are free then. */
export async function removeDeletedLinks(db: D1Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const sequences = ids.map(sequenceOf).join(",");
  const isListed = `seq IN (${sequences})`;
  const bytes = deletedLinkBytes("link");
  const batch = new Batch(db);
  changeUsage(batch, `SELECT account_id, 0 AS links, -${bytes} AS bytes FROM deleted_links WHERE ${isListed}`, []);
  // Not those of a link that was restored while its clicks were deleted.
  for (const table of ["shared_pages", "notes"])
    batch.add(
      `DELETE FROM ${table} INDEXED BY ${table}_by_link
       WHERE link_seq IN (${sequences}) AND NOT EXISTS (SELECT 1 FROM links WHERE seq = link_seq)`,
    );
  batch.add(`DELETE FROM deleted_links WHERE ${isListed}`);
  await batch.commit();
}

/** Sets the time from which the links are kept. */
export async function setDeletedAt(db: D1Database, ids: readonly string[], deletedAt: number): Promise<void> {
  if (ids.length === 0) return;
  const sql = `UPDATE deleted_links SET deleted_at = ?1 WHERE seq IN (${ids.map(sequenceOf).join(",")})`;
  await db.prepare(sql).bind(deletedAt).run();
}
