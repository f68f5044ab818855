import { describeError, log } from "../../platform/lib/log.ts";
import { accountLogName } from "../click-log-name.ts";
import { MAX_BUFFERED_REQUESTS, REQUEST_FLUSH_AFTER_MS } from "../limits.ts";

/** An API request with a key. `at` is Unix milliseconds; `path` is that of the route with ids in it; `id` is the request's own id. */
export type LoggedRequest = [
  at: number,
  id: string,
  keyId: string,
  method: string,
  path: string,
  status: number,
  durationMs: number,
];

/** API requests of an account. */
export interface RequestBatch {
  requests: LoggedRequest[];
  /** How many more there were. */
  leftOut: number;
}

/** By account. What this isolate has not sent yet. */
let buffer = new Map<number, RequestBatch>();
let buffered = 0;
/** When it is sent, Unix milliseconds. The platform can end a request that waits for that, so a later one takes it over. */
let flushAt = 0;

/**
 * Adds a request to the log of the account. Its ClickLog gets the requests of some seconds in one call. If that fails, they are lost.
 * Returns what the invocation must wait for; null: nothing.
 */
export function logRequest(
  env: Pick<Env, "CLICK_LOG">,
  accountId: number,
  request: LoggedRequest,
): Promise<unknown> | null {
  const batch = buffer.get(accountId) ?? { requests: [], leftOut: 0 };
  buffer.set(accountId, batch);
  if (buffered < MAX_BUFFERED_REQUESTS) {
    batch.requests.push(request);
    buffered++;
  } else batch.leftOut++;
  const now = Date.now();
  if (now <= flushAt + REQUEST_FLUSH_AFTER_MS) return null;
  flushAt = now + REQUEST_FLUSH_AFTER_MS;
  return flushLater(env);
}

async function flushLater(env: Pick<Env, "CLICK_LOG">): Promise<void> {
  await scheduler.wait(REQUEST_FLUSH_AFTER_MS);
  const collected = buffer;
  buffer = new Map();
  buffered = 0;
  flushAt = 0;
  await Promise.all(Array.from(collected, ([accountId, batch]) => send(env, accountId, batch)));
}

async function send(env: Pick<Env, "CLICK_LOG">, accountId: number, batch: RequestBatch): Promise<void> {
  try {
    await env.CLICK_LOG.getByName(accountLogName(accountId)).logRequests(batch);
  } catch (error) {
    log("warn", "logged_requests_lost", { requests: batch.requests.length, ...describeError(error) });
  }
}
