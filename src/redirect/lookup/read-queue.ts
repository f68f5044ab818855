import { RATE_LIMIT_WINDOW_MS, SECOND_MS } from "../../limits.ts";
import { log } from "../../platform/lib/log.ts";
import { TimeoutError } from "../../platform/lib/timeout.ts";
import {
  EMPTY_READS_AT_ONCE,
  EMPTY_READS_PER_SECOND,
  LINK_READ_TIMEOUT_MS,
  MAX_READS_UNDER_WAY,
  MAX_WAITING_LOOKUPS,
  MAX_LOOKUPS_PER_READ,
} from "../limits.ts";
import { readTogether, type Query, type Source } from "./store/links.ts";

// Look-ups of what no cache has. The isolate has few reads of the database under way, and look-ups that wait for one travel
// together in the next (docs/adr/0036-unknown-slugs-are-bounded.md).

/** Too many look-ups wait already. */
export class QueueFullError extends Error {
  override name = "QueueFullError";
}

interface Waiting {
  query: Query;
  /** When its visitor gets an answer without it, Unix milliseconds. The invocation may end then. */
  until: number;
  /** Resolves with the read that this request makes for itself and others, or with null if another has made it. */
  turn: PromiseWithResolvers<Read | null>;
  answer: PromiseWithResolvers<D1Result>;
}

/** A round trip to the database. */
interface Read {
  begunAt: number;
  lookups: Waiting[];
}

class ReadQueue {
  readonly source: Source;
  /** The oldest comes first. */
  waiting: Waiting[] = [];
  readonly underWay = new Set<Read>();
  /** Reads that did not find all that they looked for, less those that a rate of {@link EMPTY_READS_PER_SECOND} allows since. */
  emptyReads = 0;
  countedAt = 0;

  constructor(source: Source) {
    this.source = source;
  }

  /** Forgets what is too old, and lets the requests that have waited longest begin reads. */
  beginNext(now: number): void {
    // The invocation of a read that takes so long may have been ended.
    for (const read of this.underWay)
      if (Math.abs(now - read.begunAt) >= LINK_READ_TIMEOUT_MS) this.underWay.delete(read);
    while (this.waiting[0] !== undefined && this.waiting[0].until <= now)
      refuse(this.waiting.shift() as Waiting, new TimeoutError("the look-up waited too long"));
    while (this.waiting.length > 0 && this.underWay.size < MAX_READS_UNDER_WAY) {
      const read = { begunAt: now, lookups: this.waiting.splice(0, MAX_LOOKUPS_PER_READ) };
      this.underWay.add(read);
      read.lookups[0]?.turn.resolve(read);
    }
  }

  /** Makes a read for all its look-ups. Never throws. */
  async make(db: D1Database, read: Read): Promise<void> {
    const { lookups } = read;
    let isEmpty = true;
    try {
      const queries = lookups.map(({ query }) => query);
      const results = await readTogether(db, this.source, queries);
      for (const [n, { answer }] of lookups.entries()) answer.resolve(results[n] as D1Result);
      isEmpty = results.some((result) => result.results.length === 0);
    } catch (error) {
      for (const lookup of lookups) lookup.answer.reject(error);
    }
    for (const { turn } of lookups) turn.resolve(null);
    const waitMs = isEmpty ? this.countEmptyRead(Date.now()) : 0;
    if (waitMs > 0) await scheduler.wait(waitMs);
    this.underWay.delete(read);
    this.beginNext(Date.now());
  }

  /** Returns how long the next read must wait, so that reads which find nothing keep to their rate. */
  countEmptyRead(now: number): number {
    const allowed = ((now - this.countedAt) * EMPTY_READS_PER_SECOND) / SECOND_MS;
    const counted = Math.max(0, this.emptyReads - allowed) + 1;
    // Reads that wait are under way, so no more can be too many.
    this.emptyReads = Math.min(counted, EMPTY_READS_AT_ONCE + MAX_READS_UNDER_WAY);
    this.countedAt = now;
    return ((this.emptyReads - EMPTY_READS_AT_ONCE) * SECOND_MS) / EMPTY_READS_PER_SECOND;
  }
}

function refuse({ turn, answer }: Waiting, error: Error): void {
  answer.reject(error);
  turn.resolve(null);
}

const makeQueues = () => ({ nearest: new ReadQueue("nearest"), primary: new ReadQueue("primary") });
let queues = makeQueues();
let lastLogAt = Number.NEGATIVE_INFINITY;

/** Reads one row, together with other look-ups if some wait. Throws a {@link QueueFullError} without a read. */
export function readInQueue(
  ctx: ExecutionContext,
  until: number,
  db: D1Database,
  source: Source,
  query: Query,
): Promise<D1Result> {
  const queue = queues[source];
  const now = Date.now();
  queue.beginNext(now);
  if (queue.waiting.length >= MAX_WAITING_LOOKUPS) {
    logFlood(now);
    throw new QueueFullError();
  }
  const own: Waiting = { query, until, turn: Promise.withResolvers(), answer: Promise.withResolvers() };
  queue.waiting.push(own);
  queue.beginNext(now);
  // It goes on if this visitor leaves or waits too long: others may wait for it.
  ctx.waitUntil(own.turn.promise.then((read) => read && queue.make(db, read)));
  return own.answer.promise;
}

/** Logs a flood once a window. */
function logFlood(now: number): void {
  if (now - lastLogAt < RATE_LIMIT_WINDOW_MS) return;
  lastLogAt = now;
  log("warn", "lookups_refused", { waitingLookups: MAX_WAITING_LOOKUPS });
}

/** For tests, which share the isolate. */
export function clear(): void {
  queues = makeQueues();
  lastLogAt = Number.NEGATIVE_INFINITY;
}
