import { DAY_MS } from "../../limits.ts";
import { openStorage } from "../../platform/lib/object-storage.ts";
import type { Subscriber } from "../../platform/outbox/subscribers.ts";
import type { ClickBatch } from "../capture/message.ts";
import type { OrphanVisits } from "../capture/orphan-visits.ts";
import type { RequestBatch } from "../capture/requests.ts";
import type { RowOfLink } from "./adopt.ts";
import type { Counter } from "./counters.ts";
import type { LinkDaySegment } from "./encoding.ts";
import type { PendingEvents, Recipients } from "./pending-events.ts";
import type { BackedUpRow } from "./backup.ts";
import type { Parts } from "./parts.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { Incoming } from "./read-batch.ts";
import { ClickLogReader } from "./reader.ts";
import { DELETED_PREFIX, CLICK_LOG_STEPS } from "./rows.ts";
import type { Call, Stored } from "./store-calls.ts";
import {
  MAX_BATCHES_WITH_RECIPIENTS,
  MAX_CLICK_AGE_DAYS,
  MAX_CLICK_LOG_BYTES,
  PENDING_EVENTS_RETRY_MS,
} from "../limits.ts";

/** Reads the links as the events of these clicks show them. It is in a higher layer, because it knows links. */
type ReadRecipients = (env: Env, webhooks: Subscriber[], batches: readonly ClickBatch[]) => Promise<Recipients>;

interface Committed extends Pick<Stored, "moved"> {
  hasPending: boolean;
  scheduled: Promise<void> | null;
}

/** The clicks of an account or of anonymous links: stores each once, sends its events, answers queries, and deletes single clicks in time. */
export class ClickLogObject extends ClickLogReader {
  readonly #storage: DurableObjectStorage;
  readonly #readRecipients: ReadRecipients;
  #parts: Parts | null = null;
  /** Links that were deleted lately. Clicks on them may still arrive. */
  readonly #deletedLinks: Set<string>;
  /** Above this size, clicks of an account are rolled up early, and the oldest ones of anonymous links are deleted. Tests have a smaller one. */
  protected maxBytes: number = MAX_CLICK_LOG_BYTES;
  #commits: GroupCommit<Call, Committed> | null = null;

  constructor(ctx: DurableObjectState, env: Env, readRecipients: ReadRecipients) {
    super(ctx, env);
    this.#readRecipients = readRecipients;
    this.#storage = ctx.storage;
    openStorage(ctx.storage, CLICK_LOG_STEPS);
    const deleted = [...ctx.storage.kv.list({ prefix: DELETED_PREFIX })];
    this.#deletedLinks = new Set(deleted.map(([key]) => key.slice(DELETED_PREFIX.length)));
  }

  /**
   * Stores the clicks that are not stored yet, and then sends their events to the webhooks that subscribe to clicks. It also
   * sends the events that an earlier call for these batches could not send. If that fails, it throws, and the alarm sends the
   * events in case the batches are not delivered again. Clicks of a deleted account are dropped.
   */
  async ingest(batches: ClickBatch[]): Promise<void> {
    const [first] = batches;
    if (first === undefined) return;
    const { anonymous, subscriptions } = await this.#load();
    const { toIncoming } = await import("./read-batch.ts");
    if (first.accountId === null) {
      anonymous.markAnonymous();
      return this.#storeAndSend(batches.map(toIncoming), null);
    }
    const webhooks = await subscriptions.find(this.env, first.accountId, Date.now());
    // The account is purged, or soon will be, and its ClickLog must stay empty.
    if (webhooks === null) return;
    if (webhooks.length === 0) return this.#storeAndSend(batches.map(toIncoming), null);
    for (let start = 0; start < batches.length; start += MAX_BATCHES_WITH_RECIPIENTS) {
      const some = batches.slice(start, start + MAX_BATCHES_WITH_RECIPIENTS);
      await this.#storeAndSend(some.map(toIncoming), await this.#readRecipients(this.env, webhooks, some));
    }
  }

