import type { AccountChange } from "../../../access/audit/change.ts";
import { Batch, addCheck } from "../../../platform/database/batch.ts";
import { allOf, holds, Parameters, type Condition } from "../../../platform/database/parameters.ts";
import { selectPage } from "../../../platform/database/rows.ts";
import { boundsOf, type Page } from "../../../platform/http/pagination.ts";
import { selectSubject } from "../../../links/store/subject.ts";
import { addMail, type NewMail } from "../../../platform/mail/store.ts";
import { SHARED_PAGE_COLUMNS, type SharedPageRow } from "./row.ts";
import { MAX_SHARED_PAGES_PER_ACCOUNT } from "../limits.ts";

/** The shared pages of an account, for its keys and members. */

export interface NewSharedPage {
  id: string;
  subject: { linkId: string } | { tag: string };
  title: string | null;
  tokenHash: string;
  sealedToken: string;
  passwordHash: string | null;
  showDestination: boolean;
}

/** `no_subject`: the account has no such link or tag. `limit_reached`: it has {@link MAX_SHARED_PAGES_PER_ACCOUNT} already. */
type InsertOutcome =
  | { outcome: "created"; row: SharedPageRow }
  | { outcome: "demoted" | "no_subject" | "limit_reached" };

const SELECT_BY_ID = `SELECT ${SHARED_PAGE_COLUMNS} FROM shared_pages WHERE id = ?1`;

/**
 * Stores a page, with the mail that tells of it. The limit and the existence of the link or tag are conditions of the INSERT, so concurrent requests cannot
 * exceed the one and remove the other.
 */
export async function insertSharedPage(
  db: D1Database,
  { accountId, now, creator, isAllowed, record }: AccountChange,
  page: NewSharedPage,
  mail: NewMail | null,
): Promise<InsertOutcome> {
  const { id, title, tokenHash, sealedToken, passwordHash, showDestination } = page;
  const batch = new Batch(db);
  const permitted = addCheck(batch, isAllowed);
  const values = [id, accountId, title, tokenHash, sealedToken, passwordHash, showDestination ? 1 : 0, now];
  const parameters = new Parameters([...values, MAX_SHARED_PAGES_PER_ACCOUNT, creator.key, creator.user]);
  const subject = selectSubject(accountId, page.subject, parameters);
  batch.add(
    `INSERT INTO shared_pages (id, account_id, title, token_hash, token, password_hash, show_destination, created_at,
       updated_at, created_by_key, created_by_user, link_seq, link_id, tag, tag_key)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?10, ?11, ${subject}
       AND (SELECT count(*) FROM shared_pages INDEXED BY shared_pages_by_account WHERE account_id = ?2) < ?9 AND ${isAllowed(parameters)}
     ON CONFLICT (id) DO NOTHING`,
    parameters.values,
  );
  record(batch, "shared_page.create", id, isPageOf(accountId, id));
  if (mail !== null) addMail(batch, mail, now, isPageOf(accountId, id));
  const stored = batch.add<SharedPageRow>(SELECT_BY_ID, [id]);
  const found = new Parameters();
  const present = batch.add(`SELECT ${selectSubject(accountId, page.subject, found)}`, found.values);
  await batch.commitWithRetry();
  if (stored.first !== undefined) return { outcome: "created", row: stored.first };
  if (permitted.first === undefined) return { outcome: "demoted" };
  return { outcome: present.first === undefined ? "no_subject" : "limit_reached" };
}

function isPageOf(accountId: number, id: string): Condition {
  return holds`EXISTS (SELECT 1 FROM shared_pages WHERE id = ${id} AND account_id = ${accountId})`;
}

export async function findSharedPage(db: D1Database, id: string): Promise<SharedPageRow | null> {
  return db.prepare(SELECT_BY_ID).bind(id).first<SharedPageRow>();
}

/** Returns the account's pages, newest first, with one more than the page holds. */
export async function listSharedPages(db: D1Database, accountId: number, page: Page): Promise<SharedPageRow[]> {
  return selectPage(
    db,
    `SELECT ${SHARED_PAGE_COLUMNS} FROM shared_pages INDEXED BY shared_pages_by_account`,
    accountId,
    boundsOf(page),
  );
}

/** The fields to change. Absent fields keep their values. */
export interface SharedPageChanges {
  title?: string | null | undefined;
  passwordHash?: string | null | undefined;
  showDestination?: boolean | undefined;
}

/** `not_found`: another request has deleted the page. */
type UpdateOutcome = { outcome: "changed"; row: SharedPageRow } | { outcome: "demoted" | "not_found" };

export async function updateSharedPage(
  db: D1Database,
  { accountId, now, isAllowed, record }: AccountChange,
  id: string,
  { title, passwordHash, showDestination }: SharedPageChanges,
): Promise<UpdateOutcome> {
  const batch = new Batch(db);
  const permitted = addCheck(batch, isAllowed);
  const isChangeable = allOf(isAllowed, isPageOf(accountId, id));
  record(batch, "shared_page.update", id, isChangeable);
  const parameters = new Parameters([id, now]);
  const assignments = ["updated_at = CAST(max(?2, updated_at + 1) AS INTEGER)"];
  if (title !== undefined) assignments.push(`title = ${parameters.add(title)}`);
  if (showDestination !== undefined) assignments.push(`show_destination = ${parameters.add(showDestination ? 1 : 0)}`);
  if (passwordHash !== undefined) assignments.push(`password_hash = ${parameters.add(passwordHash)}`);
  const changed = batch.add<SharedPageRow>(
    `UPDATE shared_pages SET ${assignments.join(", ")} WHERE id = ?1 AND ${isChangeable(parameters)} RETURNING ${SHARED_PAGE_COLUMNS}`,
    parameters.values,
  );
  await batch.commitWithRetry();
  if (changed.first !== undefined) return { outcome: "changed", row: changed.first };
  return { outcome: permitted.first === undefined ? "demoted" : "not_found" };
}

/** Deletes an account's page, unless another request has deleted it already. */
export async function deleteSharedPage(
  db: D1Database,
  { accountId, isAllowed, record }: AccountChange,
  id: string,
): Promise<"deleted" | "demoted"> {
  const batch = new Batch(db);
  const permitted = addCheck(batch, isAllowed);
  const isDeletable = allOf(isAllowed, isPageOf(accountId, id));
  record(batch, "shared_page.delete", id, isDeletable);
  batch.sql`DELETE FROM shared_pages WHERE id = ${id} AND ${isDeletable}`;
  await batch.commitWithRetry();
  return permitted.first === undefined ? "demoted" : "deleted";
}
