import { DAY_MS } from "../../duration.ts";
import type { Subscriber } from "../../outbox/subscribers.ts";
import { clickId } from "../click-id.ts";
import type { StoredClick } from "../click-record.ts";
import { isBot, joinProfile } from "../profile.ts";
import type { EnrichedClick } from "./enrich.ts";
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
  clicks: StoredClick[];
  /** Unix milliseconds. */
  storedAt: number;
}

/** A {@link PendingBatch} in storage, where each target is written once: with all its texts for each click, it would not fit. */
interface StoredBatch extends Omit<PendingBatch, "clicks"> {
  targets: string[];
  clicks: (Omit<StoredClick, "profile"> & { origin: string; target: number; client: string })[];
}

const PENDING_PREFIX = "pending:";

/** The outbox of a ClickLog: pending events are written in the transaction that stores their clicks. */
export class PendingEvents {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  /** Crawlers cause no events, and neither do links that are deleted by now. */
  enqueue(batchId: string, clicks: readonly EnrichedClick[], { webhooks, links }: Recipients, now: number): void {
    const wanted = clicks.filter(({ linkId, client }) => links[linkId] !== undefined && !isBot(client));
    if (wanted.length === 0) return;
    const linkIds = new Set(wanted.map(({ linkId }) => linkId));
    const targets = [...new Set(wanted.map(({ target }) => target))];
    this.#kv.put<StoredBatch>(PENDING_PREFIX + batchId, {
      // Without the links of other batches, so that it fits into a value of 2 MB.
      recipients: { webhooks, links: Object.fromEntries(Object.entries(links).filter(([id]) => linkIds.has(id))) },
      targets,
      clicks: wanted.map(({ at, linkId, index, origin, target, client }) => ({
        id: clickId(at, batchId, index),
        linkId,
        clickedAt: at,
        origin,
        target: targets.indexOf(target),
        client,
      })),
      storedAt: now,
    });
  }

  get(batchId: string): PendingBatch | undefined {
    const stored = this.#kv.get<StoredBatch>(PENDING_PREFIX + batchId);
    if (stored === undefined) return undefined;
    const { targets, ...batch } = stored;
    const clicks = batch.clicks.map(({ origin, target, client, ...click }) => ({
      ...click,
      profile: joinProfile(origin, targets[target] ?? "", client),
    }));
    return { ...batch, clicks };
  }

  delete(batchId: string): void {
    this.#kv.delete(PENDING_PREFIX + batchId);
  }

  /** The ids of batches that were stored before `time`, as many as one alarm sends. */
  storedBefore(time: number): string[] {
    const ids: string[] = [];
    for (const [key, { storedAt }] of this.#kv.list<StoredBatch>({ prefix: PENDING_PREFIX })) {
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
    for (const [key, { storedAt }] of this.#kv.list<StoredBatch>({ prefix: PENDING_PREFIX })) {
      if (now - storedAt > MAX_CLICK_AGE_DAYS * DAY_MS) this.#kv.delete(key);
    }
  }
}
