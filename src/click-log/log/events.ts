import { queueClickEvents } from "../../platform/outbox/messages.ts";
import { clickMessages } from "../../platform/outbox/subscribers.ts";
import { toClickRecord } from "../click-record.ts";
import type { PendingBatch, PendingEvents } from "./pending-events.ts";
import { countedClicks, toStoredClick } from "./stored-clicks.ts";

/** Sends the pending events of these batches, and removes them. Throws if the queue does not accept some. */
export async function sendPendingEvents(
  queue: Queue,
  pending: PendingEvents,
  batchIds: readonly string[],
): Promise<void> {
  for (const id of batchIds) {
    const batch = pending.get(id);
    if (batch === undefined) continue;
    await sendClickEvents(queue, batch);
    pending.delete(id);
  }
}

/** Sends the events (`link.click`, 6.1) of a batch to their queue. Throws if the queue does not accept them. */
async function sendClickEvents(queue: Queue, { recipients, clicks }: PendingBatch): Promise<void> {
  const messages = clicks.flatMap((segment) => {
    const known = recipients.links[segment.link];
    if (known === undefined) return [];
    return countedClicks(segment).flatMap((click) => {
      const record = toClickRecord(toStoredClick(segment, click));
      const { id: eventId, linkId, clickedAt: at } = record;
      const data = { ...record, link: known.link };
      return clickMessages(recipients.webhooks, { eventId, linkId, tagKeys: known.tagKeys, data, at });
    });
  });
  await queueClickEvents(queue, messages);
}
