import { boundsOf, type Page } from "../../platform/http/pagination.ts";
import { AFTER_ALL_IDS } from "../../platform/lib/uuid.ts";
import { MAX_COUNTED_DECISIONS } from "../limits.ts";

/**
 * Lists what operators decide: the open ones, oldest first, or the decided ones, newest first; one more than the page holds.
 * `selected` is a SELECT without WHERE, from a table that is called `table` there.
 */
export async function listByDecision<Row>(
  db: D1Database,
  { selected, table }: { selected: string; table: string },
  isOpen: boolean,
  page: Page,
): Promise<Row[]> {
  const order = isOpen
    ? `${table}.decided_at IS NULL AND ${table}.id > ?1 ORDER BY ${table}.id`
    : `${table}.decided_at IS NOT NULL AND ${table}.id < ?1 ORDER BY ${table}.id DESC`;
  const [, limit, offset] = boundsOf(page);
  const { results } = await db
    .prepare(`${selected} WHERE ${order} LIMIT ?2 OFFSET ?3`)
    .bind(page.after ?? (isOpen ? "" : AFTER_ALL_IDS), limit, offset)
    .all<Row>();
  return results;
}

const countOpen = (table: "reports" | "appeals") =>
  `(SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE decided_at IS NULL LIMIT ${MAX_COUNTED_DECISIONS}))`;

/** How many reports and appeals are open. */
export async function countWaiting(db: D1Database): Promise<{ reports: number; appeals: number }> {
  const sql = `SELECT ${countOpen("reports")} AS reports, ${countOpen("appeals")} AS appeals`;
  return (await db.prepare(sql).first<{ reports: number; appeals: number }>()) ?? { reports: 0, appeals: 0 };
}
