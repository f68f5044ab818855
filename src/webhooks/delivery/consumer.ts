import type { ServiceContext } from "../../platform/context.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { retryLater } from "../../platform/lib/retry-later.ts";
import type { ClickEventMessage, DeliveryMessage, WakeUp } from "../../platform/outbox/messages.ts";
import type { Claimed } from "../store/turns.ts";
import { ConnectionBudget } from "./connections.ts";
import { Sender } from "./sender.ts";
import { startClicks, startWakeUp } from "./start.ts";
import { guardOf } from "../../platform/outbound/url-guard.ts";
import { MAX_DELIVERY_CONNECTIONS } from "../limits.ts";

/**
 * Consumes wake-ups and click events, with a sender for each leased delivery, for each other webhook that is woken up, and for the
 * clicks of each webhook. It returns once the clicks are in the database. Then the messages are acknowledged, and the senders go on in
 * `waitUntil`. So no receiver holds up the consumer.
 */
export async function consumeDeliveries(
  messages: readonly Message<DeliveryMessage>[],
  context: ServiceContext,
): Promise<void> {
  const { env, db, waitUntil } = context;
  const wakeUps = wakeUpsOf(messages);
  const clicks = messages.filter(isClickEvent);
  const byWebhook = Map.groupBy(clicks, ({ body }) => body.webhookId);
  const clickGroups = [...byWebhook].map(([webhookId, messages]) => ({ webhookId, messages }));
  // Each sender has its share, so that none waits for the receivers of another.
  const connections = Math.max(1, Math.floor(MAX_DELIVERY_CONNECTIONS / (wakeUps.length + clickGroups.length)));
  const budget = new ConnectionBudget(MAX_DELIVERY_CONNECTIONS);
  const guard = guardOf(env, env.BASE_URL);
  const start = (webhookId: string, first: () => Promise<Claimed>) =>
    waitUntil(new Sender(context, guard, budget, connections).run(webhookId, first));
  for (const wakeUp of wakeUps) start(wakeUp.webhookId, () => startWakeUp(db, wakeUp, connections));
  try {
    for (const claimed of await startClicks(db, clickGroups, connections))
      start(claimed.webhookId, () => Promise.resolve(claimed));
  } catch (error) {
    log("error", "sender_failed", { webhooks: clickGroups.length, ...describeError(error) });
    for (const message of clicks) retryLater(message);
  }
}

/** Each leased delivery, and each webhook of the other wake-ups, once. */
function wakeUpsOf(messages: readonly Message<DeliveryMessage>[]): WakeUp[] {
  const wakeUps = messages.flatMap(({ body }) => (body.kind === "wake_up" ? [body] : []));
  return [...new Map(wakeUps.map((wakeUp) => [wakeUp.leased?.eventId ?? wakeUp.webhookId, wakeUp])).values()];
}

function isClickEvent(message: Message<DeliveryMessage>): message is Message<ClickEventMessage> {
  return message.body.kind === "click_event";
}
