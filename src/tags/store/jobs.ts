import { Batch } from "../../database/batch.ts";
import type { Job } from "../../jobs/contract.ts";
import { JOB_COLUMNS, type JobRow } from "../../jobs/store.ts";
import { firstIdAt } from "../../lib/uuid.ts";
import { JOB_RESUME_AFTER_MS } from "../../limits.ts";
import { hasRoomFor } from "../../usage/store.ts";
import { JOB_REPEAT_MS } from "../limits.ts";

interface NewTagJob {
  id: string;
  accountId: number;
  /** The key of the tag. */
  key: string;
  input: Job["input"];
}

/**
 * Stores a job for the account's links with the tag, unless a longer name would make them larger than the quota allows
 * now. A job that is stored is completed. Returns the job, or why there is none.
 */
export async function insertTagJob(
  db: D1Database,
  job: NewTagJob,
  now: number,
): Promise<JobRow | "no_such_tag" | "quota_exceeded"> {
  const { id, accountId, key, input } = job;
  const batch = new Batch(db);
  const growth = "t.links * max(octet_length(json_quote(?8)) - octet_length(json_quote(t.name)), 0)";
  batch.add(
    `INSERT INTO jobs (id, account_id, type, input, status, total, due_at, created_at)
     SELECT ?1, t.account_id, ?4, ?5, 'pending', t.links, ?6, ?7
     FROM tags t CROSS JOIN account_usage u ON u.account_id = t.account_id
     WHERE t.account_id = ?2 AND t.key = ?3 AND (?8 IS NULL OR ${hasRoomFor(growth)})
     ON CONFLICT (id) DO NOTHING`,
    [
      id,
      accountId,
      key,
      input.name === null ? "tag.delete" : "tag.rename",
      JSON.stringify(input),
      now + JOB_RESUME_AFTER_MS,
      now,
      input.name,
    ],
  );
  const inserted = batch.add<JobRow>(`SELECT ${JOB_COLUMNS} FROM jobs WHERE id = ?1`, [id]);
  const tag = batch.add("SELECT 1 FROM tags WHERE account_id = ?1 AND key = ?2", [accountId, key]);
  await batch.commitWithRetry();
  if (inserted.first !== undefined) return inserted.first;
  return tag.first === undefined ? "no_such_tag" : "quota_exceeded";
}

/** Returns the newest job with this input that the account has started in the last {@link JOB_REPEAT_MS}. */
export async function findRecentTagJob(
  db: D1Database,
  { accountId, input }: NewTagJob,
  now: number,
): Promise<JobRow | null> {
  return db
    .prepare(
      `SELECT ${JOB_COLUMNS} FROM jobs INDEXED BY jobs_of_account
       WHERE account_id = ?1 AND id >= ?2 AND input = ?3 ORDER BY id DESC LIMIT 1`,
    )
    .bind(accountId, firstIdAt(now - JOB_REPEAT_MS), JSON.stringify(input))
    .first<JobRow>();
}
