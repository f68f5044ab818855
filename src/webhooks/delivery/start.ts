import { Batch } from "../../database/batch.ts";
import { describeError, log } from "../../lib/log.ts";
import { retryLater } from "../../lib/retry-later.ts";
import { newId } from "../../lib/uuid.ts";
import type { ClickEventMessage, DeliveryMessage } from "../../outbox/messages.ts";
import { DELIVERY_LEASE_MS } from "../../outbox/limits.ts";
import { storeClicks } from "../store/results.ts";
import { insertClickSlot, insertDeliverySlot, selectSlot, type Claim, type WaitingClick } from "../store/slots.ts";
import { maySend, readTurn, readWebhook, type Claimed, type WebhookState } from "../store/turns.ts";
import {
  CLICK_EVENT_RETRY_FIRST_SECONDS,
  CLICK_EVENT_RETRY_LONGEST_SECONDS,
  MAX_CLICK_EVENT_TRIES,
} from "../limits.ts";

/** The start of senders: their first turns, and what becomes of clicks that have none. */

/** The messages of one webhook. */
export interface Group {
  webhookId: string;
  messages: Message<DeliveryMessage>[];
}

/** A claim that ends the turn of `endedLease`. */
export function newClaim(
  webhookId: string,
  { endedLease, connections, takesDeliveries }: Pick<Claim, "endedLease" | "connections" | "takesDeliveries">,
): Claim {
  const now = Date.now();
  const lease = crypto.randomUUID();
  return { webhookId, endedLease, connections, takesDeliveries, lease, expiresAt: now + DELIVERY_LEASE_MS, now };
}

/**
 * Starts a sender with `connections` for each group, in one transaction. New clicks are put into a slot. Those that have to
 * wait for the circuit breaker are stored as deliveries, and those without room for a slot stay in the queue. Throws if the
 * database fails: then the messages must be delivered again.
 */
export async function startSenders(db: D1Database, groups: readonly Group[], connections: number): Promise<Claimed[]> {
  const batch = new Batch(db);
  const unplaced: UnplacedClicks[] = [];
  const starts = groups.map(({ webhookId, messages }) => {
    const clicks = messages.filter(isClickEvent);
    if (clicks.length === 0) return startDeliveries(batch, webhookId, connections);
    return startClicks(batch, webhookId, clicks, connections, unplaced);
  });
  await batch.commitWithRetry();
  const claimed = await Promise.all(starts.map((read) => read()));
  await storeUnplaced(db, unplaced);
  return claimed;
}

/** Takes a turn for the deliveries that are due, if the webhook has a free connection. Otherwise they wait in a slot. */
function startDeliveries(batch: Batch, webhookId: string, connections: number): () => Promise<Claimed> {
  const claim = newClaim(webhookId, { endedLease: null, connections, takesDeliveries: true });
  insertDeliverySlot(batch, claim, newId(claim.now));
  return readTurn(batch, claim);
}

/** Clicks that got no slot, and the webhook as it was then. */
interface UnplacedClicks {
  webhook: WebhookState;
  messages: readonly Message<ClickEventMessage>[];
  now: number;
}

/** Puts the clicks into a slot, with a turn if it has a free connection. */
function startClicks(
  batch: Batch,
  webhookId: string,
  messages: readonly Message<ClickEventMessage>[],
  connections: number,
  unplaced: UnplacedClicks[],
): () => Promise<Claimed> {
  const claim = newClaim(webhookId, { endedLease: null, connections, takesDeliveries: false });
  const slotId = newId(claim.now);
  insertClickSlot(batch, claim, slotId, messages.map(toClick));
  const slot = selectSlot(batch, webhookId, slotId);
  const readState = readWebhook(batch, webhookId);
  const read = readTurn(batch, claim);
  return () => {
    const webhook = readState();
    if (webhook !== null && slot.first === undefined) unplaced.push({ webhook, messages, now: claim.now });
    return read();
  };
}

/** Requeues the clicks of webhooks that are sent to, unless it was tried often, and stores the others. */
async function storeUnplaced(db: D1Database, unplaced: readonly UnplacedClicks[]): Promise<void> {
  const batch = new Batch(db);
  const stored: Message<ClickEventMessage>[] = [];
  for (const { webhook, messages, now } of unplaced) {
    const [forDatabase, forQueue] = partition(
      messages,
      ({ attempts }) => !maySend(webhook, now) || attempts >= MAX_CLICK_EVENT_TRIES,
    );
    for (const message of forQueue) requeue(message);
    storeClicks(batch, webhook, forDatabase.map(toClick), now);
    stored.push(...forDatabase);
  }
  if (batch.isEmpty) return;
  try {
    await batch.commitWithRetry();
  } catch (error) {
    log("error", "clicks_not_placed", describeError(error));
    for (const message of stored) retryLater(message);
  }
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function requeue(message: Message<ClickEventMessage>): void {
  const delaySeconds = CLICK_EVENT_RETRY_FIRST_SECONDS * 2 ** (message.attempts - 1);
  message.retry({ delaySeconds: Math.min(delaySeconds, CLICK_EVENT_RETRY_LONGEST_SECONDS) });
}

function isClickEvent(message: Message<DeliveryMessage>): message is Message<ClickEventMessage> {
  return message.body.kind === "click_event";
}

function toClick({ body: { eventId, body, createdAt } }: Message<ClickEventMessage>): WaitingClick {
  return { id: eventId, body, createdAt };
}
