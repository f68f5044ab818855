import { Batch } from "../../../platform/database/batch.ts";
import { allOf, holds, type Condition } from "../../../platform/database/parameters.ts";
import { boundsOf, type Page } from "../../../platform/http/pagination.ts";
import type { ScreeningRule } from "../contract.ts";
import { addEntry, type NewEntry } from "../../operators/store.ts";

export interface RuleRow extends Pick<ScreeningRule, "id" | "kind" | "value" | "verdict" | "reason" | "note"> {
  created_at: number;
  operator_name: string | null;
}

/** `entry` is what destinations are compared with, or the URL of the file. */
export type NewRule = Omit<RuleRow, "operator_name"> & { entry: string; created_by: string };

const COLUMNS = `id, kind, value, verdict, reason, note, created_at,
  (SELECT name FROM users WHERE id = created_by) AS operator_name`;

/**
 * Adds a rule with its record, if the condition holds and there are fewer than `max` of its sort. Returns it, or why not.
 */
export async function insertRule(
  db: D1Database,
  rule: NewRule,
  max: number,
  record: NewEntry,
  condition: Condition,
): Promise<RuleRow | "exists" | "full" | "not_allowed"> {
  const { id, kind, value, entry, verdict, reason, note, created_at, created_by } = rule;
  const batch = new Batch(db);
  const isSort = kind === "entry" ? "kind = 'entry'" : "kind <> 'entry'";
  const hasRoom: Condition = (parameters) =>
    `(SELECT count(*) FROM screening_rules WHERE ${isSort}) < ${parameters.add(max)}`;
  batch.sql`INSERT INTO screening_rules (id, kind, value, entry, verdict, reason, note, created_at, created_by)
    SELECT ${id}, ${kind}, ${value}, ${entry}, ${verdict}, ${reason}, ${note}, ${created_at}, ${created_by}
    WHERE ${allOf(hasRoom, condition)} ON CONFLICT DO NOTHING`;
  addEntry(batch, record, holds`EXISTS (SELECT 1 FROM screening_rules WHERE id = ${id})`);
  const added = batch.add<RuleRow>(`SELECT ${COLUMNS} FROM screening_rules WHERE id = ?1`, [id]);
  const same = batch.sql`SELECT 1 FROM screening_rules WHERE entry = ${entry}`;
  const allowed = batch.sql`SELECT 1 WHERE ${condition}`;
  await batch.commitWithRetry();
  if (allowed.first === undefined) return "not_allowed";
  return added.first ?? (same.first === undefined ? "full" : "exists");
}

/** The rules, newest first; one more than the page holds. */
export async function listRules(db: D1Database, page: Page): Promise<RuleRow[]> {
  const { results } = await db
    .prepare(`SELECT ${COLUMNS} FROM screening_rules WHERE id < ?1 ORDER BY id DESC LIMIT ?2 OFFSET ?3`)
    .bind(...boundsOf(page))
    .all<RuleRow>();
  return results;
}

/** The list files, newest first. */
export async function listFiles(db: D1Database): Promise<RuleRow[]> {
  const { results } = await db
    .prepare(`SELECT ${COLUMNS} FROM screening_rules WHERE kind <> 'entry' ORDER BY id DESC`)
    .all<RuleRow>();
  return results;
}

export async function findRule(db: D1Database, id: string): Promise<RuleRow | null> {
  return db.prepare(`SELECT ${COLUMNS} FROM screening_rules WHERE id = ?1`).bind(id).first<RuleRow>();
}

/** Deletes a rule with its record, if the condition holds. Returns whether it is gone. */
export async function deleteRule(db: D1Database, id: string, record: NewEntry, condition: Condition): Promise<boolean> {
  const batch = new Batch(db);
  const isThere = holds`EXISTS (SELECT 1 FROM screening_rules WHERE id = ${id})`;
  addEntry(batch, record, allOf(isThere, condition));
  batch.sql`DELETE FROM screening_rules WHERE id = ${id} AND ${condition}`;
  const left = batch.sql`SELECT 1 WHERE ${isThere}`;
  await batch.commitWithRetry();
  return left.first === undefined;
}
