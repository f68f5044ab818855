import { Batch } from "../../database/batch.ts";
import {
  CLICK_EVENT_BUSY_LONGEST_SECONDS,
  CLICK_EVENT_RETRY_FIRST_SECONDS,
  CLICK_EVENT_RETRY_LONGEST_SECONDS,
  DELIVERY_LEASE_MS,
  MAX_CLICK_EVENT_TRIES,
} from "../../limits.ts";
import { toStoredBody } from "../../outbox/body.ts";
import type { OutgoingEvent } from "../../outbox/event-types.ts";
import type { ClickEventMessage } from "../../outbox/messages.ts";
import { insertDelivery } from "../store/deliveries.ts";
import type { WebhookState } from "../store/slots.ts";

export type QueuedClickEvent = Message<ClickEventMessage>;

/**
 * The click events of a queue batch for one webhook. When the consumer returns, the queue acknowledges each message that is
 * not retried. By then every event must be delivered, stored as a delivery, requeued, or dropped because its webhook is
 * inactive or deleted.
 */
export class ClickEventQueue {
  readonly #db: D1Database;
  /** Events that are not attempted yet. */
  #waiting: QueuedClickEvent[];
  /** The event whose attempt is in flight. */
  #inFlight: QueuedClickEvent | null = null;
  /** Whether a write of the event in flight has started. Until then only the queue has it. */
  #writeStarted = false;
  /** The lease under which `release` stored the event in flight. */
  #lease: string | null = null;
  /** The last write. It must settle before the consumer returns. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(db: D1Database, messages: QueuedClickEvent[]) {
    this.#db = db;
    this.#waiting = messages;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Whether a write of the event in flight has started, so its result must be written too. */
  get writeStarted(): boolean {
    return this.#writeStarted;
  }

  /** Returns the next event for an attempt; null: none is left. */
  next(): ClickEventMessage | null {
    this.#inFlight = this.#waiting.shift() ?? null;
    this.#writeStarted = false;
    this.#lease = null;
    return this.#inFlight?.body ?? null;
  }

  /** Ends the attempt of an event that was delivered before it had to be stored. */
  finish(): void {
    this.#inFlight = null;
  }

  /** Ends an attempt by writing its result. `write` gets the lease of the event; null: the event is not stored. */
  async finishWith<T>(write: (lease: string | null) => Promise<T>): Promise<T> {
    const lease = this.#lease;
    if (lease !== null) await this.#writing;
    this.#writeStarted = true;
    const writing = write(lease);
    this.#writing = writing;
    const result = await writing;
    this.finish();
    return result;
  }

  /** Requeues or stores the waiting events, which cannot be sent now. */
  async defer(webhook: WebhookState): Promise<void> {
    const stored: QueuedClickEvent[] = [];
    for (const message of this.#waiting.splice(0)) {
      // A webhook gets no events from the time after its deactivation (3.1).
      if (webhook.status === "inactive" && message.body.createdAt >= (webhook.disabledAt ?? 0)) continue;
      const isBusy = webhook.status === "active" && !webhook.circuitOpen;
      if (isBusy && message.attempts < MAX_CLICK_EVENT_TRIES) retryLater(message, CLICK_EVENT_BUSY_LONGEST_SECONDS);
      else stored.push(message);
    }
    if (stored.length === 0) return;
    this.#writing = this.#store(stored, Date.now()).catch((error: unknown) => {
      for (const message of stored) retryLater(message);
      throw error;
    });
    await this.#writing;
  }

  /**
   * Requeues the waiting events and stores the event in flight under a lease, so that the consumer can return. The attempt
   * continues, and a crash does not lose the event.
   */
  async release(): Promise<void> {
    for (const message of this.#waiting.splice(0)) message.retry({ delaySeconds: CLICK_EVENT_RETRY_FIRST_SECONDS });
    const message = this.#inFlight;
    if (message !== null && !this.#writeStarted) {
      this.#writeStarted = true;
      this.#lease = crypto.randomUUID();
      this.#writing = this.#store([message], Date.now() + DELIVERY_LEASE_MS, this.#lease);
    }
    await this.#writing.catch(() => message !== null && retryLater(message));
  }

  /** Requeues all events after an error. */
  fail(): void {
    if (this.#inFlight !== null) this.#waiting.unshift(this.#inFlight);
    this.finish();
    for (const message of this.#waiting.splice(0)) retryLater(message);
  }

  /** Drops the waiting events of a deleted webhook. */
  drop(): void {
    this.#waiting = [];
  }

  async #store(messages: readonly QueuedClickEvent[], dueAt: number, lease?: string): Promise<void> {
    const batch = new Batch(this.#db);
    for (const { body } of messages) {
      const event = { ...toEvent(body), body: await toStoredBody(body.body) };
      insertDelivery(batch, body.webhookId, event, { status: "pending", dueAt, lease });
    }
    return batch.commitWithRetry();
  }
}

export function toEvent({ eventId, body, createdAt }: ClickEventMessage): OutgoingEvent & { createdAt: number } {
  return { id: eventId, type: "link.click", body, createdAt };
}

/** Requeues a message with exponential backoff. */
function retryLater(message: QueuedClickEvent, longestSeconds = CLICK_EVENT_RETRY_LONGEST_SECONDS): void {
  const delaySeconds = CLICK_EVENT_RETRY_FIRST_SECONDS * 2 ** (message.attempts - 1);
  message.retry({ delaySeconds: Math.min(delaySeconds, longestSeconds) });
}
