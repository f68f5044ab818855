import type { ServiceContext } from "../../context.ts";
import { describeError, log } from "../../lib/log.ts";
import { retryLater } from "../../lib/retry-later.ts";
import type { DeliveryMessage } from "../../outbox/messages.ts";
import { ConnectionBudget } from "./connections.ts";
import { Sender } from "./sender.ts";
import { startSenders, type Group } from "./start.ts";
import { guardOf } from "../../outbound/url-guard.ts";
import { MAX_DELIVERY_CONNECTIONS } from "../limits.ts";

/**
 * Consumes wake-ups and click events, with one sender per webhook. It returns once the clicks are in the database. Then the
 * messages are acknowledged, and the senders continue in `waitUntil`. So no receiver holds up the consumer.
 */
export async function consumeDeliveries(
  messages: readonly Message<DeliveryMessage>[],
  context: ServiceContext,
): Promise<void> {
  if (messages.length === 0) return;
  const { env, db, waitUntil } = context;
  const groups = groupByWebhook(messages);
  // Each sender has its share, so that none waits for the receivers of another.
  const connections = Math.max(1, Math.floor(MAX_DELIVERY_CONNECTIONS / groups.length));
  const budget = new ConnectionBudget(MAX_DELIVERY_CONNECTIONS);
  const guard = guardOf(env, env.BASE_URL);
  try {
    for (const claimed of await startSenders(db, groups, connections))
      waitUntil(new Sender(context, guard, budget, connections).run(claimed));
  } catch (error) {
    log("error", "sender_failed", { webhooks: groups.length, ...describeError(error) });
    for (const message of messages) retryLater(message);
  }
}

function groupByWebhook(messages: readonly Message<DeliveryMessage>[]): Group[] {
  const groups = Map.groupBy(messages, ({ body }) => body.webhookId);
  return [...groups].map(([webhookId, messages]) => ({ webhookId, messages }));
}
