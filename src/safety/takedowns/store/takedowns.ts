import { Batch } from "../../../platform/database/batch.ts";
import { allOf, holds, type Condition } from "../../../platform/database/parameters.ts";
import { boundsOf, type Page } from "../../../platform/http/pagination.ts";
import { leaseEnd } from "../../../platform/lib/lease.ts";
import { addEntry, type NewEntry } from "../../operators/store.ts";
import { isReportOf, settleReports } from "../../store/settled-reports.ts";
import type { CreateTakedown } from "../contract.ts";
import { TAKEDOWN_MAIL_LEASE_MS } from "../../limits.ts";

/** A takedown as it is stored. */
export interface TakedownRow {
  id: string;
  kind: CreateTakedown["kind"];
  target: string;
  shown: string;
  /** Packed verdicts (src/redirect/verdict.ts). */
  imposed: number;
  former: number | null;
  statement: string | null;
  created_at: number;
  reversed_at: number | null;
  operator_name: string | null;
  /** Of a host: the links to it that were found. */
  found_links: number;
}

export const TAKEDOWN_COLUMNS = `t.id, t.kind, t.target, t.shown, t.imposed, t.former, t.statement, t.created_at, t.reversed_at, t.found_links,
  (SELECT name FROM users WHERE id = t.created_by) AS operator_name`;

export type NewTakedown = Omit<TakedownRow, "reversed_at" | "operator_name" | "found_links"> & {
  created_by: string;
  /** The account that it concerns; null: nobody's, or those that are found later. */
  accountId: number | null;
  /** Whether the open reports of the target are decided too. Those of links to a host are when the links are found. */
  settlesReports: boolean;
};

/**
 * Stores a takedown with its entry, if the condition holds and the target has none in force. Returns the one that is in force
 * then, or null if the condition did not hold.
 */
export async function insertTakedown(
  db: D1Database,
  takedown: NewTakedown,
  entry: NewEntry,
  condition: Condition,
): Promise<TakedownRow | null> {
  const { id, kind, target, shown, imposed, former, statement, created_at, created_by, accountId, settlesReports } =
    takedown;
  const batch = new Batch(db);
  batch.sql`INSERT INTO takedowns (id, kind, target, shown, imposed, former, statement, created_at, created_by)
    SELECT ${id}, ${kind}, ${target}, ${shown}, ${imposed}, ${former}, ${statement}, ${created_at}, ${created_by}
    WHERE ${condition} ON CONFLICT DO NOTHING`;
  const isStored = holds`EXISTS (SELECT 1 FROM takedowns WHERE id = ${id})`;
  if (accountId !== null)
    batch.sql`INSERT INTO takedown_accounts (account_id, takedown_id, due_at) SELECT ${accountId}, ${id}, ${created_at} WHERE ${isStored}
      ON CONFLICT DO NOTHING`;
  addEntry(batch, entry, isStored);
  // Also if it was taken down before: visitors can report a link until all copies of it are read again.
  if (settlesReports && kind !== "host")
    settleReports(batch, "taken_down", created_at, isReportOf(kind, target), condition);
  const inForce = batch.add<TakedownRow>(
    `SELECT ${TAKEDOWN_COLUMNS} FROM takedowns t WHERE t.kind = ?1 AND t.target = ?2 AND t.reversed_at IS NULL`,
    [kind, target],
  );
  const allowed = batch.sql`SELECT 1 WHERE ${condition}`;
  await batch.commitWithRetry();
  return allowed.first === undefined ? null : (inForce.first ?? null);
}

export async function findTakedown(db: D1Database, id: string): Promise<TakedownRow | null> {
  return db.prepare(`SELECT ${TAKEDOWN_COLUMNS} FROM takedowns t WHERE t.id = ?1`).bind(id).first<TakedownRow>();
}

/** The accounts that the takedown concerns. */
export async function listAccountsOf(db: D1Database, id: string): Promise<number[]> {
  const { results } = await db
    .prepare("SELECT account_id FROM takedown_accounts WHERE takedown_id = ?1 ORDER BY account_id")
    .bind(id)
    .all<{ account_id: number }>();
  return results.map((row) => row.account_id);
}

/**
 * Ends a takedown in force, with its entry, if the condition holds. Returns whether it is ended. The owners who were told of the takedown are
 * due to be told of its end. For the account `appellant` this is due after a lease: the decision of its appeal tells it first.
 * `accountId` is the account that has the target now.
 */
export async function endTakedown(
  db: D1Database,
  id: string,
  {
    operatorId,
    now,
    accountId,
    appellant,
  }: { operatorId: string; now: number; accountId: number | null; appellant: number | null },
  entry: NewEntry,
  condition: Condition,
): Promise<boolean> {
  const batch = new Batch(db);
  const isInForce = holds`EXISTS (SELECT 1 FROM takedowns WHERE id = ${id} AND reversed_at IS NULL)`;
  const isReversed = allOf(isInForce, condition);
  addEntry(batch, entry, isReversed);
  if (accountId !== null)
    batch.sql`INSERT INTO takedown_accounts (account_id, takedown_id) SELECT ${accountId}, ${id} WHERE ${isReversed} ON CONFLICT DO NOTHING`;
  batch.sql`UPDATE takedown_accounts
    SET due_at = iif(due_at IS NOT NULL, NULL, iif(account_id = ${appellant}, ${leaseEnd(now, TAKEDOWN_MAIL_LEASE_MS)}, ${now}))
    WHERE takedown_id = ${id} AND ${isReversed}`;
  batch.sql`UPDATE takedowns SET reversed_at = ${now}, reversed_by = ${operatorId}
    WHERE id = ${id} AND reversed_at IS NULL AND ${condition}`;
  const ended = batch.sql`SELECT 1 FROM takedowns WHERE id = ${id} AND reversed_at IS NOT NULL`;
  await batch.commitWithRetry();
  return ended.first !== undefined;
}

/** The takedowns, newest first; one more than the page holds. */
export async function listTakedowns(db: D1Database, page: Page): Promise<TakedownRow[]> {
  const { results } = await db
    .prepare(`SELECT ${TAKEDOWN_COLUMNS} FROM takedowns t WHERE t.id < ?1 ORDER BY t.id DESC LIMIT ?2 OFFSET ?3`)
    .bind(...boundsOf(page))
    .all<TakedownRow>();
  return results;
}

export interface FoundDomain {
  account_id: number;
  status: string;
}

export async function findAccount(db: D1Database, uuid: string): Promise<{ id: number; uuid: string } | null> {
  return db.prepare("SELECT id, uuid FROM accounts WHERE uuid = ?1").bind(uuid).first();
}

/** The account that has the domain. */
export async function findDomain(db: D1Database, domain: string): Promise<FoundDomain | null> {
  return db
    .prepare("SELECT account_id, status FROM domains WHERE domain = ?1 ORDER BY status = 'verified' DESC LIMIT 1")
    .bind(domain)
    .first();
}
