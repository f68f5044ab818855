import { DAY_MS } from "../../limits.ts";
import type { Subscriber } from "../../platform/outbox/subscribers.ts";
import { isBot } from "../profile.ts";
import type { LinkDaySegment } from "./encoding.ts";
import { MAX_CLICK_AGE_DAYS, MAX_PENDING_BATCHES_PER_ALARM } from "../limits.ts";

/** The webhooks that events of clicks go to, and the links as the events show them. */
export interface Recipients {
  webhooks: Subscriber[];
  links: Record<string, LinkOfEvents>;
}

export interface LinkOfEvents {
  tagKeys: string[];
  link: { id: string; slug: string; domain: string; shortUrl: string; url: string };
}

/** The clicks of a batch whose events are not known to be sent. Their events are the same however often they are sent. */
export interface PendingBatch {
  recipients: Recipients;
  /** Clicks of crawlers among them cause no events. */
  clicks: LinkDaySegment[];
  /** Unix milliseconds. */
  storedAt: number;
}

const PENDING_PREFIX = "pending:";

/** The outbox of a ClickLog: pending events are written in the transaction that stores their clicks. */
export class PendingEvents {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  /** Links that are deleted by now cause no events. */
  enqueue(batchId: string, clicks: readonly LinkDaySegment[], { webhooks, links }: Recipients, now: number): void {
    const wanted = clicks.filter(
      ({ link, segment: [, , , clients] }) => links[link] !== undefined && !clients.every(isBot),
    );
    if (wanted.length === 0) return;
    const linkIds = new Set(wanted.map(({ link }) => link));
    this.#kv.put<PendingBatch>(PENDING_PREFIX + batchId, {
      // Without the links of other batches, so that it fits into a value of 2 MB.
      recipients: { webhooks, links: Object.fromEntries(Object.entries(links).filter(([id]) => linkIds.has(id))) },
      clicks: wanted,
      storedAt: now,
    });
  }

  get(batchId: string): PendingBatch | undefined {
    return this.#kv.get<PendingBatch>(PENDING_PREFIX + batchId);
  }

  delete(batchId: string): void {
    this.#kv.delete(PENDING_PREFIX + batchId);
  }

  /** The ids of batches that were stored before `time`, as many as one alarm sends. */
  storedBefore(time: number): string[] {
    const ids: string[] = [];
    for (const [key, { storedAt }] of this.#kv.list<PendingBatch>({ prefix: PENDING_PREFIX })) {
      if (storedAt < time) ids.push(key.slice(PENDING_PREFIX.length));
      if (ids.length === MAX_PENDING_BATCHES_PER_ALARM) break;
    }
    return ids;
  }

  isEmpty(): boolean {
    return [...this.#kv.list({ prefix: PENDING_PREFIX, limit: 1 })].length === 0;
  }

  /** Gives up events that could not be sent for days. */
  deleteExpired(now: number): void {
    for (const [key, { storedAt }] of this.#kv.list<PendingBatch>({ prefix: PENDING_PREFIX })) {
      if (now - storedAt > MAX_CLICK_AGE_DAYS * DAY_MS) this.#kv.delete(key);
    }
  }
}
