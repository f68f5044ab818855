import type { Starter } from "../../platform/auth/still-allowed.ts";
import type { Fault } from "../../platform/http/faults.ts";
import { AFTER_ALL_IDS } from "../../platform/lib/uuid.ts";
import { ACTIVE_STATUSES, PLACE_STATUSES, type JobStatus, type NewJob } from "../job.ts";
import { deleteRecords } from "./records.ts";

/** A job as it is stored. */
export interface StoredJob extends Omit<NewJob, "isReceiving"> {
  status: JobStatus;
  details: string | null;
  position: unknown;
  done: number;
  counts: Record<string, number>;
  error: string | null;
  failures: number;
  dueAt: number;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
}

type Row = {
  id: string;
  kind: string;
  account_id: number;
  starter: string;
  base_url: string;
  input: string;
  status: JobStatus;
  details: string | null;
  position: string;
  done: number;
  total: number;
  counts: string;
  error: string | null;
  failures: number;
  due_at: number;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
};

const COLUMNS =
  "id, kind, account_id, starter, base_url, input, status, details, position, done, total, counts, error, failures, due_at, created_at, started_at, finished_at";
const hasStatus = (statuses: readonly JobStatus[]) => `status IN (${statuses.map((each) => `'${each}'`).join(", ")})`;
const IS_ACTIVE = hasStatus(ACTIVE_STATUSES);
const TAKES_PLACE = hasStatus(PLACE_STATUSES);

function toJob(row: Row): StoredJob {
  const { account_id, starter, base_url, position, counts, due_at, created_at, started_at, finished_at, ...same } = row;
  return {
    ...same,
    accountId: account_id,
    starter: JSON.parse(starter) as Starter,
    baseUrl: base_url,
    position: JSON.parse(position) as unknown,
    counts: JSON.parse(counts) as Record<string, number>,
    dueAt: due_at,
    createdAt: created_at,
    startedAt: started_at,
    finishedAt: finished_at,
  };
}

export function findJob(sql: SqlStorage, id: string): StoredJob | null {
  const [row] = sql.exec<Row>(`SELECT ${COLUMNS} FROM jobs WHERE id = ?`, id).toArray();
  return row === undefined ? null : toJob(row);
}

/** The jobs of a kind with lower ids than `before`, the newest first. */
export function listJobs(sql: SqlStorage, kind: string, before: string | null, limit: number): StoredJob[] {
  const query = `SELECT ${COLUMNS} FROM jobs WHERE kind = ? AND id < ? ORDER BY id DESC LIMIT ?`;
  return [...sql.exec<Row>(query, kind, before ?? AFTER_ALL_IDS, limit)].map(toJob);
}

