import { describeError, log } from "../lib/log.ts";
import { MAX_QUEUE_BATCH_MESSAGES } from "../../limits.ts";
import { MAX_QUEUE_BATCH_BYTES, MAX_QUEUE_DELAY_SECONDS, MAX_QUEUE_MESSAGE_BYTES } from "./limits.ts";

/**
 * A wake-up: the webhook has deliveries due, or clicks that wait. If it is lost, the cron
 * sends another within a minute.
 */
interface WakeUpMessage {
  kind: "wake_up";
  webhookId: string;
  /** The delivery that was stored with a lease for this message; absent: the consumer leases what is due. */
  leased?: LeasedDelivery;
}

/** A delivery that its transaction has leased for the consumer of its wake-up. */
export interface LeasedDelivery {
  eventId: string;
  lease: string;
}

export type WakeUp = Omit<WakeUpMessage, "kind">;

/** A `link.click` event for one webhook. It has a queue of its own. */
export interface ClickEventMessage {
  kind: "click_event";
  webhookId: string;
  eventId: string;
  /** The request body, byte for byte. */
  body: string;
  createdAt: number;
}

export type DeliveryMessage = WakeUpMessage | ClickEventMessage;

/** Sends a wake-up for each of these webhooks, delivered after `delayMs`, as {@link sendAll} does. */
export function sendWakeUps(env: Env, webhookIds: readonly string[], delayMs = 0): Promise<boolean> {
  const unique = [...new Set(webhookIds)];
  return sendAll(
    env,
    unique.map((webhookId) => ({ webhookId })),
    delayMs,
  );
}

/** Returns whether the queue accepted all of them. Never throws, because the cron makes up for lost wake-ups. */
export async function sendAll(env: Env, wakeUps: readonly WakeUp[], delayMs = 0): Promise<boolean> {
  const delaySeconds = Math.min(Math.ceil(delayMs / 1_000), MAX_QUEUE_DELAY_SECONDS);
  const messages = wakeUps.map((wakeUp): { body: WakeUpMessage } => ({ body: { kind: "wake_up", ...wakeUp } }));
  try {
    for (let start = 0; start < messages.length; start += MAX_QUEUE_BATCH_MESSAGES) {
      const batch = messages.slice(start, start + MAX_QUEUE_BATCH_MESSAGES);
      await env.DELIVERIES.sendBatch(batch, delaySeconds === 0 ? {} : { delaySeconds });
    }
    return true;
  } catch (error) {
    log("warn", "wake_up_failed", { webhooks: messages.length, ...describeError(error) });
    return false;
  }
}

/** Sends click events in as few batches as the queue's limits allow. Throws if the queue does not accept them. */
export async function queueClickEvents(queue: Queue, messages: readonly ClickEventMessage[]): Promise<void> {
  let batch: { body: ClickEventMessage }[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = new TextEncoder().encode(JSON.stringify(message)).byteLength;
    if (size > MAX_QUEUE_MESSAGE_BYTES) {
      log("error", "click_event_too_large", { webhookId: message.webhookId, bytes: size });
      continue;
    }
    if (batch.length === MAX_QUEUE_BATCH_MESSAGES || bytes + size > MAX_QUEUE_BATCH_BYTES) {
      await queue.sendBatch(batch);
      batch = [];
      bytes = 0;
    }
    batch.push({ body: message });
    bytes += size;
  }
  if (batch.length > 0) await queue.sendBatch(batch);
}
