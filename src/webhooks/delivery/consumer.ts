import type { ServiceContext } from "../../context.ts";
import { withTimeout } from "../../lib/timeout.ts";
import { CONSUMER_WAIT_FOR_CLICKS_MS, CONSUMER_WAIT_MS } from "../../limits.ts";
import type { ClickEventMessage, DeliveryMessage } from "../../outbox/messages.ts";
import { Sender } from "./sender.ts";
import { createUrlGuard } from "./url-guard.ts";

/**
 * Consumes wake-ups and click events, with one sender per webhook. It does not wait for slow receivers, which would hold up the
 * messages of other webhooks. Their attempts continue in `waitUntil`; they are stored first, so a crash loses none.
 */
export async function consumeDeliveries(
  messages: readonly Message<DeliveryMessage>[],
  { env, waitUntil }: ServiceContext,
): Promise<void> {
  const clicks = groupClicks(messages);
  // Not the context's base URL: with an unknown origin, no private host may be allowed.
  const guard = createUrlGuard(env, env.BASE_URL);
  const senders = [...clicks].map(([webhookId, messages]) => new Sender(env, guard, webhookId, messages));
  const finished = Promise.all(senders.map((sender) => sender.run()));
  waitUntil(finished);
  const hasClicks = [...clicks.values()].some((messages) => messages.length > 0);
  await withTimeout(finished, hasClicks ? CONSUMER_WAIT_FOR_CLICKS_MS : CONSUMER_WAIT_MS).catch(() => undefined);
  await Promise.all(senders.map((sender) => sender.release()));
}

/** Groups the click messages by webhook. A webhook that only has wake-ups gets an empty group. */
function groupClicks(messages: readonly Message<DeliveryMessage>[]): Map<string, Message<ClickEventMessage>[]> {
  const groups = new Map<string, Message<ClickEventMessage>[]>();
  for (const message of messages) {
    const { webhookId } = message.body;
    const clicks = groups.get(webhookId) ?? [];
    if (isClickEvent(message)) clicks.push(message);
    groups.set(webhookId, clicks);
  }
  return groups;
}

function isClickEvent(message: Message<DeliveryMessage>): message is Message<ClickEventMessage> {
  return message.body.kind === "click_event";
}
