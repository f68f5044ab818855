import { loadChecks, loadTasks } from "#safety";
import { purgeNextAccount } from "./identity/account-purge/purge.ts";
import { withClaimedOrigin } from "./platform/installation/claimed.ts";
import { createJobContext, type ServiceContext } from "./platform/context.ts";
import type { CronTask } from "./platform/cron-task.ts";
import { registerChecks } from "./links/checks.ts";
import { tellOfBrokenDestinations } from "./links/destinations/tell-owners.ts";
import { isWatching, watchDestinations } from "./links/destinations/watch.ts";
import { removeDueCustomHostnames, syncDueCustomHostnames } from "./domains/custom-hostnames.ts";
import { recheckDomains } from "./domains/verify.ts";
import { deleteOldAppTokens, deleteUnusedGrants } from "./access/grants/store.ts";
import { logBacklogs } from "./access/health/backlog.ts";
import { recordHealth } from "./access/health/probe.ts";
import { deleteOldResponses } from "./platform/idempotency/store/responses.ts";
import { describeError, log } from "./platform/lib/log.ts";
import {
  CRON_BATCH_ROWS,
  DELETED_LINKS_PER_BATCH,
  INVITATION_TTL_MS,
  LOCAL_CRON_INTERVAL_MS,
  MAX_CRON_BATCHES,
  OPERATOR_ENTRY_KEPT_MS,
  REPORT_KEPT_MS,
  RESPONSES_PER_BATCH,
} from "./limits.ts";
import { purgeDeletedLinks } from "./links/purge-deleted-links.ts";
import { finishClickMoves } from "./links/claims/move-clicks.ts";
import { deleteOldClaims } from "./links/claims/store.ts";
import { deleteNextDomainLinks } from "./links/store/domain-links.ts";
import { expireDueLinks } from "./links/store/expiry.ts";
import { deleteOldListenerEvents } from "./webhooks/listeners/store/events.ts";
import { sendMailReports } from "./clicks/mail-reports/send.ts";
import { deleteEndedListeners } from "./webhooks/listeners/store/listeners.ts";
import { sendInvitations } from "./identity/people/invitations/send.ts";
import { queueDueMails } from "./platform/mail/send.ts";
import { deleteOldRows } from "./platform/database/rows.ts";
import { AUDIT_ENTRY_KEPT_MS } from "./access/audit/limits.ts";
import { GUESS_WINDOW_MS, MAIL_KEPT_MS } from "./identity/people/limits.ts";
import { deleteEndedSessions } from "./access/sessions/store/sessions.ts";
import { deleteExpiredTokens } from "./identity/people/tokens/store.ts";
import { trimAllLogs } from "./platform/outbox/trim-all-logs.ts";
import { trimExceededLogs } from "./platform/outbox/trim-delivery-log.ts";
import { dispatchDueWebhooks } from "./webhooks/delivery/dispatch-due.ts";
import { deleteOldDeliveries } from "./webhooks/store/deliveries.ts";

/** The tables whose rows the cron deletes by their ids, once the rows are `maxAge` old. */
export const AGED_TABLES = [
  { table: "guesses", maxAge: GUESS_WINDOW_MS },
  { table: "mails", maxAge: MAIL_KEPT_MS },
  { table: "invitations", maxAge: INVITATION_TTL_MS },
  { table: "audit_entries", maxAge: AUDIT_ENTRY_KEPT_MS },
  { table: "operator_entries", maxAge: OPERATOR_ENTRY_KEPT_MS },
  { table: "appeals", maxAge: OPERATOR_ENTRY_KEPT_MS },
  { table: "reports", maxAge: REPORT_KEPT_MS },
] as const;

/** The tasks that the cron runs each minute. */
export async function runCron(context: ServiceContext): Promise<void> {
  registerChecks(await loadChecks());
  const { TASKS, SLOW_TASKS } = await loadTasks();
  await cleanLinks(context);
  await runTasks(context, TASKS);
  await cleanAccounts(context);
  await runTask("dispatch_webhooks", () => dispatchDueWebhooks(context));
  await runTask("report_backlog", () => logBacklogs(context));
  await runTask("report_health", () => recordHealth(context));
  // Last, because they may wait minutes for resolvers and for Cloudflare's API.
  await runTask("recheck_domains", () => recheckDomains(context));
  await runTask("sync_custom_hostnames", () => syncDueCustomHostnames(context));
  await runTask("remove_custom_hostnames", () => removeDueCustomHostnames(context));
  await runTasks(context, SLOW_TASKS);
  await runTask("send_reports", () => sendMailReports(context));
  await runTask("tell_of_broken_destinations", () => tellOfBrokenDestinations(context));
  // At the very end: a run visits for up to a minute.
  if (isWatching(context.env)) await runTask("watch_destinations", () => watchDestinations(context));
}

