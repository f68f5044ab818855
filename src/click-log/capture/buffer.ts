import type { SendCounts } from "./send.ts";
import type { CapturedClick } from "./click.ts";
import { ClickMessageBuilder, type FinishedMessage } from "./message.ts";
import {
  CLICK_FLUSH_AFTER_MS,
  CLICK_FLUSH_OVERDUE_MS,
  CLICK_SEND_DEADLINE_MS,
  MAX_BUFFERED_CLICKS,
  MAX_MESSAGES_CHARS,
} from "../limits.ts";

// The clicks of this isolate until a ClickLog or the queue has them. A redirect only adds its click and never waits. The
// first click after a flush starts the next one and holds it with its own `waitUntil`. The platform can cut that off
// together with the request, so a later click takes over a flush that is overdue.

let builder = new ClickMessageBuilder();
/** Messages that no flush has taken yet. */
let finished: FinishedMessage[] = [];
let finishedChars = 0;
/** When the current flush sends, Unix milliseconds; 0: there is none. */
let flushAt = 0;
let counts: SendCounts = { buffered: 0, refused: 0 };

/** Never throws, and never makes its caller wait. */
export function bufferClick(click: CapturedClick, env: Env, ctx: ExecutionContext): void {
  const [now] = click;
  if (counts.buffered >= MAX_BUFFERED_CLICKS) {
    counts.refused++;
  } else {
    counts.buffered++;
    builder.add(click);
    if (builder.isFull) {
      const { chars } = finishMessage();
      // One more message of this size would not fit into one call, so these do not wait for the flush.
      if (finishedChars + chars > MAX_MESSAGES_CHARS) ctx.waitUntil(send(env, now, false));
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
  await scheduler.wait(CLICK_FLUSH_AFTER_MS);
  flushAt = 0;
  if (builder.clicks > 0) finishMessage();
  await send(env, now, true);
}

/** `isFlush`: it also sends what others left for the queue, once that is up again. */
async function send(env: Env, now: number, isFlush: boolean): Promise<void> {
  const { sendMessages } = await import("./send.ts");
  const messages = finished;
  finished = [];
  finishedChars = 0;
  await sendMessages(env, messages, { counts, deadline: now + CLICK_SEND_DEADLINE_MS, isFlush });
}

/** For tests, which share the isolate. */
export function clearClickBuffer(): void {
  builder = new ClickMessageBuilder();
  finished = [];
  finishedChars = 0;
  flushAt = 0;
  counts = { buffered: 0, refused: 0 };
}
