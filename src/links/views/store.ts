import { Batch } from "../../platform/database/batch.ts";
import { boundsOf, type Page } from "../../platform/http/pagination.ts";
import { foldCase } from "../../platform/lib/fold-case.ts";
import type { SavedView, UpdateView } from "./contract.ts";
import { MAX_OWN_VIEWS, MAX_SHARED_VIEWS } from "./limits.ts";

export interface ViewRow {
  id: string;
  user_id: string;
  kind: SavedView["kind"];
  name: string;
  query: string;
  created_at: number;
  updated_at: number;
}

/** A person in an account. */
export interface Viewer {
  accountId: number;
  userId: string;
}

/** `user_id` of a view that all members have. */
const EVERYBODY = "";

const COLUMNS = "id, user_id, kind, name, query, created_at, updated_at";
/** The view ?1, if it is one of the person ?3 in the account ?2, or a shared one. */
const IS_VIEW = `id = ?1 AND account_id = ?2 AND user_id IN (?3, '${EVERYBODY}')`;

export function toView(row: ViewRow): SavedView {
  const { id, kind, name, query, created_at: createdAt, updated_at: updatedAt } = row;
  return { id, kind, name, query, shared: isShared(row), createdAt, updatedAt };
}

const isShared = (row: ViewRow) => row.user_id === EVERYBODY;

const maxViews = (owner: string) => (owner === EVERYBODY ? MAX_SHARED_VIEWS : MAX_OWN_VIEWS);

/** Stores a view. The limit is a condition of the INSERT, so concurrent requests cannot exceed it. */
export async function insertView(
  db: D1Database,
  { accountId, userId }: Viewer,
  { id, kind, name, query, shared, createdAt }: SavedView,
): Promise<"created" | "name_taken" | "limit_reached"> {
  const owner = shared ? EVERYBODY : userId;
  const nameKey = foldCase(name);
  const batch = new Batch(db);
  batch.add(
    `INSERT INTO saved_views (id, account_id, user_id, kind, name, name_key, query, created_at, updated_at)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8 WHERE (SELECT count(*) FROM saved_views WHERE account_id = ?2 AND user_id = ?3) < ?9
     ON CONFLICT DO NOTHING`,
    [id, accountId, owner, kind, name, nameKey, query, createdAt, maxViews(owner)],
  );
  const stored = batch.add<{ id: string }>(
    "SELECT id FROM saved_views WHERE account_id = ?1 AND user_id = ?2 AND kind = ?3 AND name_key = ?4",
    [accountId, owner, kind, nameKey],
  );
  await batch.commitWithRetry();
  if (stored.first === undefined) return "limit_reached";
  return stored.first.id === id ? "created" : "name_taken";
}

/** The person's views and the shared ones, newest first; one more than the page holds. */
export async function listViews(
  db: D1Database,
  { accountId, userId }: Viewer,
  kind: SavedView["kind"] | undefined,
  page: Page,
): Promise<ViewRow[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} FROM saved_views WHERE account_id = ?1 AND user_id IN (?2, '${EVERYBODY}') AND (?3 IS NULL OR kind = ?3)
       AND id < ?4 ORDER BY id DESC LIMIT ?5 OFFSET ?6`,
    )
    .bind(accountId, userId, kind ?? null, ...boundsOf(page))
    .all<ViewRow>();
  return results;
}

type UpdateOutcome =
  | { outcome: "changed"; row: ViewRow }
  | { outcome: "not_found" }
  | { outcome: "forbidden" }
  /** The name that another view has. */
  | { outcome: "name_taken"; name: string }
  | { outcome: "limit_reached" };

/** Changes the given fields. A shared view is changed only if `mayShare`. A change to what it is already writes nothing. */
export async function updateView(
  db: D1Database,
  { accountId, userId }: Viewer,
  id: string,
  { name, query, shared }: UpdateView,
  { mayShare, now }: { mayShare: boolean; now: number },
): Promise<UpdateOutcome> {
  const owner = shared === undefined ? null : shared ? EVERYBODY : userId;
  const nameKey = name === undefined ? null : foldCase(name);
  const batch = new Batch(db);
  const target = [id, accountId, userId];
  const other = `SELECT 1 FROM saved_views v CROSS JOIN saved_views o ON o.account_id = v.account_id
    AND o.user_id = coalesce(?4, v.user_id) AND o.kind = v.kind AND o.name_key = coalesce(?5, v.name_key) AND o.id <> v.id
    WHERE v.id = ?1 AND v.account_id = ?2 AND v.user_id IN (?3, '${EVERYBODY}')`;
  batch.add(
    `UPDATE saved_views SET user_id = coalesce(?4, user_id), name_key = coalesce(?5, name_key), name = coalesce(?6, name),
       query = coalesce(?7, query), updated_at = max(?8, updated_at + 1)
     WHERE ${IS_VIEW} AND (name <> ?6 OR query <> ?7 OR user_id <> ?4) AND (?9 OR user_id <> '${EVERYBODY}')
       AND (?4 IS NULL OR user_id = ?4 OR (SELECT count(*) FROM saved_views WHERE account_id = ?2 AND user_id = ?4) < ?10)
       AND NOT EXISTS (${other})`,
    [...target, owner, nameKey, name ?? null, query ?? null, now, mayShare ? 1 : 0, maxViews(owner ?? userId)],
  );
  const found = batch.add<ViewRow>(`SELECT ${COLUMNS} FROM saved_views WHERE ${IS_VIEW}`, target);
  const named = batch.add(other, [...target, owner, nameKey]);
  await batch.commitWithRetry();
  const row = found.first;
  if (row === undefined) return { outcome: "not_found" };
  if (isShared(row) && !mayShare) return { outcome: "forbidden" };
  if (named.first !== undefined) return { outcome: "name_taken", name: name ?? row.name };
  return owner === null || row.user_id === owner ? { outcome: "changed", row } : { outcome: "limit_reached" };
}

/** Deletes a view: a shared one only if `mayShare`. */
export async function deleteView(
  db: D1Database,
  { accountId, userId }: Viewer,
  id: string,
  mayShare: boolean,
): Promise<"deleted" | "not_found" | "forbidden"> {
  const batch = new Batch(db);
  const target = [id, accountId, userId];
  const found = batch.add<ViewRow>(`SELECT ${COLUMNS} FROM saved_views WHERE ${IS_VIEW}`, target);
  batch.add(`DELETE FROM saved_views WHERE ${IS_VIEW} AND (?4 OR user_id <> '${EVERYBODY}')`, [
    ...target,
    mayShare ? 1 : 0,
  ]);
  await batch.commit();
  if (found.first === undefined) return "not_found";
  return isShared(found.first) && !mayShare ? "forbidden" : "deleted";
}
