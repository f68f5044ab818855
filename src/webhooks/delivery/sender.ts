import { Batch } from "../../database/batch.ts";
import { describeError, log } from "../../lib/log.ts";
import { CONSUMER_WAIT_FOR_CLICKS_MS, SENDER_BUDGET_MS } from "../../limits.ts";
import { sendWakeUps, type ClickEventMessage } from "../../outbox/messages.ts";
import { readMaxFailures } from "../config.ts";
import type { ClickEntry } from "../store/delivery-log.ts";
import { recordDeliveredClicks, recordFirstAttempt, recordResult, type AttemptResult } from "../store/results.ts";
import {
  acquireSlot,
  commitAndKeepSlot,
  commitAndLeaseNext,
  commitAndReleaseSlot,
  type LeasedDelivery,
  type Slot,
  type WebhookState,
} from "../store/slots.ts";
import { attemptDelivery, type Attempt } from "./attempt.ts";
import { ClickEventQueue, toEvent, type QueuedClickEvent } from "./click-event-queue.ts";
import { toResult } from "./schedule.ts";
import { toSigningTarget, type SigningTarget } from "./signing-target.ts";
import type { UrlGuard } from "./url-guard.ts";

/**
 * Sends to one webhook, one attempt at a time, while it holds a concurrency slot and has time left: first the clicks of a queue
 * batch, then the stored deliveries that are due. `run` once, and `release` when the consumer has to return.
 */
export class Sender {
  readonly #env: Env;
  readonly #guard: UrlGuard;
  readonly #slot: Slot;
  readonly #clicks: ClickEventQueue;
  readonly #startedAt = Date.now();
  /** Clicks that were delivered at the first attempt and are not recorded yet. */
  #delivered: ClickEntry[] = [];

  constructor(env: Env, guard: UrlGuard, webhookId: string, clicks: QueuedClickEvent[]) {
    this.#env = env;
    this.#guard = guard;
    this.#slot = { webhookId, token: crypto.randomUUID() };
    this.#clicks = new ClickEventQueue(env.DB, clicks);
  }

