import { Batch } from "../../database/batch.ts";
import { allOf, holds, type Condition } from "../../database/parameters.ts";
import { boundsOf, type Page } from "../../http/pagination.ts";
import { addEntry, type NewEntry } from "../store/audit.ts";
import { listByDecision } from "../store/decided-list.ts";
import { COLUMNS, type TakedownRow } from "../store/takedowns.ts";
import type { Appeal } from "./contract.ts";

/** A takedown with its appeal; without one, the columns of the appeal are null. */
export interface TakedownWithAppeal extends TakedownRow {
  appeal_id: string | null;
  appeal_statement: string;
  appealed_at: number;
  decision: Appeal["decision"];
  answer: string | null;
  decided_at: number | null;
}

/** A takedown that has an appeal. */
export type AppealRow = TakedownWithAppeal & { appeal_id: string };

const APPEAL =
  "a.id AS appeal_id, a.statement AS appeal_statement, a.created_at AS appealed_at, a.decision, a.answer, a.decided_at";
const SELECTED = `SELECT ${COLUMNS}, ${APPEAL} FROM appeals a JOIN takedowns t ON t.id = a.takedown_id`;

/** What was taken down of the account, newest first; one more than the page holds. */
export async function listTakedownsOf(db: D1Database, accountId: number, page: Page): Promise<TakedownWithAppeal[]> {
  const [before, limit, offset] = boundsOf(page);
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS}, ${APPEAL} FROM takedowns t LEFT JOIN appeals a ON a.takedown_id = t.id
       WHERE t.owner_account = ?1 AND t.id < ?2 ORDER BY t.id DESC LIMIT ?3 OFFSET ?4`,
    )
    .bind(accountId, before, limit, offset)
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
    .prepare(
      `SELECT ${COLUMNS}, ${APPEAL} FROM takedowns t LEFT JOIN appeals a ON a.takedown_id = t.id
       WHERE t.id = ?1 AND t.owner_account = ?2`,
    )
    .bind(id, accountId)
    .first<TakedownWithAppeal>();
}

/** Stores an appeal if the takedown is in force and has none. Returns whether it is stored. */
export async function insertAppeal(
  db: D1Database,
  appeal: { id: string; takedownId: string; userId: string; statement: string },
  now: number,
): Promise<boolean> {
  const { id, takedownId, userId, statement } = appeal;
  const batch = new Batch(db);
  batch.sql`INSERT INTO appeals (id, takedown_id, user_id, statement, created_at)
    SELECT ${id}, id, ${userId}, ${statement}, ${now} FROM takedowns WHERE id = ${takedownId} AND reversed_at IS NULL
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

/** Decides an open appeal, with an entry, if the condition holds. Returns whether this call decided it. */
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
  batch.sql`UPDATE appeals SET decision = ${decision}, answer = ${answer}, decided_at = ${entry.now}
    WHERE id = ${id} AND decided_at IS NULL AND ${condition}`;
  const recorded = batch.sql`SELECT 1 FROM operator_entries WHERE id = ${entry.id}`;
  await batch.commitWithRetry();
  return recorded.first !== undefined;
}
