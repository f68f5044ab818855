import type { ServiceContext } from "../../context.ts";
import { WAKE_UP_INTERVAL_MS, WEBHOOK_CRON_PAGE, WEBHOOK_HOLD_MS } from "../../limits.ts";
import { sendWakeUps } from "../../outbox/messages.ts";
import { giveUpDeliveries, listPendingWebhooks, deferWakeUps, type PendingWebhook } from "../store/due.ts";

/**
 * The cron's part in delivery. It sends a wake-up to each webhook with due deliveries whose own wake-up was lost, and gives up
 * deliveries of deleted webhooks and those that were held for too long. Returns the number of wake-ups.
 */
export async function dispatchDueWebhooks({ env, now }: ServiceContext): Promise<number> {
  let wakeUps = 0;
  for (let afterId = ""; ;) {
    const page = await listPendingWebhooks(env.DB, afterId);
    const due = page.filter((webhook) => isDue(webhook, now)).map(({ id }) => id);
    if (due.length > 0 && (await sendWakeUps(env.DELIVERIES, due))) {
      await deferWakeUps(env.DB, due, now + WAKE_UP_INTERVAL_MS);
      wakeUps += due.length;
    }
    const abandoned = page.filter((webhook) => isAbandoned(webhook, now)).map(({ id }) => id);
    if (abandoned.length > 0) await giveUpDeliveries(env.DB, abandoned);
    const last = page.at(-1);
    if (last === undefined || page.length < WEBHOOK_CRON_PAGE) return wakeUps;
    afterId = last.id;
  }
}

function isDue({ status, dueAt, resumeAt, nextWakeUpAt }: PendingWebhook, now: number): boolean {
  return status === "active" && Math.max(dueAt, resumeAt ?? 0, nextWakeUpAt ?? 0) <= now;
}

function isAbandoned({ status, disabledAt }: PendingWebhook, now: number): boolean {
  return status === null || (status === "inactive" && (disabledAt ?? 0) <= now - WEBHOOK_HOLD_MS);
}