  /** Never rejects. After an error the clicks are requeued, and a leased delivery is due again when its lease ends. */
  async run(): Promise<void> {
    try {
      if (this.#clicks.isEmpty) await this.#sendDeliveries();
      else await this.#sendClicksAndDeliveries();
    } catch (error) {
      log("error", "sender_failed", { webhookId: this.#slot.webhookId, ...describeError(error) });
      this.#clicks.fail();
    }
  }

  /** Resolves when the queue messages may be acknowledged. The attempt in flight and stored deliveries continue. */
  release(): Promise<void> {
    return this.#clicks.release();
  }

  async #sendDeliveries(): Promise<void> {
    const batch = new Batch(this.#env.DB);
    acquireSlot(batch, this.#slot, this.#startedAt, null);
    await this.#drain(batch);
  }

  async #sendClicksAndDeliveries(): Promise<void> {
    const now = this.#startedAt;
    const batch = new Batch(this.#env.DB);
    acquireSlot(batch, this.#slot, now, now - CONSUMER_WAIT_FOR_CLICKS_MS);
    const acquired = await commitAndKeepSlot(batch, this.#slot, now);
    const webhook = acquired && (await this.#sendClicks(acquired));
    if (webhook === null) return this.#clicks.drop();
    await this.#clicks.defer(webhook);
    if (webhook.holdsSlot) await this.#drain(this.#recordDelivered());
  }

  /** Sends the clicks until the slot is lost or the time is used up. Returns the webhook's state; null: it was deleted. */
  async #sendClicks(acquired: WebhookState): Promise<WebhookState | null> {
    const target = await this.#signingTarget(acquired);
    let webhook: WebhookState | null = acquired;
    while (webhook?.holdsSlot === true && this.#hasTime()) {
      const click = this.#clicks.next();
      if (click === null) break;
      const sent = await attemptDelivery(target, toEvent(click), this.#guard);
      webhook = await this.#recordClick(click, sent, webhook);
    }
    return webhook;
  }

  /** Records the result of a click. Clicks that were delivered before they had to be stored are recorded together later. */
  async #recordClick(click: ClickEventMessage, sent: Attempt, webhook: WebhookState): Promise<WebhookState | null> {
    const { webhookId, eventId, createdAt } = click;
    const result = this.#toResult(sent, 0);
    if (sent.ok && !this.#clicks.writeStarted) {
      this.#delivered.push({ id: eventId, createdAt, attempts: [sent.record] });
      this.#clicks.finish();
      return webhook;
    }
    const after = await this.#clicks.finishWith((lease) => {
      const batch = this.#recordDelivered();
      if (lease === null) recordFirstAttempt(batch, webhookId, toEvent(click), result);
      else recordResult(batch, { webhookId, eventId, lease, type: "link.click" }, result);
      return commitAndKeepSlot(batch, this.#slot, Date.now());
    });
    await this.#scheduleRetry(after, result);
    return after;
  }

  /** Starts a batch that records the delivered clicks. */
  #recordDelivered(): Batch {
    const batch = new Batch(this.#env.DB);
    recordDeliveredClicks(batch, this.#slot.webhookId, this.#delivered.splice(0), Date.now());
    return batch;
  }

  /** Commits the batch, then sends stored deliveries until none is due, the slot is lost or the time is used up. */
  async #drain(batch: Batch): Promise<void> {
    let { webhook, delivery } = await commitAndLeaseNext(batch, this.#slot, Date.now());
    if (webhook === null || delivery === null) return;
    const target = await this.#signingTarget(webhook);
    while (webhook !== null && delivery !== null) {
      const circuitWasOpen: boolean = webhook.circuitOpen;
      const sent = await attemptDelivery(target, delivery.event, this.#guard);
      const result = this.#toResult(sent, delivery.step);
      const recorded = this.#recordDelivery(delivery, result);
      const hasTime = this.#hasTime();
      ({ webhook, delivery } = hasTime
        ? await commitAndLeaseNext(recorded, this.#slot, Date.now())
        : await commitAndReleaseSlot(recorded, this.#slot));
      await this.#scheduleRetry(webhook, result);
      // Up to two wake-ups: one replaces this sender, one adds a sender after a success. The slots limit the senders.
      const addsSender = sent.ok && (circuitWasOpen || !hasTime);
      if (addsSender) await this.#wakeUpIfDue(webhook);
      if (!hasTime) await this.#wakeUpIfDue(webhook);
    }
  }

  #recordDelivery({ event, lease }: LeasedDelivery, result: AttemptResult): Batch {
    const batch = new Batch(this.#env.DB);
    recordResult(batch, { webhookId: this.#slot.webhookId, eventId: event.id, lease, type: event.type }, result);
    return batch;
  }

  async #wakeUpIfDue(webhook: WebhookState | null): Promise<void> {
    if (webhook?.status !== "active" || webhook.nextDueAt === null || webhook.nextDueAt > Date.now()) return;
    await sendWakeUps(this.#env.DELIVERIES, [this.#slot.webhookId]);
  }

  /** After a failure: wake-ups for the retry and, if the circuit is open, for the first delivery that may be sent then. */
  async #scheduleRetry(webhook: WebhookState | null, { failure }: AttemptResult): Promise<void> {
    if (failure === null || webhook?.status !== "active") return;
    const { resumeAt, nextDueAt } = webhook;
    const times = new Set<number>();
    if (failure.nextAttemptAt !== null) times.add(Math.max(failure.nextAttemptAt, resumeAt ?? 0));
    if (resumeAt !== null && nextDueAt !== null) times.add(Math.max(nextDueAt, resumeAt));
    for (const time of times)
      await sendWakeUps(this.#env.DELIVERIES, [this.#slot.webhookId], Math.max(0, time - Date.now()));
  }

  #toResult(sent: Attempt, failedBefore: number): AttemptResult {
    const rules = { now: Date.now(), random: Math.random(), maxFailures: readMaxFailures(this.#env) };
    return toResult(sent, failedBefore, rules);
  }

  #signingTarget({ target }: WebhookState): Promise<SigningTarget> {
    return toSigningTarget(target, this.#env.ENCRYPTION_KEYS, Date.now());
  }

  #hasTime(): boolean {
    return Date.now() - this.#startedAt < SENDER_BUDGET_MS;
  }
}
