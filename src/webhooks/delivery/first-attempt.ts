import type { FirstDelivery } from "../../context.ts";
import { Batch } from "../../database/batch.ts";
import { describeError, log } from "../../lib/log.ts";
import { sendWakeUps } from "../../outbox/messages.ts";
import { readMaxFailures } from "../config.ts";
import { leaveToSenders, readFirstTurn } from "../store/first-attempts.ts";
import { recordResult } from "../store/results.ts";
import { findWaitingSlot } from "../store/slots.ts";
import { maySend, readBackoff, type TurnEvent, type WebhookState } from "../store/turns.ts";
import { attemptsAt } from "./attempt.ts";
import { scheduleRetries } from "./schedule-retries.ts";
import { toResult } from "./schedule.ts";
import { toSigningTarget } from "./signing-target.ts";
import { guardOf } from "../../outbound/url-guard.ts";
import { LONGEST_ATTEMPT_MS } from "../limits.ts";

/**
 * Makes the first attempt of a delivery in the invocation that stored it, which takes no slot and no queue message. The lease of
 * the delivery counts as a connection of its webhook. Never rejects: after an error the lease ends, and the cron leaves the
 * delivery to the senders.
 */
export async function makeFirstAttempt(env: Env, delivery: FirstDelivery): Promise<void> {
  const { DB: db } = env;
  try {
    const turn = await readFirstTurn(db, delivery);
    if (turn === null) return;
    const { webhook, event, leaseEndsAt } = turn;
    const now = Date.now();
    // The webhook may have been deleted or deactivated, or its circuit opened, since the commit. A commit that took long leaves too
    // little of the lease, and a sender could make the same attempt at the same time.
    if (webhook !== null && maySend(webhook, now) && now + LONGEST_ATTEMPT_MS <= leaseEndsAt)
      return await attempt(env, delivery, { webhook, event });
    await leaveToSenders(db, delivery, now);
    await sendWakeUps(env, [delivery.webhookId]);
  } catch (error) {
    log("error", "first_attempt_failed", { webhookId: delivery.webhookId, ...describeError(error) });
  }
}

async function attempt(
  env: Env,
  delivery: FirstDelivery,
  { webhook, event }: { webhook: WebhookState; event: TurnEvent },
): Promise<void> {
  const { webhookId } = delivery;
  const target = await toSigningTarget(webhook.target, env.ENCRYPTION_KEYS, Date.now());
  const sent = await attemptsAt(target, guardOf(env, env.BASE_URL))(event);
  const now = Date.now();
  const result = toResult(sent, event.step, { now, random: Math.random(), maxFailures: readMaxFailures(env) });
  const batch = new Batch(env.DB);
  recordResult(batch, { ...delivery, strikes: webhook.target.strikes, type: event.type }, result);
  // A slot may have waited for this connection. Its wake-up was consumed, so it needs another one.
  const waiting = findWaitingSlot(batch, webhookId, now);
  const backoff = result.failure === null ? null : readBackoff(batch, webhookId);
  await batch.commitWithRetry();
  const nextAttemptAt = result.failure?.nextAttemptAt ?? null;
  const wakeUp = (id: string, delayMs?: number) => sendWakeUps(env, [id], delayMs);
  if (backoff?.first !== undefined && nextAttemptAt !== null)
    await scheduleRetries(backoff.first, [nextAttemptAt], (delayMs) => wakeUp(webhookId, delayMs));
  if (waiting.first !== undefined) await wakeUp(waiting.first.id);
}
