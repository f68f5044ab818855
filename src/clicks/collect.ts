import { describeError, log } from "../lib/log.ts";
import {
  CLICK_FLUSH_AFTER_MS,
  CLICK_FLUSH_OVERDUE_MS,
  CLICK_SEND_PATIENCE_MS,
  CLICK_SEND_RETRY_MS,
  MAX_CLICKS_PER_MESSAGE,
  MAX_CLICKS_WAITING,
  MAX_MESSAGE_CHARS,
} from "../limits.ts";
import { pack, type Visit, type VisitBatch } from "./visit.ts";

// The visits of this isolate on their way into the queue. Redirects only push, and nobody waits for anybody:
// the visit that finds no flush due starts one and holds it with its own `waitUntil`. That can be cut off with
// its request, so a flush or a retry that is overdue is taken over by a later visit.

let filling: Visit[] = [];
let fillingChars = 0;
let full: VisitBatch[] = [];
/** Visits that the queue has not taken yet, those that are just being sent too. */
let unsent = 0;
/** When the flush that was started sends; 0: none was. */
let flushAt = 0;
/** While the queue is down one flush tries again, until then at the latest, and all other visits wait. */
let retryingUntil = 0;
/** Visits given up since the last log line that said so. */
let lost = 0;

/** Takes in a visit. Never throws, and never makes its caller wait. */
export function collect(visit: Visit, env: Env, ctx: ExecutionContext): void {
  const [now] = visit;
  if (unsent >= MAX_CLICKS_WAITING) {
    lost++;
  } else {
    unsent++;
    filling.push(visit);
    fillingChars += sizeOf(visit);
    if (filling.length === MAX_CLICKS_PER_MESSAGE || fillingChars >= MAX_MESSAGE_CHARS) {
      seal();
      if (!isRetrying()) ctx.waitUntil(send(env, now + CLICK_SEND_PATIENCE_MS));
      return;
    }
  }
  if (flushAt === 0 || now > flushAt + CLICK_FLUSH_OVERDUE_MS) {
    flushAt = now + CLICK_FLUSH_AFTER_MS;
    ctx.waitUntil(flush(env, now));
  }
}

/** Of the visit's part in a message: its texts, and what is about the same in each. */
function sizeOf([, , , ip, userAgent, referrer, , region, city]: Visit): number {
  return 100 + ip.length + userAgent.length + referrer.length + region.length + city.length;
}

function seal(): void {
  full.push({ id: crypto.randomUUID(), visits: filling });
  filling = [];
  fillingChars = 0;
}

async function flush(env: Env, now: number): Promise<void> {
  const deadline = now + CLICK_SEND_PATIENCE_MS;
  await scheduler.wait(CLICK_FLUSH_AFTER_MS);
  flushAt = 0;
  if (filling.length > 0) seal();
  while (isRetrying() && Date.now() < deadline) await scheduler.wait(CLICK_SEND_RETRY_MS);
  await send(env, deadline);
}

function isRetrying(): boolean {
  return Date.now() < retryingUntil;
}

async function send(env: Env, deadline: number): Promise<void> {
  for (let batch = full.shift(); batch !== undefined; batch = full.shift()) {
    try {
      await put(batch, env);
      unsent -= batch.visits.length;
    } catch (error) {
      if (!isRetrying()) return sendAgain(batch, env, deadline, error);
      full.unshift(batch);
      return;
    }
  }
}

/** As the runtime's own serialisation: nobody but the consumer reads it, and it is quicker than JSON. */
function put(batch: VisitBatch, env: Env): Promise<unknown> {
  return env.CLICKS.send(pack(batch), { contentType: "v8" });
}

/** Tries one batch until it is taken, and then sends the rest, or until the time for it is over. */
async function sendAgain(batch: VisitBatch, env: Env, deadline: number, firstError: unknown): Promise<void> {
  let error = firstError;
  retryingUntil = deadline + CLICK_FLUSH_OVERDUE_MS;
  while (Date.now() < deadline) {
    await scheduler.wait(CLICK_SEND_RETRY_MS);
    try {
      await put(batch, env);
      unsent -= batch.visits.length;
      retryingUntil = 0;
      return await send(env, deadline);
    } catch (again) {
      error = again;
    }
  }
  retryingUntil = 0;
  giveUp(batch, error);
}

/** Drops what has been tried for as long as the platform allows; what came later has a flush that goes on. */
function giveUp(batch: VisitBatch, error: unknown): void {
  const oldest = Date.now() - CLICK_SEND_PATIENCE_MS;
  const dropped = [batch, ...full.filter(({ visits: [first] }) => first !== undefined && first[0] <= oldest)];
  full = full.filter((each) => !dropped.includes(each));
  const clicks = dropped.reduce((sum, { visits }) => sum + visits.length, 0);
  unsent -= clicks;
  log("error", "clicks_lost", { clicks: clicks + lost, ...describeError(error) });
  lost = 0;
}

/** For tests, which share the isolate. */
export function clearCollected(): void {
  filling = [];
  fillingChars = 0;
  full = [];
  unsent = 0;
  flushAt = 0;
  retryingUntil = 0;
  lost = 0;
}
