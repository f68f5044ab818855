import type { ServiceContext } from "../../context.ts";
import { describeError, log } from "../../lib/log.ts";
import { retryLater } from "../../lib/retry-later.ts";
import { MAX_DELIVERY_CONNECTIONS } from "../../limits.ts";
import type { ClickEventMessage, DeliveryMessage } from "../../outbox/messages.ts";
import type { Claimed } from "../store/turns.ts";
import { ConnectionBudget } from "./connections.ts";
import { Sender } from "./sender.ts";
import { acceptClicks, startDeliveries } from "./start.ts";
import { createUrlGuard } from "./url-guard.ts";

/**
 * Consumes wake-ups and click events, with one sender per webhook. It returns once the clicks are in the database: in a slot,
 * or as deliveries. Then the messages are acknowledged, and the senders continue in `waitUntil`. So no receiver holds up the
 * consumer.
 */
export async function consumeDeliveries(
  messages: readonly Message<DeliveryMessage>[],
  { env, waitUntil }: ServiceContext,
): Promise<void> {
  const groups = groupByWebhook(messages);
  // Not the context's base URL: with an unknown origin, no private host may be allowed.
  const guard = createUrlGuard(env, env.BASE_URL);
  const budget = new ConnectionBudget(MAX_DELIVERY_CONNECTIONS);
  // Each sender has its share, so that none waits for the receivers of another.
  const connections = Math.max(1, Math.floor(MAX_DELIVERY_CONNECTIONS / groups.size));
  const start = async (webhookId: string, group: readonly Message<DeliveryMessage>[]) => {
    try {
      const claimed = await startSender(env.DB, webhookId, group, connections);
      if (claimed !== null) waitUntil(new Sender(env, guard, budget, connections).run(claimed));
    } catch (error) {
      log("error", "sender_failed", { webhookId, ...describeError(error) });
      for (const message of group) retryLater(message);
    }
  };
  await Promise.all([...groups].map(([webhookId, group]) => start(webhookId, group)));
}

function groupByWebhook(messages: readonly Message<DeliveryMessage>[]): Map<string, Message<DeliveryMessage>[]> {
  const groups = new Map<string, Message<DeliveryMessage>[]>();
  for (const message of messages) {
    const { webhookId } = message.body;
    const group = groups.get(webhookId);
    if (group === undefined) groups.set(webhookId, [message]);
    else group.push(message);
  }
  return groups;
}

/** Starts with the clicks, and with the deliveries if there is a wake-up only. Returns null if there is nothing to send. */
function startSender(
  db: D1Database,
  webhookId: string,
  group: readonly Message<DeliveryMessage>[],
  connections: number,
): Promise<Claimed | null> {
  const clicks = group.filter(isClickEvent);
  return clicks.length > 0
    ? acceptClicks(db, webhookId, clicks, connections)
    : startDeliveries(db, webhookId, connections);
}

function isClickEvent(message: Message<DeliveryMessage>): message is Message<ClickEventMessage> {
  return message.body.kind === "click_event";
}
