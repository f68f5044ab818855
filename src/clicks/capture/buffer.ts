import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import { MAX_QUEUE_BATCH_MESSAGES } from "../../limits.ts";
import type { CapturedClick } from "./click.ts";
import { ClickMessageBuilder, type ClickBatchMessage } from "./message.ts";
import {
  CLICK_FLUSH_AFTER_MS,
  CLICK_FLUSH_OVERDUE_MS,
  CLICK_SEND_DEADLINE_MS,
  CLICK_SEND_RETRY_MS,
  CLICK_SEND_TIMEOUT_MS,
  MAX_BUFFERED_CLICKS,
  MAX_MESSAGES_CHARS,
} from "../limits.ts";

// The clicks of this isolate until the queue has them. A redirect only adds its click and never waits. The first click
// after a flush starts the next one and holds it with its own `waitUntil`. The platform can cut that off together with
// the request, so a later click takes over a flush or a retry that is overdue.

interface FinishedMessage {
  body: ClickBatchMessage;
  clicks: number;
  chars: number;
  /** Unix milliseconds. */
  firstClickAt: number;
}

let builder = new ClickMessageBuilder();
let finished: FinishedMessage[] = [];
let finishedChars = 0;
/** Clicks that the queue has not accepted yet, including those that are being sent. */
let bufferedClicks = 0;
/** When the current flush sends, Unix milliseconds; 0: there is none. */
let flushAt = 0;
/** While the queue is down, one flush retries, until this time at the latest. All other clicks wait. */
let retryingUntil = 0;
/** Clicks that were dropped since the last log line about it. */
let droppedClicks = 0;

/** Never throws, and never makes its caller wait. */
export function bufferClick(click: CapturedClick, env: Env, ctx: ExecutionContext): void {
  const [now] = click;
  if (bufferedClicks >= MAX_BUFFERED_CLICKS) {
    droppedClicks++;
  } else {
    bufferedClicks++;
    builder.add(click);
    if (builder.isFull) {
      const { chars } = finishMessage();
      // One more message of this size would not fit into one call, so these do not wait for the flush.
      if (finishedChars + chars > MAX_MESSAGES_CHARS && !isRetrying())
        ctx.waitUntil(sendAll(env, now + CLICK_SEND_DEADLINE_MS));
    }
  }
  if (flushAt === 0 || now > flushAt + CLICK_FLUSH_OVERDUE_MS) {
    flushAt = now + CLICK_FLUSH_AFTER_MS;
    ctx.waitUntil(flush(env, now));
  }
}

function finishMessage(): FinishedMessage {
  const { clicks, chars, firstClickAt } = builder;
  const message = { body: builder.toMessage(), clicks, chars, firstClickAt };
  finished.push(message);
  finishedChars += chars;
  builder = new ClickMessageBuilder();
  return message;
}

async function flush(env: Env, now: number): Promise<void> {
  const deadline = now + CLICK_SEND_DEADLINE_MS;
  await scheduler.wait(CLICK_FLUSH_AFTER_MS);
  flushAt = 0;
  if (builder.clicks > 0) finishMessage();
  while (isRetrying() && Date.now() < deadline) await scheduler.wait(CLICK_SEND_RETRY_MS);
  await sendAll(env, deadline);
}

function isRetrying(): boolean {
  return Date.now() < retryingUntil;
}

async function sendAll(env: Env, deadline: number): Promise<void> {
  for (let messages = takeForOneCall(); messages.length > 0; messages = takeForOneCall()) {
    try {
      await send(messages, env);
    } catch (error) {
      if (!isRetrying()) return retry(messages, env, deadline, error);
      finished.unshift(...messages);
      finishedChars += charsOf(messages);
      return;
    }
  }
  if (droppedClicks > 0 && !isRetrying()) logLost(0, new Error("the click buffer was full"));
}

/** Takes the oldest messages, as many as one call to the queue may carry. */
function takeForOneCall(): FinishedMessage[] {
  let count = 0;
  let chars = 0;
  for (const message of finished) {
    chars += message.chars;
    if (count > 0 && (chars > MAX_MESSAGES_CHARS || count === MAX_QUEUE_BATCH_MESSAGES)) break;
    count++;
  }
  const messages = finished.splice(0, count);
  finishedChars -= charsOf(messages);
  return messages;
}

/**
 * Sends messages in V8's serialisation: only the consumer reads them, and it costs less than JSON. A message may be
 * sent twice, if a response was lost or late. The ClickLog recognises the batch ids in it.
 */
async function send(messages: readonly FinishedMessage[], env: Env): Promise<void> {
  const sending = env.CLICKS.sendBatch(messages.map(({ body }) => ({ body, contentType: "v8" })));
  await withTimeout(sending, CLICK_SEND_TIMEOUT_MS);
  bufferedClicks -= clicksOf(messages);
}

/** Retries until the queue has accepted the messages and then sends the rest, or drops them after the deadline. */
async function retry(messages: FinishedMessage[], env: Env, deadline: number, firstError: unknown): Promise<void> {
  let error = firstError;
  retryingUntil = deadline + CLICK_SEND_RETRY_MS + CLICK_SEND_TIMEOUT_MS;
  while (Date.now() < deadline) {
    await scheduler.wait(CLICK_SEND_RETRY_MS);
    try {
      await send(messages, env);
      retryingUntil = 0;
      return await sendAll(env, deadline);
    } catch (again) {
      error = again;
    }
  }
  retryingUntil = 0;
  drop(messages, error);
}

/** Drops these messages, and those that are as old. Newer ones have a flush of their own. */
function drop(messages: FinishedMessage[], error: unknown): void {
  const oldest = Date.now() - CLICK_SEND_DEADLINE_MS;
  const dropped = [...messages, ...finished.filter(({ firstClickAt }) => firstClickAt <= oldest)];
  finished = finished.filter(({ firstClickAt }) => firstClickAt > oldest);
  finishedChars = charsOf(finished);
  const clicks = clicksOf(dropped);
  bufferedClicks -= clicks;
  logLost(clicks, error);
}

/** Logs these clicks, and those that the full buffer refused. */
function logLost(clicks: number, error: unknown): void {
  log("error", "clicks_lost", { clicks: clicks + droppedClicks, ...describeError(error) });
  droppedClicks = 0;
}

function charsOf(messages: readonly FinishedMessage[]): number {
  return messages.reduce((sum, { chars }) => sum + chars, 0);
}

function clicksOf(messages: readonly FinishedMessage[]): number {
  return messages.reduce((sum, { clicks }) => sum + clicks, 0);
}

/** For tests, which share the isolate. */
export function clearClickBuffer(): void {
  builder = new ClickMessageBuilder();
  finished = [];
  finishedChars = 0;
  bufferedClicks = 0;
  flushAt = 0;
  retryingUntil = 0;
  droppedClicks = 0;
}
