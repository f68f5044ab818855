import type { ServiceContext } from "../context.ts";
import type { Batch } from "../database/batch.ts";
import { isDeletedAccount } from "../database/account-states.ts";
import { firstIdAt } from "../lib/uuid.ts";
import { CRON_BATCH_ROWS, JOB_RESUME_AFTER_MS } from "../limits.ts";
import type { Job } from "./contract.ts";
import { JOB_RETENTION_MS } from "./limits.ts";

/** A job as it is stored. */
export interface JobRow {
  id: string;
  account_id: number;
  type: Job["type"];
  /** JSON object. */
  input: string;
  status: Job["status"];
  done: number;
  total: number;
  /** Where the next portion starts; '' is the beginning. */
  position: string;
  created_at: number;
  finished_at: number | null;
}

export const JOB_COLUMNS = "id, account_id, type, input, status, done, total, position, created_at, finished_at";

export function toJob(row: JobRow): Job {
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    input: JSON.parse(row.input) as Job["input"],
    done: row.done,
    total: row.total,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}

export async function findJob(db: D1Database, id: string): Promise<JobRow | null> {
  return db.prepare(`SELECT ${JOB_COLUMNS} FROM jobs WHERE id = ?1`).bind(id).first<JobRow>();
}

/** Returns the account's job that runs now: the oldest one that is not completed. Those of a deleted account rest. */
export async function findCurrentJob(db: D1Database, accountId: number): Promise<JobRow | null> {
  return db
    .prepare(
      `SELECT ${JOB_COLUMNS} FROM jobs INDEXED BY jobs_unfinished WHERE account_id = ?1 AND due_at IS NOT NULL
         AND NOT ${isDeletedAccount("?1")} ORDER BY id LIMIT 1`,
    )
    .bind(accountId)
    .first<JobRow>();
}

/**
 * Returns the account whose job is due the longest, and postpones its jobs, so that a job that fails does not delay those of
 * other accounts. Null if none is due.
 */
export async function claimAccountWithDueJob({ env, now }: ServiceContext): Promise<number | null> {
  const claimed = await env.DB.prepare(
    `UPDATE jobs SET due_at = ?2 WHERE due_at IS NOT NULL AND account_id = (
       SELECT account_id FROM jobs INDEXED BY jobs_due WHERE due_at <= ?1 AND NOT ${isDeletedAccount("jobs.account_id")}
       ORDER BY due_at LIMIT 1)
     RETURNING account_id`,
  )
    .bind(now, now + JOB_RESUME_AFTER_MS)
    .all<{ account_id: number }>();
  return claimed.results[0]?.account_id ?? null;
}

/** What a portion has done. */
export interface Progress {
  /** Items that this portion processed. */
  done: number;
  position: string;
  isCompleted: boolean;
}

/** Records a portion in the transaction that does its work. If another run has done the same portion, it records nothing. */
export function recordProgress(
  batch: Batch,
  job: JobRow,
  { done, position, isCompleted }: Progress,
  now: number,
): void {
  const total = isCompleted ? job.done + done : Math.max(job.total, job.done + done);
  batch.add(
    `UPDATE jobs SET status = ?4, done = ?5, total = ?6, position = ?7, due_at = ?8, finished_at = ?9
     WHERE id = ?1 AND done = ?2 AND position = ?3 AND due_at IS NOT NULL`,
    [
      job.id,
      job.done,
      job.position,
      isCompleted ? "completed" : "running",
      job.done + done,
      total,
      position,
      isCompleted ? null : now + JOB_RESUME_AFTER_MS,
      isCompleted ? now : null,
    ],
  );
}

/** Deletes completed jobs after their retention, a batch at a time. Returns the number of deleted jobs. */
export async function deleteOldJobs({ env, now }: ServiceContext): Promise<number> {
  const { results } = await env.DB.prepare(
    `DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE id < ?1 ORDER BY id LIMIT ?2) AND due_at IS NULL
     RETURNING 1 AS deleted`,
  )
    .bind(firstIdAt(now - JOB_RETENTION_MS), CRON_BATCH_ROWS)
    .all();
  return results.length;
}
