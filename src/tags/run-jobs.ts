import type { ServiceContext } from "../context.ts";
import { describeError, log } from "../lib/log.ts";
import { changeTaggedLinks } from "./change-links.ts";
import type { Job } from "../jobs/contract.ts";
import { claimAccountWithDueJob, findCurrentJob, type JobRow } from "../jobs/store.ts";
import { JOB_ACCOUNTS_PER_CRON_RUN, JOB_PORTIONS_PER_RUN } from "./limits.ts";

/**
 * Does the next portion of a job and records its progress, in one transaction. Several runs may do the same portion at once:
 * only one of them changes anything.
 */
type Portion = (context: ServiceContext, job: JobRow) => Promise<void>;

const PORTIONS: Record<Job["type"], Portion> = {
  "tag.rename": changeTaggedLinks,
  "tag.delete": changeTaggedLinks,
};

/** Runs the jobs of an account, one after the other, as far as one run may. Never throws: the cron continues them. */
export async function runJobs(context: ServiceContext, accountId: number): Promise<void> {
  for (let portion = 0; portion < JOB_PORTIONS_PER_RUN; portion++) {
    let job: JobRow | null = null;
    try {
      job = await findCurrentJob(context.env.DB, accountId);
      if (job === null) return;
      await PORTIONS[job.type](context, job);
    } catch (error) {
      log("error", "job_failed", { jobId: job?.id, type: job?.type, ...describeError(error) });
      return;
    }
  }
}

/** Continues jobs that no request runs any more. Returns the number of accounts. */
export async function continueJobs(context: ServiceContext): Promise<number> {
  for (let accounts = 0; accounts < JOB_ACCOUNTS_PER_CRON_RUN; accounts++) {
    const accountId = await claimAccountWithDueJob(context);
    if (accountId === null) return accounts;
    await runJobs(context, accountId);
  }
  return JOB_ACCOUNTS_PER_CRON_RUN;
}
