import { forgetAnswers } from "./http/idempotency.ts";
import { describeError, log } from "./lib/log.ts";
import { CRON_BATCH_ROWS, MAX_CRON_BATCHES } from "./limits.ts";
import { expireDueLinks } from "./links/expiry.ts";

/** What the service does every minute. A job that fails does not keep the others from running. */
export async function runCron(env: Env, now: number): Promise<void> {
  await repeat("expire_links", () => expireDueLinks(env.DB, now));
  await repeat("forget_idempotency_keys", () => forgetAnswers(env.DB, now));
}

/** Runs a job, which answers how many rows it changed, until nothing is left or this run has done enough. */
async function repeat(job: string, run: () => Promise<number>): Promise<void> {
  try {
    let rows = 0;
    for (let batch = 0; batch < MAX_CRON_BATCHES; batch++) {
      const changed = await run();
      rows += changed;
      if (changed < CRON_BATCH_ROWS) break;
    }
    if (rows > 0) log("info", "cron_job", { job, rows });
  } catch (error) {
    log("error", "cron_job_failed", { job, ...describeError(error) });
  }
}
