import { boundsOf, type Page } from "../../platform/http/pagination.ts";
import { AFTER_ALL_IDS } from "../../platform/lib/uuid.ts";

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
