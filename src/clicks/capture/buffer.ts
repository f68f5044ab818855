import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import {
  CLICK_FLUSH_AFTER_MS,
  CLICK_FLUSH_OVERDUE_MS,
  CLICK_SEND_PATIENCE_MS,
  CLICK_SEND_RETRY_MS,
  CLICK_SEND_TIMEOUT_MS,
  MAX_CLICKS_WAITING,
  MAX_QUEUE_BATCH_MESSAGES,
  MAX_MESSAGES_CHARS,
} from "../../limits.ts";
import { ClickMessageBuilder, type ClickMessage } from "./message.ts";
import type { CapturedClick } from "./click.ts";

// The visits of this isolate on their way into the queue. Redirects only push, and nobody waits for anybody:
// the visit that finds no flush due starts one and holds it with its own `waitUntil`. That can be cut off with
// its request, so a flush or a retry that is overdue is taken over by a later visit.

/** A message that is ready to be sent. */
interface Full {
  message: ClickMessage;
  visits: number;
  chars: number;
  /** When its first visit was. */
  since: number;
}

let filling = new ClickMessageBuilder();
let full: Full[] = [];
let fullChars = 0;
/** Visits that the queue has not taken yet, those that are just being sent too. */
let unsent = 0;
/** When the flush that was started sends; 0: none was. */
let flushAt = 0;
/** While the queue is down one flush tries again, until then at the latest, and all other visits wait. */
let retryingUntil = 0;
/** Visits given up since the last log line that said so. */
let lost = 0;

/** Takes in a visit. Never throws, and never makes its caller wait. */
export function bufferClick(visit: CapturedClick, env: Env, ctx: ExecutionContext): void {
  const [now] = visit;
  if (unsent >= MAX_CLICKS_WAITING) {
    lost++;
  } else {
    unsent++;
    filling.add(visit);
    if (filling.isFull) {
      const { chars } = seal();
      // Where one more of that size would be too much for one call, they do not wait for the flush.
      if (fullChars + chars > MAX_MESSAGES_CHARS && !isRetrying())
        ctx.waitUntil(send(env, now + CLICK_SEND_PATIENCE_MS));
    }
  }
  if (flushAt === 0 || now > flushAt + CLICK_FLUSH_OVERDUE_MS) {
    flushAt = now + CLICK_FLUSH_AFTER_MS;
    ctx.waitUntil(flush(env, now));
  }
}

function seal(): Full {
  const { visits, chars, since } = filling;
  const sealed = { message: filling.toMessage(), visits, chars, since };
  full.push(sealed);
  fullChars += chars;
  filling = new ClickMessageBuilder();
  return sealed;
}

async function flush(env: Env, now: number): Promise<void> {
  const deadline = now + CLICK_SEND_PATIENCE_MS;
  await scheduler.wait(CLICK_FLUSH_AFTER_MS);
  flushAt = 0;
  if (filling.visits > 0) seal();
  while (isRetrying() && Date.now() < deadline) await scheduler.wait(CLICK_SEND_RETRY_MS);
  await send(env, deadline);
}

function isRetrying(): boolean {
  return Date.now() < retryingUntil;
}

async function send(env: Env, deadline: number): Promise<void> {
  for (let lot = takeLot(); lot.length > 0; lot = takeLot()) {
    try {
      await put(lot, env);
    } catch (error) {
      if (!isRetrying()) return sendAgain(lot, env, deadline, error);
      full.unshift(...lot);
      fullChars += charsOf(lot);
      return;
    }
  }
}

/** As many messages as one call may carry. */
function takeLot(): Full[] {
  let count = 0;
  let chars = 0;
  for (const message of full) {
    chars += message.chars;
    if (count > 0 && (chars > MAX_MESSAGES_CHARS || count === MAX_QUEUE_BATCH_MESSAGES)) break;
    count++;
  }
  const lot = full.splice(0, count);
  fullChars -= charsOf(lot);
  return lot;
}

function charsOf(lot: readonly Full[]): number {
  return lot.reduce((sum, { chars }) => sum + chars, 0);
}

/**
 * As the runtime's own serialisation: nobody but the consumer reads it, and it is quicker than JSON. What is sent again,
 * because its answer was lost or late or only some of it was taken, is told by the ids in it.
 */
async function put(lot: readonly Full[], env: Env): Promise<void> {
  const sending = env.CLICKS.sendBatch(lot.map(({ message }) => ({ body: message, contentType: "v8" })));
  await withTimeout(sending, CLICK_SEND_TIMEOUT_MS);
  unsent -= visitsOf(lot);
}

function visitsOf(lot: readonly Full[]): number {
  return lot.reduce((sum, { visits }) => sum + visits, 0);
}

/** Tries some messages until they are taken, and then sends the rest, or until the time for it is over. */
async function sendAgain(lot: Full[], env: Env, deadline: number, firstError: unknown): Promise<void> {
  let error = firstError;
  retryingUntil = deadline + CLICK_SEND_RETRY_MS + CLICK_SEND_TIMEOUT_MS;
  while (Date.now() < deadline) {
    await scheduler.wait(CLICK_SEND_RETRY_MS);
    try {
      await put(lot, env);
      retryingUntil = 0;
      return await send(env, deadline);
    } catch (again) {
      error = again;
    }
  }
  retryingUntil = 0;
  giveUp(lot, error);
}

/** Drops what has been tried for as long as the platform allows; what came later has a flush that goes on. */
function giveUp(lot: Full[], error: unknown): void {
  const oldest = Date.now() - CLICK_SEND_PATIENCE_MS;
  const dropped = [...lot, ...full.filter(({ since }) => since <= oldest)];
  full = full.filter(({ since }) => since > oldest);
  fullChars = charsOf(full);
  const clicks = visitsOf(dropped);
  unsent -= clicks;
  log("error", "clicks_lost", { clicks: clicks + lost, ...describeError(error) });
  lost = 0;
}

/** For tests, which share the isolate. */
export function clearClickBuffer(): void {
  filling = new ClickMessageBuilder();
  full = [];
  fullChars = 0;
  unsent = 0;
  flushAt = 0;
  retryingUntil = 0;
  lost = 0;
}
