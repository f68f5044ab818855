import { Batch } from "../../platform/database/batch.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { retryLater } from "../../platform/lib/retry-later.ts";
import { newId } from "../../platform/lib/uuid.ts";
import type { ClickEventMessage, WakeUp } from "../../platform/outbox/messages.ts";
import { DELIVERY_LEASE_MS } from "../../platform/outbox/limits.ts";
import { insertClicks, selectRow, type WaitingClick } from "../store/waiting-clicks.ts";
import { storeClicks } from "../store/results.ts";
import { isSentTo, readWebhook, type Claim, type WebhookState } from "../store/state.ts";
import { endOldLeases, endUselessLease, readLeasedTurn, readTurn, takeTurn, type Claimed } from "../store/turns.ts";
import {
  CLICK_EVENT_RETRY_FIRST_SECONDS,
  CLICK_EVENT_RETRY_LONGEST_SECONDS,
  MAX_CLICK_EVENT_TRIES,
} from "../limits.ts";

/** The start of senders: their first turns, and what becomes of clicks that have none. */

export function newClaim(webhookId: string, connections: number, isStart: boolean): Claim {
  const now = Date.now();
  return { webhookId, isStart, connections, lease: crypto.randomUUID(), expiresAt: now + DELIVERY_LEASE_MS, now };
}

/** The first turn of a wake-up: the delivery that was leased for it, else what waits of the webhook, else of another one at its host. */
export async function startWakeUp(
  db: D1Database,
  { webhookId, leased }: WakeUp,
  connections: number,
): Promise<Claimed> {
  if (leased !== undefined) {
    const batch = new Batch(db);
    endUselessLease(batch, webhookId, leased, Date.now());
    const read = readLeasedTurn(batch, webhookId, leased);
    await batch.commitWithRetry();
    const turn = await read();
    if (turn !== null) return { webhookId, turn, waitingId: null };
  }
  const batch = new Batch(db);
  const claim = newClaim(webhookId, connections, true);
  if (leased !== undefined) endUselessLease(batch, webhookId, leased, claim.now);
  endOldLeases(batch, webhookId, claim.now);
  const read = takeTurn(batch, claim);
  await batch.commitWithRetry();
  return read();
}

/** The clicks of one webhook in a queue batch. */
export interface ClickGroup {
  webhookId: string;
  messages: readonly Message<ClickEventMessage>[];
}

/**
 * Stores each group as one row, with a turn if the webhook has a free connection, in one transaction. Clicks that have to
 * wait for the circuit breaker are stored as deliveries, and those without room stay in the queue. Throws if the database fails: then
 * the messages must be delivered again.
 */
export async function startClicks(
  db: D1Database,
  groups: readonly ClickGroup[],
  connections: number,
): Promise<Claimed[]> {
  if (groups.length === 0) return [];
  const batch = new Batch(db);
  const unplaced: UnplacedClicks[] = [];
  const starts = groups.map(({ webhookId, messages }) => {
    const claim = newClaim(webhookId, connections, true);
    const rowId = newId(claim.now);
    insertClicks(batch, claim, rowId, messages.map(toClick));
    const placed = selectRow(batch, webhookId, rowId);
    const readState = readWebhook(batch, webhookId);
    const read = readTurn(batch, claim);
    return () => {
      const webhook = readState();
      if (webhook !== null && placed.first === undefined) unplaced.push({ webhook, messages, now: claim.now });
      return read();
    };
  });
  await batch.commitWithRetry();
  const claimed = await Promise.all(starts.map((read) => read()));
  await storeUnplaced(db, unplaced);
  return claimed;
}

/** Clicks that got no place in the database, and the webhook as it was then. */
interface UnplacedClicks {
  webhook: WebhookState;
  messages: readonly Message<ClickEventMessage>[];
  now: number;
}

/** Requeues the clicks of webhooks that are sent to, unless it was tried often, and stores the others. */
async function storeUnplaced(db: D1Database, unplaced: readonly UnplacedClicks[]): Promise<void> {
  const batch = new Batch(db);
  const stored: Message<ClickEventMessage>[] = [];
  for (const { webhook, messages, now } of unplaced) {
    const isForQueue = ({ attempts }: Message) => isSentTo(webhook, now) && attempts < MAX_CLICK_EVENT_TRIES;
    for (const message of messages.filter(isForQueue)) requeue(message);
    const forDatabase = messages.filter((message) => !isForQueue(message));
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

function requeue(message: Message<ClickEventMessage>): void {
  const delaySeconds = CLICK_EVENT_RETRY_FIRST_SECONDS * 2 ** (message.attempts - 1);
  message.retry({ delaySeconds: Math.min(delaySeconds, CLICK_EVENT_RETRY_LONGEST_SECONDS) });
}

function toClick({ body: { eventId, body, createdAt } }: Message<ClickEventMessage>): WaitingClick {
  return { id: eventId, body, createdAt };
}
