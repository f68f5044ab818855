import { Batch } from "../../database/batch.ts";
import { newId } from "../../lib/uuid.ts";
import {
  CLICK_EVENT_RETRY_FIRST_SECONDS,
  CLICK_EVENT_RETRY_LONGEST_SECONDS,
  DELIVERY_LEASE_MS,
  MAX_CLICK_EVENT_TRIES,
} from "../../limits.ts";
import type { ClickEventMessage } from "../../outbox/messages.ts";
import { storeClicks } from "../store/results.ts";
import {
  claimSlot,
  insertClickSlot,
  insertDeliverySlot,
  selectSlot,
  type Claim,
  type WaitingClick,
} from "../store/slots.ts";
import { commitClaim, maySend, type Claimed, type WebhookState } from "../store/turns.ts";

/** How the sender of a webhook gets its first turn. */

/** The claim of a turn. It ends the turn of `endedLease`. */
export function newClaim(webhookId: string, endedLease: string | null, connections: number): Claim {
  const now = Date.now();
  return {
    webhookId,
    endedLease,
    lease: crypto.randomUUID(),
    expiresAt: now + DELIVERY_LEASE_MS,
    now,
    connections,
  };
}

/** Takes a turn at the webhook's host: for its deliveries that are due, or for what waits there. */
export function startDeliveries(db: D1Database, webhookId: string, connections: number): Promise<Claimed> {
  const claim = newClaim(webhookId, null, connections);
  const batch = new Batch(db);
  insertDeliverySlot(batch, claim, newId(claim.now));
  claimSlot(batch, claim, newId(claim.now));
  return commitClaim(batch, claim);
}

/**
 * Puts the clicks of one webhook into a slot, with a turn if it has free connections. Clicks that cannot be sent now are stored
 * as deliveries; without room for a slot, they stay in the queue. Throws if the database fails: then they are not stored.
 */
export async function acceptClicks(
  db: D1Database,
  webhookId: string,
  messages: readonly Message<ClickEventMessage>[],
  connections: number,
): Promise<Claimed | null> {
  const claim = newClaim(webhookId, null, connections);
  const slotId = newId(claim.now);
  const batch = new Batch(db);
  insertClickSlot(batch, claim, slotId, messages.map(toClick));
  const slot = selectSlot(batch, webhookId, slotId);
  const claimed = await commitClaim(batch, claim);
  const { webhook } = claimed;
  if (webhook === null || slot.first !== undefined) return claimed;
  await storeOrRequeue(db, messages, webhook, claim.now);
  return claimed;
}

async function storeOrRequeue(
  db: D1Database,
  messages: readonly Message<ClickEventMessage>[],
  webhook: WebhookState,
  now: number,
): Promise<void> {
  const stored: WaitingClick[] = [];
  for (const message of messages) {
    if (maySend(webhook, now) && message.attempts < MAX_CLICK_EVENT_TRIES) requeue(message);
    else stored.push(toClick(message));
  }
  if (stored.length === 0) return;
  const batch = new Batch(db);
  storeClicks(batch, webhook, stored, now);
  await batch.commitWithRetry();
}

function requeue(message: Message<ClickEventMessage>): void {
  const delaySeconds = CLICK_EVENT_RETRY_FIRST_SECONDS * 2 ** (message.attempts - 1);
  message.retry({ delaySeconds: Math.min(delaySeconds, CLICK_EVENT_RETRY_LONGEST_SECONDS) });
}

function toClick({ body: { eventId, body, createdAt } }: Message<ClickEventMessage>): WaitingClick {
  return { id: eventId, body, createdAt };
}
