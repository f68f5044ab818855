import { batchWithRetry } from "../../database/retry.ts";
import { describeError, log } from "../../lib/log.ts";
import {
  CLICK_BUSY_LONGEST_SECONDS,
  CLICK_BUSY_RETRY_SECONDS,
  CLICK_PATIENCE_MS,
  CLICK_RETRY_LONGEST_SECONDS,
  DELIVERY_LEASE_MS,
  LANE_BUDGET_MS,
  MAX_CLICK_MESSAGE_TRIES,
  WEBHOOK_WAITS_AFTER_FAILURES,
} from "../../limits.ts";
import { attempt, type Attempt, type SigningTarget } from "./attempt.ts";
import type { UrlGuard } from "./url-guard.ts";
import {
  openStatements,
  runStep,
  type Claim,
  type Slot,
  type Next,
  type Step,
  type WebhookState,
} from "../store/slots.ts";
import { notifyWebhooks, type ClickEventMessage } from "../../outbox/messages.ts";
import { recordClickFailure, recordClicks, recordStored, storeClick, type DeliveredClick } from "../store/results.ts";
import { maxFailuresOf } from "../config.ts";
import { toSigningTarget } from "./signing-target.ts";

type ClickInQueue = Message<ClickEventMessage>;

/**
 * Sends to one webhook what a batch of messages holds for it: the clicks themselves, then whatever is due in the
 * database. One attempt at a time.
 */
export class Sender {
  readonly #env: Env;
  readonly #guard: UrlGuard;
  readonly #lane: Slot;
  readonly #startedAt = Date.now();
  /** Clicks that are still to be sent. */
  #waiting: ClickInQueue[];
  /** The click that is on its way: until its result is recorded, only the queue knows of it. */
  #current: ClickInQueue | null = null;
  /** The lease of the current click, once it is stored before its result. */
  #lease: string | null = null;
  /** What the message of the current click must not be acknowledged before. */
  #storing: Promise<unknown> = Promise.resolve();
  #delivered: DeliveredClick[] = [];
  /** The end of it, which never fails. */
  readonly done: Promise<void>;

  constructor(env: Env, guard: UrlGuard, webhookId: string, clicks: ClickInQueue[]) {
    this.#env = env;
    this.#guard = guard;
    this.#lane = { webhookId, token: crypto.randomUUID() };
    this.#waiting = clicks;
    this.done = this.#run().catch((error: unknown) => this.#fail(error));
  }

