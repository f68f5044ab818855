import { Batch } from "../../database/batch.ts";
import type { Job } from "../../jobs/contract.ts";
import { JOB_COLUMNS, type JobRow } from "../../jobs/store.ts";
import { JOB_RESUME_AFTER_MS } from "../../limits.ts";

interface NewTagJob {
  id: string;
  accountId: number;
  /** The key of the tag. */
  key: string;
  input: Job["input"];
}

/** Stores a job for the account's links with the tag. Returns null if there are none. */
export async function insertTagJob(db: D1Database, job: NewTagJob, now: number): Promise<JobRow | null> {
  const { id, accountId, key, input } = job;
  const batch = new Batch(db);
  batch.add(
    `INSERT INTO jobs (id, account_id, type, input, status, total, due_at, created_at)
     SELECT ?1, account_id, ?4, ?5, 'pending', links, ?6, ?7 FROM tags WHERE account_id = ?2 AND key = ?3
     ON CONFLICT (id) DO NOTHING`,
    [
      id,
      accountId,
      key,
      input.name === null ? "tag.delete" : "tag.rename",
      JSON.stringify(input),
      now + JOB_RESUME_AFTER_MS,
      now,
    ],
  );
  const inserted = batch.add<JobRow>(`SELECT ${JOB_COLUMNS} FROM jobs WHERE id = ?1`, [id]);
  await batch.commitWithRetry();
  return inserted.first ?? null;
}
