import type { ServiceContext } from "../../context.ts";
import { describeError, log } from "../../lib/log.ts";
import { retryLater } from "../../lib/retry-later.ts";
import type { DeliveryMessage, LeasedDelivery } from "../../outbox/messages.ts";
import { readLeasedTurn, type Claimed } from "../store/turns.ts";
import { ConnectionBudget } from "./connections.ts";
import { Sender } from "./sender.ts";
import { startSenders, type Group } from "./start.ts";
import { guardOf } from "../../outbound/url-guard.ts";
import { MAX_DELIVERY_CONNECTIONS } from "../limits.ts";

/**
 * Consumes wake-ups and click events, with one sender per leased delivery and one per webhook of the others. It returns once the
 * clicks are in the database. Then the messages are acknowledged, and the senders continue in `waitUntil`. So no receiver holds up
 * the consumer.
 */
export async function consumeDeliveries(
  messages: readonly Message<DeliveryMessage>[],
  context: ServiceContext,
): Promise<void> {
  if (messages.length === 0) return;
  const { env, db, waitUntil } = context;
  const leased = messages.flatMap(({ body }) => leasedDelivery(body));
  const others = messages.filter(({ body }) => leasedDelivery(body).length === 0);
  const groups = groupByWebhook(others);
  // Each sender has its share, so that none waits for the receivers of another.
  const connections = Math.max(1, Math.floor(MAX_DELIVERY_CONNECTIONS / (leased.length + groups.length)));
  const budget = new ConnectionBudget(MAX_DELIVERY_CONNECTIONS);
  const guard = guardOf(env, env.BASE_URL);
  const start = (claimed: Claimed) => new Sender(context, guard, budget, connections).run(claimed);
  for (const delivery of leased)
    waitUntil(claimLeased(db, delivery, connections).then((claimed) => claimed && start(claimed)));
  if (others.length === 0) return;
  try {
    for (const claimed of await startSenders(db, groups, connections)) waitUntil(start(claimed));
  } catch (error) {
    log("error", "sender_failed", { webhooks: groups.length, ...describeError(error) });
    for (const message of others) retryLater(message);
  }
}

type LeasedForWebhook = LeasedDelivery & { webhookId: string };

function leasedDelivery(body: DeliveryMessage): LeasedForWebhook[] {
  if (body.kind !== "wake_up" || body.leased === undefined) return [];
  return [{ webhookId: body.webhookId, ...body.leased }];
}

/** Begins with the turn of the delivery, or as a wake-up without a lease. Never rejects: the cron makes up for what is lost. */
async function claimLeased(
  db: D1Database,
  delivery: LeasedForWebhook,
  connections: number,
): Promise<Claimed | undefined> {
  const { webhookId } = delivery;
  try {
    const turn = await readLeasedTurn(db, webhookId, delivery);
    if (turn !== null) return { webhookId, turn, waitingId: null };
    return (await startSenders(db, [{ webhookId, messages: [] }], connections))[0];
  } catch (error) {
    log("error", "sender_failed", { webhookId, ...describeError(error) });
    return undefined;
  }
}

function groupByWebhook(messages: readonly Message<DeliveryMessage>[]): Group[] {
  const groups = Map.groupBy(messages, ({ body }) => body.webhookId);
  return [...groups].map(([webhookId, messages]) => ({ webhookId, messages }));
}
