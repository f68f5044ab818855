import type { ServiceContext } from "../../platform/context.ts";
import { Batch } from "../../platform/database/batch.ts";
import { newId } from "../../platform/lib/uuid.ts";
import { sendWakeUps } from "../../platform/outbox/messages.ts";
import { eventBody } from "../../platform/outbox/statements.ts";
import { readMaxFailures } from "../config.ts";
import { recordFirstAttempt } from "../store/results.ts";
import type { TargetRow } from "../store/row.ts";
import { attemptsAt, toSigningTarget, type Attempt } from "./attempt.ts";
import { toResult } from "./schedule.ts";
import { guardOf } from "../../platform/outbound/url-guard.ts";

/** Sends `webhook.test` at once, whatever the webhook's status. The attempt counts as a delivery. */
export async function ping(context: ServiceContext, webhook: TargetRow): Promise<Attempt> {
  const { env, db, now } = context;
  const type = "webhook.test";
  const event = {
    id: newId(now),
    type,
    body: eventBody(type, now, { webhookId: webhook.id }),
    createdAt: now,
  } as const;
  const target = await toSigningTarget(webhook, env.ENCRYPTION_KEYS, now);
  const sent = await attemptsAt(target, guardOf(env, context.baseUrl))(event);
  const result = toResult(sent, 0, { now: Date.now(), random: Math.random(), maxFailures: readMaxFailures(env) });
  // A ping is not retried.
  if (result.failure !== null) result.failure.nextAttemptAt = null;
  const batch = new Batch(db);
  recordFirstAttempt(batch, { webhookId: webhook.id, lease: null, strikes: webhook.strikes }, event, result);
  await batch.commitWithRetry();
  // A success closes the circuit, so the deliveries that are due may be sent.
  if (sent.ok) context.waitUntil(sendWakeUps(context.env, [webhook.id]));
  return sent;
}
