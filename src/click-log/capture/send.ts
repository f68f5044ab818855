import { isOverload } from "../../platform/lib/durable-objects.ts";
import { ExpiringMap } from "../../platform/lib/expiring-map.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { TimeoutError, withTimeout } from "../../platform/lib/timeout.ts";
import { MAX_QUEUE_BATCH_MESSAGES } from "../../limits.ts";
import type { ClickBatch, FinishedMessage } from "./message.ts";
import {
  CLICK_INGEST_TIMEOUT_MS,
  CLICK_SEND_DEADLINE_MS,
  CLICK_SEND_RETRY_MS,
  CLICK_SEND_TIMEOUT_MS,
  INDIRECT_AFTER_OVERLOAD_MS,
  MAX_DIRECT_LOGS,
  MAX_MESSAGES_CHARS,
  MAX_OVERLOADED_LOGS,
} from "../limits.ts";

// Sends clicks to the ClickLogs. What they do not acknowledge goes through the queue, with the same batch ids. Loaded with
// the first flush, so that it does not delay the first redirect.

export interface SendCounts {
  /** Clicks that neither a ClickLog nor the queue has accepted yet, including those that are being sent. */
  buffered: number;
  /** Clicks that the full buffer refused since the last log line about it. */
  refused: number;
}

interface Sending {
  counts: SendCounts;
  /** When clicks are given up, Unix milliseconds. */
  deadline: number;
  /** Whether it waits while another flush retries, to take that over. */
  isFlush: boolean;
}

/** Messages that must go through the queue. */
let queued: FinishedMessage[] = [];
/** While the queue is down, one flush retries, until this time at the latest. All others wait. */
let retryingUntil = 0;
/** ClickLogs that were overloaded or silent. */
let overloaded = new ExpiringMap<true>(MAX_OVERLOADED_LOGS);

/** Sends the messages, and those that wait for the queue. Never throws. */
export async function sendMessages(env: Env, messages: readonly FinishedMessage[], sending: Sending): Promise<void> {
  await callClickLogs(env, messages, sending.counts);
  if (queued.length === 0) return logRefused(sending.counts);
  while (sending.isFlush && isRetrying() && Date.now() < sending.deadline) await scheduler.wait(CLICK_SEND_RETRY_MS);
  if (sending.isFlush || !isRetrying()) await sendQueued(env, sending);
}

function isRetrying(): boolean {
  return Date.now() < retryingUntil;
}

/** Sends messages to their ClickLogs. What these do not acknowledge, or what is for too many, is queued. */
async function callClickLogs(env: Env, messages: readonly FinishedMessage[], counts: SendCounts): Promise<void> {
  const logs = Map.groupBy(
    messages.flatMap(({ body }) => body.batches),
    ({ log }) => log,
  );
  const stored = new Set<ClickBatch>();
  if (logs.size <= MAX_DIRECT_LOGS)
    await Promise.all(
      [...logs].map(async ([log, batches]) => {
        if (await callClickLog(env, log, batches)) for (const batch of batches) stored.add(batch);
      }),
    );
  for (const message of messages) {
    const left = message.body.batches.filter((batch) => !stored.has(batch));
    const clicks = left.reduce((sum, { clicks: { at } }) => sum + at.length, 0);
    counts.buffered -= message.clicks - clicks;
    if (clicks > 0) queued.push({ ...message, body: { ...message.body, batches: left }, clicks });
  }
}

/** Returns whether the ClickLog has stored the batches. */
async function callClickLog(env: Env, name: string, batches: ClickBatch[]): Promise<boolean> {
  if (overloaded.get(name, Date.now()) !== undefined) return false;
  try {
    await withTimeout(env.CLICK_LOG.getByName(name).ingest(batches), CLICK_INGEST_TIMEOUT_MS);
    return true;
  } catch (error) {
    if (isOverload(error) || error instanceof TimeoutError)
      overloaded.set(name, true, Date.now() + INDIRECT_AFTER_OVERLOAD_MS);
    log("warn", "clicks_queued", { batches: batches.length, ...describeError(error) });
    return false;
  }
}

async function sendQueued(env: Env, sending: Sending): Promise<void> {
  for (let messages = takeForOneCall(); messages.length > 0; messages = takeForOneCall()) {
    try {
      await send(messages, env, sending);
    } catch (error) {
      if (!isRetrying()) return retry(messages, env, sending, error);
      queued.unshift(...messages);
      return;
    }
  }
  logRefused(sending.counts);
}

/** Takes the oldest messages, as many as one call to the queue may carry. */
function takeForOneCall(): FinishedMessage[] {
  let count = 0;
  let chars = 0;
  for (const message of queued) {
    chars += message.chars;
    if (count > 0 && (chars > MAX_MESSAGES_CHARS || count === MAX_QUEUE_BATCH_MESSAGES)) break;
    count++;
  }
  return queued.splice(0, count);
}

/**
 * Sends messages in V8's serialisation: only the consumer reads them, and it costs less than JSON. A message may be
 * sent twice, if a response was lost or late. The ClickLog recognises the batch ids in it.
 */
async function send(messages: readonly FinishedMessage[], env: Env, { counts }: Sending): Promise<void> {
  const sending = env.CLICKS.sendBatch(messages.map(({ body }) => ({ body, contentType: "v8" })));
  await withTimeout(sending, CLICK_SEND_TIMEOUT_MS);
  counts.buffered -= clicksOf(messages);
}

/** Retries until the queue has accepted the messages and then sends the rest, or drops them after the deadline. */
async function retry(messages: FinishedMessage[], env: Env, sending: Sending, firstError: unknown): Promise<void> {
  const { deadline, counts } = sending;
  let error = firstError;
  retryingUntil = deadline + CLICK_SEND_RETRY_MS + CLICK_SEND_TIMEOUT_MS;
  while (Date.now() < deadline) {
    await scheduler.wait(CLICK_SEND_RETRY_MS);
    try {
      await send(messages, env, sending);
      retryingUntil = 0;
      return await sendQueued(env, sending);
    } catch (again) {
      error = again;
    }
  }
  retryingUntil = 0;
  drop(messages, counts, error);
}

/** Drops these messages, and those that are as old. Newer ones have a flush of their own. */
function drop(messages: FinishedMessage[], counts: SendCounts, error: unknown): void {
  const oldest = Date.now() - CLICK_SEND_DEADLINE_MS;
  const dropped = [...messages, ...queued.filter(({ firstClickAt }) => firstClickAt <= oldest)];
  queued = queued.filter(({ firstClickAt }) => firstClickAt > oldest);
  const clicks = clicksOf(dropped);
  counts.buffered -= clicks;
  logLost(clicks, counts, error);
}

function logRefused(counts: SendCounts): void {
  if (counts.refused > 0 && !isRetrying()) logLost(0, counts, new Error("the click buffer was full"));
}

/** Logs these clicks, and those that the full buffer refused. */
function logLost(clicks: number, counts: SendCounts, error: unknown): void {
  log("error", "clicks_lost", { clicks: clicks + counts.refused, ...describeError(error) });
  counts.refused = 0;
}

function clicksOf(messages: readonly FinishedMessage[]): number {
  return messages.reduce((sum, { clicks }) => sum + clicks, 0);
}

/** For tests, which share the isolate. */
export function clearQueued(): void {
  queued = [];
  retryingUntil = 0;
  overloaded = new ExpiringMap(MAX_OVERLOADED_LOGS);
}
