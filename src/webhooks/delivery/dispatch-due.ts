import type { ServiceContext } from "../../platform/context.ts";
import { SECOND_MS } from "../../limits.ts";
import { sendWakeUps } from "../../platform/outbox/messages.ts";
import { giveUpDeliveries, listBusyWebhooks, listPendingWebhooks, type PendingWebhook } from "../store/due.ts";
import { WAKE_UP_AHEAD_MS, WEBHOOK_CRON_PAGE, WEBHOOK_HOLD_MS } from "../limits.ts";

/**
 * The cron's part in delivery: it makes up for lost wake-ups and crashed senders. Each webhook with something to send until the
 * next run, or with a lease that ends, gets a wake-up for that time. It also gives up deliveries of
 * deleted webhooks and those that were held for too long. Returns the number of wake-ups.
 */
export async function dispatchDueWebhooks(context: ServiceContext): Promise<number> {
  const { db, now } = context;
  let wakeUps = 0;
  for await (const page of pagesOf((afterId) => listPendingWebhooks(db, afterId))) {
    const active = page.filter(({ status }) => status === "active");
    wakeUps += await wakeUp(
      context,
      active.map(({ id, dueAt, resumeAt }) => ({ id, at: Math.max(dueAt, resumeAt ?? 0) })),
      now,
    );
    const abandoned = page.filter((webhook) => isAbandoned(webhook, now)).map(({ id }) => id);
    if (abandoned.length > 0) await giveUpDeliveries(db, abandoned);
  }
  for await (const page of pagesOf((afterId) => listBusyWebhooks(db, afterId))) {
    const times = page.map(({ id, expiresAt }) => ({ id, at: expiresAt }));
    wakeUps += await wakeUp(context, times, now);
  }
  return wakeUps;
}

async function* pagesOf<T extends { id: string }>(list: (afterId: string) => Promise<T[]>): AsyncGenerator<T[]> {
  for (let afterId = ""; ;) {
    const page = await list(afterId);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < WEBHOOK_CRON_PAGE) return;
    afterId = last.id;
  }
}

/** Sends the wake-ups until the next run of the cron, those of the same second together. Returns their number. */
async function wakeUp(
  context: ServiceContext,
  webhooks: readonly { id: string; at: number }[],
  now: number,
): Promise<number> {
  const soon = webhooks.filter(({ at }) => at <= now + WAKE_UP_AHEAD_MS);
  const bySecond = Map.groupBy(soon, ({ at }) => Math.max(0, Math.ceil((at - now) / SECOND_MS)));
  for (const [seconds, due] of bySecond)
    await sendWakeUps(
      context.env,
      due.map(({ id }) => id),
      seconds * SECOND_MS,
    );
  return soon.length;
}

function isAbandoned({ status, disabledAt }: PendingWebhook, now: number): boolean {
  return status === null || (status === "inactive" && (disabledAt ?? 0) <= now - WEBHOOK_HOLD_MS);
}