  /**
   * Stores clicks on links of the account that a ClickLog of anonymous links got. They have no events: the isolates that captured them
   * knew of no account.
   */
  async storeForwarded(segments: LinkDaySegment[]): Promise<void> {
    await this.#storeAndSend([{ batchId: "", read: () => segments }], null);
  }

  /** Counts visits of paths that custom domains of the account do not have. */
  async countOrphanVisits(visits: OrphanVisits[]): Promise<void> {
    const { addOrphanVisits, subscriptions } = await this.#load();
    if (!subscriptions.isAccountGone) await this.#change((_, now) => addOrphanVisits(this.#storage.kv, visits, now));
  }

  /** Stores API requests of the account's keys. */
  async logRequests(requests: RequestBatch): Promise<void> {
    const { addRequests, subscriptions } = await this.#load();
    if (!subscriptions.isAccountGone) await this.#change((_, now) => addRequests(this.#storage.kv, requests, now));
  }

  /** Call this before a webhook is stored or changed that may subscribe to clicks, so that all clicks afterwards have the right events. */
  async expectSubscriptionChange(): Promise<void> {
    (await this.#load()).subscriptions.expectChange(Date.now());
  }

  /** Call this before another retention of the account's single clicks is stored, and then {@link readRetention}. */
  async expectRetentionChange(accountId: number): Promise<void> {
    const { subscriptions } = await this.#load();
    if (!subscriptions.isAccountGone)
      await this.#change(({ retention }, now) => retention.expectChange(accountId, now));
  }

  /** Rolls up clicks soon if the account keeps single clicks for another time now. */
  async readRetention(): Promise<void> {
    const { retention } = await this.#load();
    const found = await retention.find(this.env.DB, Date.now());
    await this.#change((parts, now) => parts.takeRetention(found, now));
  }

  async #load(): Promise<Parts> {
    // Every isolate evaluates this class, also one that only redirects. Only calls that write need these modules.
    const { Parts } = await import("./parts.ts");
    return (this.#parts ??= new Parts(this.ctx, this.env));
  }

  /** Stores all of these clicks or none, and then sends their events. `recipients` is null if no webhook subscribes to clicks. */
  async #storeAndSend(incoming: readonly Incoming[], recipients: Recipients | null): Promise<void> {
    const parts = await this.#load();
    const { alarm, anonymous, pending } = parts;
    await alarm.read();
    this.#commits ??= new parts.GroupCommit(this.#storage, (calls) => this.#commit(calls, parts));
    const { moved, hasPending, scheduled } = await this.#commits.add({ incoming, recipients });
    await scheduled;
    if (moved.length > 0) await anonymous.forward(this.env.CLICK_LOG, moved);
    if (hasPending)
      await this.#sendEvents(
        pending,
        incoming.map(({ batchId }) => batchId),
      );
  }

  /** Stores the clicks of these calls, all or none. */
  #commit(calls: readonly Call[], parts: Parts): Committed[] {
    const { alarm, pending, subscriptions } = parts;
    const now = Date.now();
    if (subscriptions.isAccountGone) return calls.map(() => ({ moved: [], hasPending: false, scheduled: null }));
    let results: Stored[];
    try {
      results = this.#storage.transactionSync(() =>
        parts.storeCalls(this.#storage.sql, calls, parts, this.#deletedLinks, now),
      );
    } catch (error) {
      parts.renewMemory();
      throw error;
    }
    const stored = results.flatMap((result) => result.stored);
    // Not awaited: the caller does not wait for those who watch.
    if (this.ctx.getWebSockets().length > 0)
      this.ctx.waitUntil(this.loadLive().then((live) => live.publish(stored, this.#deletedLinks, now)));
    const workAt = parts.workAt(this.maxBytes, now);
    const hasPending = !pending.isEmpty();
    const scheduled = alarm.schedule(hasPending ? Math.min(workAt, now + PENDING_EVENTS_RETRY_MS) : workAt);
    return results.map(({ moved }) => ({ moved, hasPending, scheduled }));
  }

  /** Sends the pending events of these batches. */
  async #sendEvents(pending: PendingEvents, batchIds: readonly string[]): Promise<void> {
    const { sendPendingEvents } = await import("./events.ts");
    await sendPendingEvents(this.env.CLICK_EVENTS, pending, batchIds);
  }

  /** Returns the counters that D1 may lack. Call `confirmCounters` once D1 has them. */
  async changedCounters(): Promise<Counter[]> {
    return (await this.#load()).memory.counters.dirty(Date.now());
  }

  /** The counters of these links, as far as their clicks are here. */
  async countersOf(links: readonly string[]): Promise<Counter[]> {
    const { counters } = (await this.#load()).memory;
    return links.map((link) => counters.totalOf(link, Date.now()));
  }

  async confirmCounters(counters: Counter[]): Promise<void> {
    (await this.#load()).memory.counters.confirm(counters, Date.now());
  }

  /** Runs a change in a transaction, and sets the alarm for what it makes due. */
  async #change<T>(run: (parts: Parts, now: number) => T): Promise<T> {
    const now = Date.now();
    const parts = await this.#load();
    await parts.alarm.read();
    const result = this.#storage.transactionSync(() => run(parts, now));
    await parts.alarm.schedule(parts.workAt(this.maxBytes, now));
    return result;
  }

  /** For `npm run restore`. Also without rows, the database gets all counters again. `accountId`: then it reads the retention of that account. */
  async importClicks(rows: BackedUpRow[], accountId: number | null = null): Promise<void> {
    const { importRows } = await import("./backup.ts");
    await this.#change((parts, now) => importRows(this.#storage, parts, rows, accountId, now));
  }

  /**
   * Stores the clicks of a link that the account has claimed, as the ClickLog of anonymous links returns them. The same rows may be
   * adopted again.
   */
  async adoptClicks(link: string, rows: BackedUpRow[]): Promise<void> {
    const { adoptRows } = await import("./adopt.ts");
    const now = Date.now();
    const parts = await this.#load();
    await parts.alarm.read();
    if (parts.subscriptions.isAccountGone || this.#deletedLinks.has(link)) return;
    this.#storage.transactionSync(() => adoptRows(this.#storage, parts, link, rows, now));
    await parts.alarm.schedule(parts.workAt(this.maxBytes, now));
  }

  /** The account with this ClickLog has claimed an anonymous link: clicks on it that still arrive are forwarded. */
  async handOver(link: string, accountLog: string): Promise<void> {
    await this.#change(({ anonymous }, now) => anonymous.handOver(link, accountLog, now));
  }

  /** Deletes rows of a link that another ClickLog has now. */
  async dropRows(link: string, rows: RowOfLink[]): Promise<void> {
    const { dropLinkRows } = await import("./adopt.ts");
    const { memory } = await this.#load();
    this.#storage.transactionSync(() => dropLinkRows(this.#storage.sql, memory, link, rows));
  }

  /** Deletes all clicks of links, also those that arrive later. */
  async forgetLinks(links: readonly string[]): Promise<void> {
    for (const link of links)
      await this.#change((parts, now) => {
        parts.deleteLink(link, now);
        this.#deletedLinks.add(link);
      });
  }

  /**
   * Deletes everything of a deleted account. A mark stays for as long as clicks may arrive, and keeps them from being
   * stored.
   */
  async destroy(): Promise<void> {
    if (this.ctx.getWebSockets().length > 0) (await this.loadLive()).closeAll();
    const parts = await this.#load();
    await parts.alarm.set(null);
    await this.#storage.deleteAll();
    parts.markGone();
    await parts.alarm.set(Date.now() + (MAX_CLICK_AGE_DAYS + 1) * DAY_MS);
  }

  override async alarm(): Promise<void> {
    const parts = await this.#load();
    if (parts.subscriptions.isAccountGone) return this.#storage.deleteAll();
    await parts.runAlarm(this.env, this.#deletedLinks, this.maxBytes);
  }
}
