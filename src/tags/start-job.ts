import { notFound } from "../http/errors.ts";
import { runJobs } from "./run-jobs.ts";
import type { JobRow } from "../jobs/store.ts";
import { newId } from "../lib/uuid.ts";
import { bytesQuota, toQuotaError } from "../usage/quota.ts";
import { readUsage } from "../usage/store.ts";
import { toTagKey } from "../lib/tag-key.ts";
import { findRecentTagJob, insertTagJob } from "./store/jobs.ts";
import type { RequestContext } from "../auth/principal.ts";

/**
 * Starts to rename the tag on all links, or with null to remove it. Returns the job of an earlier request for the same if
 * that has just been done. Throws if no link of the account has the tag, or if a longer name would exceed the quota.
 */
export async function startTagJob(context: RequestContext, tag: string, name: string | null): Promise<JobRow> {
  const { env, now, principal } = context;
  const { accountId } = principal;
  const job = { id: newId(now), accountId, key: toTagKey(tag), input: { tag, name } };
  const inserted = await insertTagJob(env.DB, job, now);
  if (inserted === "no_such_tag") {
    const earlier = await findRecentTagJob(env.DB, job, now);
    if (earlier === null) throw notFound("There is no such tag: no link of the account has it.");
    return earlier;
  }
  if (inserted === "quota_exceeded") throw toQuotaError(bytesQuota(await readUsage(env.DB, accountId)));
  context.waitUntil(runJobs(context, accountId));
  return inserted;
}