  /**
   * Gives back to the queue what is not begun, and stores the click that is on its way, so that its message can be
   * acknowledged. What is in the database goes on being sent.
   */
  async handBack(): Promise<void> {
    for (const click of this.#waiting.splice(0)) click.retry({ delaySeconds: CLICK_BUSY_RETRY_SECONDS });
    const click = this.#current;
    if (click !== null && this.#lease === null) {
      const lease = crypto.randomUUID();
      this.#lease = lease;
      const stored = storeClick(this.#env.DB, click.body, { dueAt: Date.now() + DELIVERY_LEASE_MS, lease });
      this.#storing = batchWithRetry(this.#env.DB, stored);
    }
    await this.#storing.catch(() => click !== null && retryLater(click));
  }

  async #run(): Promise<void> {
    const now = this.#startedAt;
    const hasClicks = this.#waiting.length > 0;
    const opening = openStatements(this.#env.DB, this.#lane, now, hasClicks ? now - CLICK_PATIENCE_MS : null);
    const opened = await this.#step(opening, hasClicks ? "keep" : "claim");
    if (opened.state === undefined) {
      this.#waiting = [];
      return;
    }
    if (!hasClicks) return this.#drain(opened);
    const after = await this.#sendClicks(opened.state);
    if (after.is_open === 1) await this.#drain(await this.#step(this.#takeDelivered(), "claim"));
  }

  /** Sends the clicks of the messages; answers how the webhook is afterwards. */
  async #sendClicks(opened: WebhookState): Promise<WebhookState> {
    let state = opened;
    const target = await this.#target(state);
    while (state.is_open === 1 && this.#secondsLeft()) {
      const click = this.#waiting.shift();
      if (click === undefined) break;
      this.#current = click;
      const { body: message } = click;
      const sent = await attempt(target, { id: message.eventId, type: "link.click", body: message.body }, this.#guard);
      const after = await this.#recordClick(message, sent);
      this.#current = null;
      this.#lease = null;
      if (after === undefined) return { ...state, is_open: 0 };
      state = after === "unchanged" ? state : after;
    }
    await this.#turnAway(state);
    return state;
  }

  async #recordClick(message: ClickEventMessage, sent: Attempt): Promise<WebhookState | undefined | "unchanged"> {
    const { webhookId, eventId } = message;
    const lease = this.#lease;
    if (lease === null && sent.ok) {
      this.#delivered.push({ id: eventId, createdAt: message.createdAt, attempt: sent });
      return "unchanged";
    }
    await this.#storing;
    const result = { webhookId, eventId, lease, type: "link.click", step: 0 };
    const recorded =
      lease === null
        ? recordClickFailure(this.#env.DB, message, sent, this.#circumstances())
        : recordStored(this.#env.DB, result, sent, this.#circumstances());
    const recording = this.#step([...this.#takeDelivered(), ...recorded.statements], "keep");
    // From here on it is recorded or the message comes again.
    this.#lease ??= "";
    this.#storing = recording;
    const { state } = await recording;
    if (!sent.ok) await this.#wakeLater(state, recorded.dueAt);
    return state;
  }

  /** What becomes of clicks that cannot be sent now: it depends on why. */
  async #turnAway(state: WebhookState): Promise<void> {
    const clicks = this.#waiting.splice(0);
    const busy =
      state.status === "active" && state.resume_at === null && state.failure_count < WEBHOOK_WAITS_AFTER_FAILURES;
    const stored: ClickInQueue[] = [];
    for (const click of clicks) {
      const { createdAt } = click.body;
      // While inactive a webhook is owed no new events (3.1).
      if (state.status === "inactive" && createdAt >= (state.disabled_at ?? 0)) continue;
      if (busy && click.attempts < MAX_CLICK_MESSAGE_TRIES) retryLater(click, CLICK_BUSY_LONGEST_SECONDS);
      else stored.push(click);
    }
    if (stored.length > 0) await this.#store(stored);
  }

  /** Stores clicks that have to wait, or has their messages come again. */
  async #store(clicks: readonly ClickInQueue[]): Promise<void> {
    const dueAt = Date.now();
    const statements = clicks.flatMap((click) => storeClick(this.#env.DB, click.body, { dueAt }));
    this.#storing = batchWithRetry(this.#env.DB, statements).catch((error: unknown) => {
      for (const click of clicks) retryLater(click);
      throw error;
    });
    await this.#storing;
  }

  /** Sends what is due in the database, until nothing is or the time is over. */
  async #drain(first: Step): Promise<void> {
    let { state, claim } = first;
    if (state === undefined || claim === null) return;
    const target = await this.#target(state);
    while (state !== undefined && claim !== null) {
      const waited: boolean = state.failure_count >= WEBHOOK_WAITS_AFTER_FAILURES;
      const sent = await attempt(target, claim.event, this.#guard);
      const { statements, dueAt } = this.#recordClaim(claim, sent);
      const goesOn = this.#secondsLeft();
      ({ state, claim } = await this.#step(statements, goesOn ? "claim" : "close"));
      if (!sent.ok) await this.#wakeLater(state, dueAt);
      // One sender more as long as there is more to send than one can: the lanes bound it.
      else if (waited || !goesOn) await this.#wakeDue(state);
      if (!goesOn) await this.#wakeDue(state);
    }
  }

  #recordClaim(claim: Claim, sent: Attempt) {
    const { event, step, lease } = claim;
    const result = { webhookId: this.#lane.webhookId, eventId: event.id, lease, type: event.type, step };
    return recordStored(this.#env.DB, result, sent, this.#circumstances());
  }

  async #wakeDue(state: WebhookState | undefined): Promise<void> {
    if (state?.status !== "active" || state.next_due === null || state.next_due > Date.now()) return;
    await notifyWebhooks(this.#env.DELIVERIES, [state.id]);
  }

  /** After a failure: wake-ups for the delivery itself and, where the webhook waits, for the first that may go then. */
  async #wakeLater(state: WebhookState | undefined, dueAt: number | null): Promise<void> {
    if (state?.status !== "active") return;
    const resumeAt = state.resume_at ?? 0;
    const times = new Set<number>();
    if (dueAt !== null) times.add(Math.max(dueAt, resumeAt));
    if (state.resume_at !== null && state.next_due !== null) times.add(Math.max(state.next_due, resumeAt));
    for (const time of times) await notifyWebhooks(this.#env.DELIVERIES, [state.id], Math.max(0, time - Date.now()));
  }

  #takeDelivered(): D1PreparedStatement[] {
    return recordClicks(this.#env.DB, this.#lane.webhookId, this.#delivered.splice(0), Date.now());
  }

  #step(statements: D1PreparedStatement[], next: Next): Promise<Step> {
    return runStep(this.#env.DB, this.#lane, statements, next, Date.now());
  }

  #target(state: WebhookState): Promise<SigningTarget> {
    return toSigningTarget(state, this.#env.ENCRYPTION_KEYS, Date.now());
  }

  #circumstances() {
    return { now: Date.now(), random: Math.random(), maxFailures: maxFailuresOf(this.#env) };
  }

  #secondsLeft(): boolean {
    return Date.now() - this.#startedAt < LANE_BUDGET_MS;
  }

  /** The messages come again; what is in the database is due again when the lease ends. */
  #fail(error: unknown): void {
    log("error", "deliveries_failed", { webhookId: this.#lane.webhookId, ...describeError(error) });
    const current = this.#current === null ? [] : [this.#current];
    for (const click of [...current, ...this.#waiting.splice(0)]) retryLater(click);
    this.#current = null;
  }
}

/** Later each time, so that a burst does not fill the queue; the tries that it allows last for a day. */
function retryLater(click: ClickInQueue, longestSeconds = CLICK_RETRY_LONGEST_SECONDS): void {
  click.retry({ delaySeconds: Math.min(CLICK_BUSY_RETRY_SECONDS * 2 ** (click.attempts - 1), longestSeconds) });
}
