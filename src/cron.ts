import type { ServiceContext } from "./context.ts";
import { deleteClicksOfDeletedLinks } from "./links/deleted-links.ts";
import { recheckDomains } from "./domains/recheck.ts";
import { syncCustomHostnames, removeCustomHostnames } from "./domains/registration.ts";
import { deleteOldResponses } from "./idempotency/store.ts";
import { reportBacklog } from "./health/backlog.ts";
import { describeError, log } from "./lib/log.ts";
import { CRON_BATCH_ROWS, FORGOTTEN_PER_RUN, MAX_CRON_BATCHES } from "./limits.ts";
import { deleteNextDomainLinks } from "./links/store/domain-links.ts";
import { expireDueLinks } from "./links/store/expiry.ts";
import { dispatchDueWebhooks } from "./webhooks/delivery/dispatch-due.ts";
import { deleteOldEvents } from "./webhooks/store/deliveries.ts";

/** What the service does every minute. A job that fails does not keep the others from running. */
export async function runCron(context: ServiceContext): Promise<void> {
  await repeat("expire_links", () => expireDueLinks(context));
  await repeat("delete_links_of_domains", () => deleteNextDomainLinks(context), 1);
  await repeat("forget_idempotency_keys", () => deleteOldResponses(context));
  await repeat("forget_clicks", () => deleteClicksOfDeletedLinks(context), FORGOTTEN_PER_RUN);
  await repeat("forget_events", () => deleteOldEvents(context));
  await once("wake_webhooks", () => dispatchDueWebhooks(context));
  await once("report_backlog", () => reportBacklog(context));
  // Last what asks others, who may let it wait for minutes.
  await once("recheck_domains", () => recheckDomains(context));
  await once("custom_hostnames", () => syncCustomHostnames(context));
  await once("remove_custom_hostnames", () => removeCustomHostnames(context));
}

/** Runs a job that finds all it has to do by itself. */
async function once(job: string, run: () => Promise<number>): Promise<void> {
  try {
    const done = await run();
    if (done > 0) log("info", "cron_job", { job, done });
  } catch (error) {
    log("error", "cron_job_failed", { job, ...describeError(error) });
  }
}

/** Runs a job, which answers how many of at most `most` it did, until nothing is left or this run has done enough. */
async function repeat(job: string, run: () => Promise<number>, most = CRON_BATCH_ROWS): Promise<void> {
  try {
    let rows = 0;
    for (let batch = 0; batch < MAX_CRON_BATCHES; batch++) {
      const changed = await run();
      rows += changed;
      if (changed < most) break;
    }
    if (rows > 0) log("info", "cron_job", { job, rows });
  } catch (error) {
    log("error", "cron_job_failed", { job, ...describeError(error) });
  }
}