export function insertJob(
  sql: SqlStorage,
  job: NewJob,
  status: JobStatus,
  dueAt: number,
  now: number,
  startedAt: number | null = null,
): void {
  sql.exec(
    `INSERT INTO jobs (id, kind, account_id, starter, base_url, input, status, total, due_at, created_at, started_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    job.id,
    job.kind,
    job.accountId,
    JSON.stringify(job.starter),
    job.baseUrl,
    job.input,
    status,
    job.total,
    dueAt,
    now,
    startedAt,
  );
}

/** Stores what can change of a job. */
export function updateJob(sql: SqlStorage, job: StoredJob): void {
  sql.exec(
    `UPDATE jobs SET starter = ?, input = ?, status = ?, details = ?, position = ?, done = ?, total = ?, counts = ?,
       error = ?, failures = ?, due_at = ?, started_at = ?, finished_at = ? WHERE id = ?`,
    JSON.stringify(job.starter),
    job.input,
    job.status,
    job.details,
    JSON.stringify(job.position),
    job.done,
    job.total,
    JSON.stringify(job.counts),
    job.error,
    job.failures,
    job.dueAt,
    job.startedAt,
    job.finishedAt,
    job.id,
  );
}

/** Why a job failed. Its column `error` has the fault as JSON. */
export function readReason(stored: string | null): { error: string | null; fault: Fault | null } {
  const fault = JSON.parse(stored ?? "null") as Fault | null;
  return { error: fault?.message ?? null, fault };
}

/** The times at which jobs were started after `since`, the oldest first. */
export function listStarts(sql: SqlStorage, since: number): number[] {
  const query = "SELECT started_at FROM jobs WHERE started_at > ? ORDER BY started_at";
  return [...sql.exec<{ started_at: number }>(query, since)].map(({ started_at }) => started_at);
}

/** The times at which files were uploaded after `since`, the oldest first. Their jobs may have been deleted. */
export function listUploads(sql: SqlStorage, since: number): number[] {
  const query = "SELECT at FROM uploads WHERE at > ? ORDER BY at";
  return [...sql.exec<{ at: number }>(query, since)].map(({ at }) => at);
}

/** Records an upload, and forgets those of `until` and before. */
export function insertUpload(sql: SqlStorage, at: number, until: number): void {
  sql.exec("DELETE FROM uploads WHERE at <= ?", until);
  sql.exec("INSERT INTO uploads (at) VALUES (?)", at);
}

/** How many places of the account are taken. */
export function countPlaces(sql: SqlStorage): number {
  return sql.exec<{ count: number }>(`SELECT count(*) AS count FROM jobs WHERE ${TAKES_PLACE}`).one().count;
}

/** The active job whose turn it is: the oldest one, or the one whose next page is due the longest. */
const nextTurn = (isInOrder: boolean) =>
  `SELECT id, kind, due_at FROM jobs WHERE ${IS_ACTIVE} ORDER BY ${isInOrder ? "id" : "due_at, id"} LIMIT 1`;

/** The job whose turn it is; null: none is due. */
export function findDue(sql: SqlStorage, isInOrder: boolean, now: number): { id: string; kind: string } | null {
  const [next] = sql.exec<{ id: string; kind: string; due_at: number }>(nextTurn(isInOrder)).toArray();
  return next === undefined || next.due_at > now ? null : next;
}

/** When the next alarm is due; null: there is no job. */
export function nextDueAt(sql: SqlStorage, isInOrder: boolean): number | null {
  const query = `SELECT min(due_at) AS due_at FROM (
    SELECT due_at FROM jobs WHERE NOT ${IS_ACTIVE} UNION ALL SELECT due_at FROM (${nextTurn(isInOrder)}))`;
  return sql.exec<{ due_at: number | null }>(query).one().due_at;
}

/** The kind of any job; null: there is none. */
export function findKind(sql: SqlStorage): string | null {
  return sql.exec<{ kind: string }>("SELECT kind FROM jobs LIMIT 1").toArray()[0]?.kind ?? null;
}

/** The newest job with this input, of those with the id or a later one. */
export function findRepeated(sql: SqlStorage, kind: string, input: string, firstId: string): StoredJob | null {
  const query = `SELECT ${COLUMNS} FROM jobs WHERE id >= ? AND kind = ? AND input = ? ORDER BY id DESC LIMIT 1`;
  const [row] = sql.exec<Row>(query, firstId, kind, input).toArray();
  return row === undefined ? null : toJob(row);
}

/** Deletes inactive jobs that are past their time. */
export function deleteExpired(sql: SqlStorage, now: number): void {
  const query = `SELECT id FROM jobs WHERE NOT ${IS_ACTIVE} AND due_at <= ?`;
  for (const { id } of sql.exec<{ id: string }>(query, now).toArray()) deleteJob(sql, id);
}

/**
 * Deletes inactive jobs until the limits hold: never started first, waiting for a person last; each group oldest first. Those
 * that were started after `since` stay, because they still count as starts.
 */
export function deleteOldest(sql: SqlStorage, kept: number, maxBytes: number, since: number): void {
  const waits = hasStatus(["ready", "paused"]);
  const query = `SELECT id, (SELECT count(*) FROM jobs) AS jobs FROM jobs
    WHERE NOT ${TAKES_PLACE} AND coalesce(started_at, 0) <= ? ORDER BY ${waits}, started_at IS NOT NULL, id LIMIT 1`;
  for (;;) {
    const [oldest] = sql.exec<{ id: string; jobs: number }>(query, since).toArray();
    if (oldest === undefined || (oldest.jobs <= kept && sql.databaseSize <= maxBytes)) return;
    deleteJob(sql, oldest.id);
  }
}

function deleteJob(sql: SqlStorage, id: string): void {
  deleteRecords(sql, id);
  sql.exec("DELETE FROM jobs WHERE id = ?", id);
}
