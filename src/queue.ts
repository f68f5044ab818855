import type { ClickBatchMessage } from "./click-log/capture/message.ts";
import { withClaimedOrigin } from "./platform/installation/claimed.ts";
import { log } from "./platform/lib/log.ts";
import { retryLater } from "./platform/lib/retry-later.ts";
import type { DeliveryMessage } from "./platform/outbox/messages.ts";
import type { MailMessage } from "./platform/mail/send.ts";

/** The body of a message in any of the queues. */
export type QueueMessage = ClickBatchMessage | DeliveryMessage | MailMessage;

/**
 * Passes messages to their consumers. The kind of a message decides, not the name of its queue: each installation names
 * its queues, and dead letters are consumed like the original messages.
 */
export async function consumeQueue(batch: MessageBatch, deployed: Env, ctx: ExecutionContext): Promise<void> {
  const env = await withClaimedOrigin(deployed);
  const clicks: Message<ClickBatchMessage>[] = [];
  const deliveries: Message<DeliveryMessage>[] = [];
  const mails: Message<MailMessage>[] = [];
  for (const message of batch.messages) {
    const kind = kindOf(message.body);
    if (kind === "clicks") clicks.push(message as Message<ClickBatchMessage>);
    else if (kind === "wake_up" || kind === "click_event") deliveries.push(message as Message<DeliveryMessage>);
    else if (kind === "mail") mails.push(message as Message<MailMessage>);
    else {
      log("error", "message_unreadable", { queue: batch.queue, attempts: message.attempts });
      retryLater(message);
    }
  }
  await Promise.all([
    clicks.length > 0 && consumeClickMessages(clicks, env),
    deliveries.length > 0 && consumeDeliveryMessages(deliveries, env, ctx),
    mails.length > 0 && consumeMailMessages(mails, env, ctx),
  ]);
}

function kindOf(body: unknown): QueueMessage["kind"] | undefined {
  return (body as Partial<QueueMessage> | null | undefined)?.kind;
}

async function consumeClickMessages(messages: Message<ClickBatchMessage>[], env: Env): Promise<void> {
  const { consumeClicks } = await import("./clicks/ingest/consumer.ts");
  await consumeClicks(messages, env);
}

async function consumeDeliveryMessages(
  messages: Message<DeliveryMessage>[],
  env: Env,
  ctx: ExecutionContext,
): Promise<void> {
  const [{ consumeDeliveries }, { createJobContext }] = await Promise.all([
    import("./webhooks/delivery/consumer.ts"),
    import("./platform/context.ts"),
  ]);
  await consumeDeliveries(messages, createJobContext(env, ctx, Date.now()));
}

async function consumeMailMessages(messages: Message<MailMessage>[], env: Env, ctx: ExecutionContext): Promise<void> {
  const [{ consumeMails }, { createJobContext }] = await Promise.all([
    import("./platform/mail/send.ts"),
    import("./platform/context.ts"),
  ]);
  await consumeMails(messages, createJobContext(env, ctx, Date.now()));
}
