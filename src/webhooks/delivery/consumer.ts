import { isVerifiedDomain } from "../../domains/verified.ts";
import { CLICK_PATIENCE_MS, QUEUE_PATIENCE_MS } from "../../limits.ts";
import { createUrlGuard } from "./url-guard.ts";
import type { ClickEventMessage, DeliveryMessage } from "../../outbox/messages.ts";
import { Sender } from "./sender.ts";

/**
 * The consumer of the queue "deliveries". It is done with a batch before slow receivers have answered: what is on
 * its way then goes on behind it, and is in the database in case it does not.
 */
export async function consumeDeliveries(
  batch: MessageBatch<DeliveryMessage>,
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const clicks = groupByWebhook(batch.messages);
  const guard = createUrlGuard(env, env.BASE_URL, (host) => isVerifiedDomain(env.DB, host));
  const senders = [...clicks].map(([webhookId, messages]) => new Sender(env, guard, webhookId, messages));
  const done = Promise.all(senders.map((sender) => sender.done));
  ctx.waitUntil(done);
  const hasClicks = [...clicks.values()].some((messages) => messages.length > 0);
  await atMost(done, hasClicks ? CLICK_PATIENCE_MS : QUEUE_PATIENCE_MS);
  await Promise.all(senders.map((sender) => sender.handBack()));
}

/** Every webhook that the batch names, with its clicks. */
function groupByWebhook(messages: readonly Message<DeliveryMessage>[]): Map<string, Message<ClickEventMessage>[]> {
  const groups = new Map<string, Message<ClickEventMessage>[]>();
  for (const message of messages) {
    const { webhookId } = message.body;
    const clicks = groups.get(webhookId) ?? [];
    if (isClick(message)) clicks.push(message);
    groups.set(webhookId, clicks);
  }
  return groups;
}

function isClick(message: Message<DeliveryMessage>): message is Message<ClickEventMessage> {
  return message.body.kind === "click";
}

/** Waits for the promise, but no longer than `ms`. */
async function atMost(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, timeout]);
  if (timer !== undefined) clearTimeout(timer);
}
