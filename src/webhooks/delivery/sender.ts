import type { ServiceContext } from "../../platform/context.ts";
import { Batch } from "../../platform/database/batch.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { sendWakeUps } from "../../platform/outbox/messages.ts";
import { readMaxFailures } from "../config.ts";
import type { ClickEntry } from "../store/read-delivery-log.ts";
import { finishClicks } from "../store/waiting-clicks.ts";
import { recordDeliveredClicks, recordFirstAttempt, recordResult } from "../store/results.ts";
import { readBackoff, type Backoff } from "../store/state.ts";
import { takeTurn, type Claimed, type Turn, type TurnEvent } from "../store/turns.ts";
import { attemptsAt, toSigningTarget, type Attempt } from "./attempt.ts";
import type { ConnectionBudget } from "./connections.ts";
import { toResult } from "./schedule.ts";
import { newClaim } from "./start.ts";
import type { UrlGuard } from "../../platform/outbound/url-guard.ts";
import { keepEvents } from "../store/kept-events.ts";
import { SENDER_BUDGET_MS, WAKE_UP_PAUSE_MS } from "../limits.ts";

/** An event with the result of its attempt. */
interface Attempted {
  event: TurnEvent;
  sent: Attempt;
}

/**
 * Sends to the webhooks of one account at one host, turn by turn: it attempts the events of a turn at the same time, and one
 * transaction then records the results and takes the next turn. It stops when nothing waits, no connection is free, or its time
 * is used up. While more waits than it can send, it wakes up other senders.
 */
export class Sender {
  readonly #env: Env;
  readonly #db: D1Database;
  readonly #guard: UrlGuard;
  readonly #budget: ConnectionBudget;
  readonly #connections: number;
  readonly #startedAt = Date.now();
  #wokeUpAt = 0;

  constructor(
    { env, db }: Pick<ServiceContext, "env" | "db">,
    guard: UrlGuard,
    budget: ConnectionBudget,
    connections: number,
  ) {
    this.#env = env;
    this.#db = db;
    this.#guard = guard;
    this.#budget = budget;
    this.#connections = connections;
  }

  /** Sends from the `first` turn on. Never rejects: after an error, the events of a turn wait again when their lease ends. */
  async run(webhookId: string, first: () => Promise<Claimed>): Promise<void> {
    try {
      let claimed = await first();
      for (;;) {
        await this.#wakeUpAnother(claimed);
        if (claimed.turn === null) return;
        claimed = await this.#send(claimed.turn);
      }
    } catch (error) {
      log("error", "sender_failed", { webhookId, ...describeError(error) });
    }
  }

  /** Wakes up another sender while something waits: at most once a second, always when this one stops. */
  async #wakeUpAnother({ turn, waitingId }: Claimed): Promise<void> {
    const now = Date.now();
    if (waitingId === null || (turn !== null && now - this.#wokeUpAt < WAKE_UP_PAUSE_MS)) return;
    this.#wokeUpAt = now;
    await this.#wakeUp(waitingId);
  }

  /** Attempts the events of the turn, records the results and takes the next turn at the host. */
  async #send(turn: Turn): Promise<Claimed> {
    const { id } = turn.webhook.target;
    const attempts = turn.webhook.isListener ? [] : await this.#attempt(turn);
    const batch = new Batch(this.#db);
    const retryTimes = this.#record(batch, turn, attempts, Date.now());
    const hasTime = Date.now() - this.#startedAt < SENDER_BUDGET_MS;
    const read = takeTurn(batch, newClaim(id, hasTime ? this.#connections : 0, false));
    const backoff = retryTimes.length > 0 ? readBackoff(batch, id) : null;
    await batch.commitWithRetry();
    if (backoff?.first !== undefined) await this.#scheduleRetries(id, backoff.first, retryTimes);
    return read();
  }

  /** Sends wake-ups for the next attempts and, if the circuit is open, for the first delivery that may be sent then. */
  async #scheduleRetries(webhookId: string, backoff: Backoff, retryTimes: readonly number[]): Promise<void> {
    const { status, resumeAt, nextDueAt } = backoff;
    if (status !== "active") return;
    const times = new Set(retryTimes.map((time) => Math.max(time, resumeAt ?? 0)));
    if (resumeAt !== null && nextDueAt !== null) times.add(Math.max(nextDueAt, resumeAt));
    for (const time of times) await this.#wakeUp(webhookId, Math.max(0, time - Date.now()));
  }

  async #attempt({ webhook, events }: Turn): Promise<Attempted[]> {
    const target = await toSigningTarget(webhook.target, this.#env.ENCRYPTION_KEYS, Date.now());
    const attempt = attemptsAt(target, this.#guard);
    return Promise.all(
      events.map(async (event) => {
        return { event, sent: await this.#budget.run(() => attempt(event)) };
      }),
    );
  }

  /** Records the turn. Returns the times of the next attempts. */
  #record(batch: Batch, turn: Turn, attempts: readonly Attempted[], now: number): number[] {
    const { webhook, lease, remainingClicks } = turn;
    const { id: webhookId, strikes } = webhook.target;
    const rules = { now, random: Math.random(), maxFailures: readMaxFailures(this.#env) };
    const retryTimes: number[] = [];
    const delivered: ClickEntry[] = [];
    for (const { event, sent } of attempts) {
      const result = toResult(sent, event.step, rules);
      if (result.failure?.nextAttemptAt != null) retryTimes.push(result.failure.nextAttemptAt);
      const { id, type, createdAt } = event;
      if (remainingClicks === null) recordResult(batch, { webhookId, eventId: id, lease, strikes, type }, result);
      else if (sent.ok) delivered.push({ id, createdAt, attempts: [sent.record] });
      else recordFirstAttempt(batch, { webhookId, lease, strikes }, event, result);
    }
    recordDeliveredClicks(batch, { webhookId, strikes }, delivered, now);
    if (webhook.isListener) keepEvents(batch, { listenerId: webhookId, lease }, turn.events, now);
    if (remainingClicks !== null) finishClicks(batch, webhookId, lease, remainingClicks);
    return retryTimes;
  }

  #wakeUp(webhookId: string, delayMs = 0): Promise<unknown> {
    return this.#budget.run(() => sendWakeUps(this.#env, [webhookId], delayMs));
  }
}
