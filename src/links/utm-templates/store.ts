import { Batch } from "../../platform/database/batch.ts";
import { selectPage } from "../../platform/database/rows.ts";
import { boundsOf, type Page } from "../../platform/http/pagination.ts";
import { foldCase } from "../../platform/lib/fold-case.ts";
import { MAX_UTM_TEMPLATES_PER_ACCOUNT } from "../../limits.ts";
import type { Utm } from "../fields.ts";
import type { UpdateTemplate, UtmTemplate } from "./contract.ts";

export interface TemplateRow {
  id: string;
  account_id: number;
  name: string;
  utm: string;
  created_at: number;
  updated_at: number;
}

const COLUMNS = "id, account_id, name, utm, created_at, updated_at";
const SELECT_BY_ID = `SELECT ${COLUMNS} FROM utm_templates WHERE id = ?1`;
/** The template of the account ?1 that has the name with the key ?2. */
const WITH_NAME = "SELECT id FROM utm_templates WHERE account_id = ?1 AND name_key = ?2";

export function toTemplate(row: TemplateRow): UtmTemplate {
  const { id, name, utm, created_at: createdAt, updated_at: updatedAt } = row;
  return { id, name, utm: JSON.parse(utm) as Utm, createdAt, updatedAt };
}

/** Stores a template. The limit is a condition of the INSERT, so concurrent requests cannot exceed it. */
export async function insertTemplate(
  db: D1Database,
  accountId: number,
  { id, name, utm, createdAt }: UtmTemplate,
): Promise<"created" | "name_taken" | "limit_reached"> {
  const nameKey = foldCase(name);
  const batch = new Batch(db);
  batch.add(
    `INSERT INTO utm_templates (account_id, name_key, id, name, utm, created_at, updated_at)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?6 WHERE (SELECT count(*) FROM utm_templates WHERE account_id = ?1) < ?7
     ON CONFLICT DO NOTHING`,
    [accountId, nameKey, id, name, JSON.stringify(utm), createdAt, MAX_UTM_TEMPLATES_PER_ACCOUNT],
  );
  const stored = batch.add<{ id: string }>(WITH_NAME, [accountId, nameKey]);
  await batch.commitWithRetry();
  if (stored.first === undefined) return "limit_reached";
  return stored.first.id === id ? "created" : "name_taken";
}

/** The account's templates, newest first; one more than the page holds. */
export async function listTemplates(db: D1Database, accountId: number, page: Page): Promise<TemplateRow[]> {
  return selectPage(
    db,
    `SELECT ${COLUMNS} FROM utm_templates INDEXED BY utm_templates_by_account`,
    accountId,
    boundsOf(page),
  );
}

type UpdateOutcome =
  | { outcome: "changed"; row: TemplateRow }
  | { outcome: "not_found" }
  | { outcome: "forbidden" }
  | { outcome: "name_taken" };

/** Changes the given fields of an account's template. A change to what it is already writes nothing. */
export async function updateTemplate(
  db: D1Database,
  accountId: number,
  id: string,
  { name, utm }: UpdateTemplate,
  now: number,
): Promise<UpdateOutcome> {
  const nameKey = name === undefined ? null : foldCase(name);
  const batch = new Batch(db);
  batch.add(
    `UPDATE utm_templates SET name = coalesce(?4, name), name_key = coalesce(?2, name_key), utm = coalesce(?5, utm),
       updated_at = max(?6, updated_at + 1)
     WHERE id = ?3 AND account_id = ?1 AND (name <> ?4 OR utm <> ?5) AND NOT EXISTS (${WITH_NAME} AND id <> ?3)`,
    [accountId, nameKey, id, name ?? null, utm === undefined ? null : JSON.stringify(utm), now],
  );
  const found = batch.add<TemplateRow>(SELECT_BY_ID, [id]);
  const other = batch.add(`${WITH_NAME} AND id <> ?3`, [accountId, nameKey, id]);
  await batch.commitWithRetry();
  const row = found.first;
  if (row === undefined) return { outcome: "not_found" };
  if (row.account_id !== accountId) return { outcome: "forbidden" };
  return other.first === undefined ? { outcome: "changed", row } : { outcome: "name_taken" };
}

/** Deletes an account's template. */
export async function deleteTemplate(
  db: D1Database,
  accountId: number,
  id: string,
): Promise<"deleted" | "not_found" | "forbidden"> {
  const batch = new Batch(db);
  const found = batch.add<TemplateRow>(SELECT_BY_ID, [id]);
  batch.add("DELETE FROM utm_templates WHERE id = ?1 AND account_id = ?2", [id, accountId]);
  await batch.commit();
  if (found.first === undefined) return "not_found";
  return found.first.account_id === accountId ? "deleted" : "forbidden";
}