/** Runs the tasks of a minute. `now` is Unix milliseconds. */
export async function runCronAt(now: number, env: Env, ctx: ExecutionContext): Promise<void> {
  await runCron(createJobContext(await withClaimedOrigin(env), ctx, now));
}

/** For a server that does not call the cron handler. */
export async function runCronForever(env: Env, ctx: ExecutionContext): Promise<never> {
  for (;;) {
    await runCronAt(Date.now(), env, ctx);
    await scheduler.wait(LOCAL_CRON_INTERVAL_MS);
  }
}

/** Links, with their webhooks and clicks. */
async function cleanLinks(context: ServiceContext): Promise<void> {
  const { db, now } = context;
  await runTask("expire_links", () => expireDueLinks(context), CRON_BATCH_ROWS);
  await runTask("delete_domain_links", () => deleteNextDomainLinks(context), 1);
  await runTask("delete_old_responses", () => deleteOldResponses(context), RESPONSES_PER_BATCH);
  await runTask("purge_deleted_links", () => purgeDeletedLinks(context), DELETED_LINKS_PER_BATCH);
  await runTask("delete_old_deliveries", () => deleteOldDeliveries(context), CRON_BATCH_ROWS);
  await runTask("delete_ended_listeners", () => deleteEndedListeners(db, now, CRON_BATCH_ROWS), CRON_BATCH_ROWS);
  await runTask("delete_listener_events", () => deleteOldListenerEvents(db, now, CRON_BATCH_ROWS), CRON_BATCH_ROWS);
  for (const { table, maxAge } of AGED_TABLES) {
    const task = `delete_old_${table}`;
    await runTask(task, () => deleteOldRows(db, table, now - maxAge, CRON_BATCH_ROWS), CRON_BATCH_ROWS);
  }
  await runTask("delete_old_claims", () => deleteOldClaims(db, now, CRON_BATCH_ROWS), CRON_BATCH_ROWS);
  await runTask("move_claimed_clicks", () => finishClickMoves(context));
  await runTask("trim_delivery_logs", () => trimExceededLogs(context), 1);
  await runTask("trim_all_delivery_logs", () => trimAllLogs(context), 1);
}

/** Accounts and persons. */
async function cleanAccounts(context: ServiceContext): Promise<void> {
  const { db, now } = context;
  await runTask("purge_accounts", () => purgeNextAccount(context), 1);
  await runTask("delete_ended_sessions", () => deleteEndedSessions(db, now, CRON_BATCH_ROWS), CRON_BATCH_ROWS);
  await runTask("delete_expired_tokens", () => deleteExpiredTokens(db, now, CRON_BATCH_ROWS), CRON_BATCH_ROWS);
  await runTask("delete_unused_grants", () => deleteUnusedGrants(db, now, CRON_BATCH_ROWS), CRON_BATCH_ROWS);
  await runTask("delete_expired_app_tokens", () => deleteOldAppTokens(db, now, CRON_BATCH_ROWS), CRON_BATCH_ROWS);
  await runTask("send_invitations", () => sendInvitations(context));
  await runTask("queue_due_mails", () => queueDueMails(context));
}

async function runTasks(context: ServiceContext, tasks: readonly CronTask[]): Promise<void> {
  for (const task of tasks) await runTask(task.name, () => task.run(context), task.batchSize);
}

/**
 * Runs one task. A failure is logged and does not affect the other tasks. `run` returns the number of processed items; it is
 * called again, up to {@link MAX_CRON_BATCHES} times, while it processes `batchSize` items. Without `batchSize` it is
 * called once.
 */
async function runTask(task: string, run: () => Promise<number>, batchSize = Infinity): Promise<void> {
  try {
    let items = 0;
    for (let batch = 0; batch < MAX_CRON_BATCHES; batch++) {
      const processed = await run();
      items += processed;
      if (processed < batchSize) break;
    }
    if (items > 0) log("info", "cron_job", { job: task, items });
  } catch (error) {
    log("error", "cron_job_failed", { job: task, ...describeError(error) });
  }
}
