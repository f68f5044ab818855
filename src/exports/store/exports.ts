import type { ExportRequest, ExportState, Position } from "../export.ts";
import { EXPORT_TTL_MS } from "../limits.ts";

/** An export as it is stored. */
export interface StoredExport {
  id: string;
  request: ExportRequest;
  status: "pending" | "running" | "done" | "failed";
  position: Position;
  done: number;
  total: number;
  size: number | null;
  error: string | null;
  failures: number;
  createdAt: number;
}

type Row = {
  id: string;
  request: string;
  status: StoredExport["status"];
  position: string;
  done: number;
  total: number;
  size: number | null;
  error: string | null;
  failures: number;
  created_at: number;
};

const COLUMNS = "id, request, status, position, done, total, size, error, failures, created_at";
const UNFINISHED = "status IN ('pending', 'running')";

function toExport({ created_at: createdAt, request, position, ...row }: Row): StoredExport {
  return {
    ...row,
    createdAt,
    request: JSON.parse(request) as ExportRequest,
    position: JSON.parse(position) as Position,
  };
}

export function findExport(sql: SqlStorage, id: string): StoredExport | null {
  const [row] = sql.exec<Row>(`SELECT ${COLUMNS} FROM exports WHERE id = ?`, id).toArray();
  return row === undefined ? null : toExport(row);
}

type StateRow = Omit<ExportState, "progress" | "expiresAt"> & { done: number; total: number };

/** Without the request, which may have the ids of many links. */
const STATE_COLUMNS = `id, request ->> 'kind' AS kind, request ->> 'format' AS format, status, done, total, size, error,
  created_at AS createdAt`;

/** Exports that were started after `since`: all of them, the newest first, or the one with the id. */
export function listStates(sql: SqlStorage, since: number, id: string | null = null): ExportState[] {
  const rows = sql.exec<StateRow & Record<string, SqlStorageValue>>(
    `SELECT ${STATE_COLUMNS} FROM exports WHERE created_at > ?1 AND id = coalesce(?2, id) ORDER BY id DESC`,
    since,
    id,
  );
  return Array.from(rows, ({ done, total, ...row }) => ({
    ...row,
    progress: { done, total },
    expiresAt: row.createdAt + EXPORT_TTL_MS,
  }));
}

export function insertExport(
  sql: SqlStorage,
  id: string,
  request: ExportRequest,
  position: Position,
  now: number,
): void {
  sql.exec(
    "INSERT INTO exports (id, request, status, position, due_at, created_at) VALUES (?, ?, 'pending', ?, ?, ?)",
    id,
    JSON.stringify(request),
    JSON.stringify(position),
    now,
    now,
  );
}

/** The times at which exports were started after `since`, the oldest first. */
export function listStarts(sql: SqlStorage, since: number): number[] {
  const rows = sql.exec<{ created_at: number }>(
    "SELECT created_at FROM exports WHERE created_at > ? ORDER BY created_at",
    since,
  );
  return [...rows].map(({ created_at }) => created_at);
}

export function countUnfinished(sql: SqlStorage): number {
  return sql.exec<{ count: number }>(`SELECT count(*) AS count FROM exports WHERE ${UNFINISHED}`).one().count;
}

/** The unfinished export whose next page is due the longest; null: none is due. */
export function findDue(sql: SqlStorage, now: number): string | null {
  const query = `SELECT id FROM exports WHERE ${UNFINISHED} AND due_at <= ? ORDER BY due_at, id LIMIT 1`;
  return sql.exec<{ id: string }>(query, now).toArray()[0]?.id ?? null;
}

/** When the next alarm is due; null: there is no export. */
export function nextDueAt(sql: SqlStorage): number | null {
  return sql.exec<{ due_at: number | null }>("SELECT min(due_at) AS due_at FROM exports").one().due_at;
}

/** Whether nobody has deleted or continued the export since it was read. */
export function isCurrent(sql: SqlStorage, { id, status, position }: StoredExport): boolean {
  const current = sql.exec(
    "SELECT 1 FROM exports WHERE id = ? AND status = ? AND position = ?",
    id,
    status,
    JSON.stringify(position),
  );
  return current.toArray().length > 0;
}

/** Records that the export has begun. */
export function markRunning(sql: SqlStorage, id: string, total: number): void {
  sql.exec("UPDATE exports SET status = 'running', total = ?, failures = 0 WHERE id = ?", total, id);
}

/** Records a written page. */
export function advance(sql: SqlStorage, id: string, position: Position, records: number, now: number): void {
  sql.exec(
    `UPDATE exports SET position = ?, done = done + ?, total = max(total, done + ?), failures = 0, due_at = ? WHERE id = ?`,
    JSON.stringify(position),
    records,
    records,
    now,
    id,
  );
}

export function postpone(sql: SqlStorage, id: string, dueAt: number, failures: number): void {
  sql.exec("UPDATE exports SET due_at = ?, failures = ? WHERE id = ?", dueAt, failures, id);
}

export function markDone(sql: SqlStorage, id: string, size: number, expiresAt: number): void {
  sql.exec("UPDATE exports SET status = 'done', size = ?, total = done, due_at = ? WHERE id = ?", size, expiresAt, id);
}

/** Deletes what was written, and keeps the export itself. */
export function markFailed(sql: SqlStorage, id: string, error: string, expiresAt: number): void {
  deleteFile(sql, id);
  sql.exec("UPDATE exports SET status = 'failed', error = ?, due_at = ? WHERE id = ?", error, expiresAt, id);
}

/** Deletes finished exports that are past their time, and returns their number. */
export function deleteExpired(sql: SqlStorage, createdBefore: number): number {
  const ids = sql.exec<{ id: string }>("SELECT id FROM exports WHERE created_at <= ?", createdBefore).toArray();
  for (const { id } of ids) deleteExport(sql, id);
  return ids.length;
}

/** Deletes the oldest finished exports, so that at most `kept` exports are left. */
export function deleteOldest(sql: SqlStorage, kept: number): void {
  const ids = sql
    .exec<{ id: string }>(
      `SELECT id FROM exports WHERE NOT (${UNFINISHED}) ORDER BY created_at, id
       LIMIT max(0, (SELECT count(*) FROM exports) - ?)`,
      kept,
    )
    .toArray();
  for (const { id } of ids) deleteExport(sql, id);
}

function deleteExport(sql: SqlStorage, id: string): void {
  deleteFile(sql, id);
  sql.exec("DELETE FROM exports WHERE id = ?", id);
}

function deleteFile(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM pieces WHERE export_id = ?", id);
  sql.exec("DELETE FROM entries WHERE export_id = ?", id);
  sql.exec("DELETE FROM names WHERE export_id = ?", id);
}
