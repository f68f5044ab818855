import { Batch } from "../../platform/database/batch.ts";
import { allOf, holds, type Condition } from "../../platform/database/parameters.ts";
import { boundsOf, type Page } from "../../platform/http/pagination.ts";
import { isId } from "../../platform/lib/uuid.ts";
import { sequenceOf } from "../../links/store/sequence.ts";
import { addEntry, type NewEntry } from "../operators/store.ts";
import { listByDecision } from "../store/decided-list.ts";
import { TAKEDOWN_COLUMNS, type TakedownRow } from "../takedowns/store/takedowns.ts";
import type { Appeal } from "./contract.ts";

/** A takedown with its appeal; without one, the columns of the appeal are null. */
export interface TakedownWithAppeal extends TakedownRow {
  appeal_id: string | null;
  appeal_account: number;
  appeal_statement: string;
  appealed_at: number;
  decision: Appeal["decision"];
  answer: string | null;
  decided_at: number | null;
}

/** A takedown that has an appeal. */
export type AppealRow = TakedownWithAppeal & { appeal_id: string };

const APPEAL =
  "a.id AS appeal_id, a.account_id AS appeal_account, a.statement AS appeal_statement, a.created_at AS appealed_at, a.decision, a.answer, a.decided_at";
const SELECTED = `SELECT ${TAKEDOWN_COLUMNS}, ${APPEAL} FROM appeals a JOIN takedowns t ON t.id = a.takedown_id`;

/** The takedowns of the account ?1, each with the account's own appeal. */
const OF_ACCOUNT = `FROM takedown_accounts o CROSS JOIN takedowns t ON t.id = o.takedown_id
  LEFT JOIN appeals a ON a.takedown_id = t.id AND a.account_id = o.account_id WHERE o.account_id = ?1`;

/** The takedown is in force and keeps visitors from the link ?5 of the account, whose key is ?6. */
const BEARS_ON_LINK = `t.reversed_at IS NULL AND EXISTS (
  SELECT 1 FROM links l WHERE l.seq = CAST(?6 AS INTEGER) AND l.id = ?5 AND l.account_id = ?1
  AND CASE t.kind WHEN 'link' THEN t.target = l.id WHEN 'account' THEN t.target = CAST(l.account_id AS TEXT) WHEN 'domain' THEN t.target = l.domain
    ELSE t.id IN (SELECT value FROM json_each(l.host_takedowns)) END)`;

/**
 * What was taken down of the account, newest first; one more than the page holds. With `linkId` only what is in force and keeps
 * visitors from this link.
 */
export async function listTakedownsOf(
  db: D1Database,
  { accountId, linkId }: { accountId: number; linkId: string | null },
  page: Page,
): Promise<TakedownWithAppeal[]> {
  if (linkId !== null && !isId(linkId)) return [];
  const [before, limit, offset] = boundsOf(page);
  const bearing = linkId === null ? "" : `AND ${BEARS_ON_LINK}`;
  const { results } = await db
    .prepare(
      `SELECT ${TAKEDOWN_COLUMNS}, ${APPEAL} ${OF_ACCOUNT} AND o.takedown_id < ?2 ${bearing}
       ORDER BY o.takedown_id DESC LIMIT ?3 OFFSET ?4`,
    )
    .bind(accountId, before, limit, offset, ...(linkId === null ? [] : [linkId, sequenceOf(linkId)]))
    .all<TakedownWithAppeal>();
  return results;
}

/** The takedown, if it is one of the account. */
export async function findTakedownOf(
  db: D1Database,
  accountId: number,
  id: string,
): Promise<TakedownWithAppeal | null> {
  return db
    .prepare(`SELECT ${TAKEDOWN_COLUMNS}, ${APPEAL} ${OF_ACCOUNT} AND o.takedown_id = ?2`)
    .bind(accountId, id)
    .first<TakedownWithAppeal>();
}

/** Stores an appeal if the takedown is in force and has none of the account. Returns whether it is stored. */
export async function insertAppeal(
  db: D1Database,
  appeal: { id: string; takedownId: string; accountId: number; userId: string; statement: string },
  now: number,
): Promise<boolean> {
  const { id, takedownId, accountId, userId, statement } = appeal;
  const batch = new Batch(db);
  batch.sql`INSERT INTO appeals (id, takedown_id, account_id, user_id, statement, created_at)
    SELECT ${id}, id, ${accountId}, ${userId}, ${statement}, ${now} FROM takedowns WHERE id = ${takedownId} AND reversed_at IS NULL
    ON CONFLICT DO NOTHING`;
  const stored = batch.sql`SELECT 1 FROM appeals WHERE id = ${id}`;
  await batch.commitWithRetry();
  return stored.first !== undefined;
}

export async function findAppeal(db: D1Database, id: string): Promise<AppealRow | null> {
  return db.prepare(`${SELECTED} WHERE a.id = ?1`).bind(id).first<AppealRow>();
}

/** The open appeals, oldest first, or the decided ones, newest first; one more than the page holds. */
export async function listAppeals(db: D1Database, isOpen: boolean, page: Page): Promise<AppealRow[]> {
  return listByDecision<AppealRow>(db, { selected: SELECTED, table: "a" }, isOpen, page);
}

/** Decides an open appeal, with an entry, if the condition holds; its account is to be told. Returns whether this call decided it. */
export async function decideAppeal(
  db: D1Database,
  appeal: { id: string; decision: NonNullable<Appeal["decision"]>; answer: string | null },
  entry: NewEntry,
  condition: Condition,
): Promise<boolean> {
  const { id, decision, answer } = appeal;
  const isOpen = holds`EXISTS (SELECT 1 FROM appeals WHERE id = ${id} AND decided_at IS NULL)`;
  const batch = new Batch(db);
  addEntry(batch, entry, allOf(isOpen, condition));
  batch.sql`UPDATE takedown_accounts SET due_at = ${entry.now} WHERE ${allOf(isOpen, condition)}
    AND (account_id, takedown_id) = (SELECT account_id, takedown_id FROM appeals WHERE id = ${id})`;
  batch.sql`UPDATE appeals SET decision = ${decision}, answer = ${answer}, decided_at = ${entry.now}
    WHERE id = ${id} AND decided_at IS NULL AND ${condition}`;
  const recorded = batch.sql`SELECT 1 FROM operator_entries WHERE id = ${entry.id}`;
  await batch.commitWithRetry();
  return recorded.first !== undefined;
}
