import { describeError, log } from "../lib/log.ts";
import {
  MAX_QUEUE_BATCH_BYTES,
  MAX_QUEUE_BATCH_MESSAGES,
  MAX_QUEUE_DELAY_SECONDS,
  MAX_QUEUE_MESSAGE_BYTES,
} from "../limits.ts";

/** Says that a webhook has something due. What that is, is in the database; losing it costs a minute. */
interface WakeMessage {
  kind: "wake";
  webhookId: string;
}

/** A `link.click` event as a whole: it is in no database. */
export interface ClickEventMessage {
  kind: "click";
  webhookId: string;
  eventId: string;
  /** Exactly what is sent. */
  body: string;
  createdAt: number;
}

export type DeliveryMessage = WakeMessage | ClickEventMessage;

/** Wakes the senders of these webhooks; answers whether the queue took it. Never throws: the cron wakes those whose message is lost. */
export async function notifyWebhooks(queue: Queue, webhookIds: readonly string[], delayMs = 0): Promise<boolean> {
  const delaySeconds = Math.min(Math.ceil(delayMs / 1_000), MAX_QUEUE_DELAY_SECONDS);
  const unique = [...new Set(webhookIds)];
  try {
    for (let start = 0; start < unique.length; start += MAX_QUEUE_BATCH_MESSAGES) {
      const messages = unique.slice(start, start + MAX_QUEUE_BATCH_MESSAGES);
      const bodies: { body: WakeMessage }[] = messages.map((webhookId) => ({ body: { kind: "wake", webhookId } }));
      await queue.sendBatch(bodies, delaySeconds === 0 ? {} : { delaySeconds });
    }
    return true;
  } catch (error) {
    log("warn", "wake_up_failed", { webhooks: unique.length, ...describeError(error) });
    return false;
  }
}

/** Sends clicks in as few batches as the queue's bounds allow. Throws where the queue does not take them. */
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
