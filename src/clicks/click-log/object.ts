import { DAY_MS } from "../../duration.ts";
import { describeError, log } from "../../lib/log.ts";
import type { Subscriber } from "../../outbox/subscribers.ts";
import type { ClickBatch } from "../capture/message.ts";
import { Counters, type Counter } from "./counters.ts";
import type { LinkDaySegment } from "./encoding.ts";
import type { LiveClicks } from "./live.ts";
import type { View } from "./live-viewer.ts";
import type { PendingEvents, Recipients } from "./pending-events.ts";
import type { BackedUpRow } from "./backup.ts";
import type { Parts } from "./parts.ts";
import type { ReadBatch } from "./read-batch.ts";
import { ClickLogReader } from "./reader.ts";
import { createTables, DELETED_PREFIX, deleteClicks, deleteSummaries } from "./rows.ts";
import { Salts } from "./salts.ts";
import { ClickWriter } from "./writer.ts";
import { ALARM_RETRY_MS, MAX_BATCHES_WITH_RECIPIENTS, MAX_CLICK_AGE_DAYS, PENDING_EVENTS_RETRY_MS } from "../limits.ts";

/** The clicks of an account or of an anonymous link: stores each once, sends its events, answers queries, and deletes single clicks in time. */
export abstract class ClickLogObject extends ClickLogReader {
  readonly #storage: DurableObjectStorage;
  #parts: Parts | null = null;
  #memory: ReturnType<typeof createMemory>;
  /** Links that were deleted lately. Clicks on them may still arrive. */
  readonly #deletedLinks: Set<string>;
  #live: LiveClicks | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#storage = ctx.storage;
    createTables(ctx.storage.sql);
    this.#memory = createMemory(ctx.storage);
    const deleted = [...ctx.storage.kv.list({ prefix: DELETED_PREFIX })];
    this.#deletedLinks = new Set(deleted.map(([key]) => key.slice(DELETED_PREFIX.length)));
  }

  /** The links as the events of these clicks show them. In a higher layer, because it knows links. */
  protected abstract readRecipients(webhooks: Subscriber[], batches: readonly ClickBatch[]): Promise<Recipients>;

  /**
   * Stores the clicks that are not stored yet, and then sends their events to the webhooks that subscribe to clicks. It also
   * sends the events that an earlier call for these batches could not send. If that fails, it throws, and the alarm sends the
   * events in case the batches are not delivered again. Clicks of an account that is gone are dropped.
   */
  async ingest(batches: ClickBatch[]): Promise<void> {
    const [first] = batches;
    if (first === undefined) return;
    const { subscriptions } = await this.#load();
    const webhooks = await subscriptions.find(this.env.DB, first.accountId, Date.now());
    // The account is purged, or soon will be, and its ClickLog must stay empty.
    if (webhooks === null) return;
    if (webhooks.length === 0) return this.#storeAndSend(batches, null);
    for (let start = 0; start < batches.length; start += MAX_BATCHES_WITH_RECIPIENTS) {
      const some = batches.slice(start, start + MAX_BATCHES_WITH_RECIPIENTS);
      await this.#storeAndSend(some, await this.readRecipients(webhooks, some));
    }
  }

  /** Call this before a webhook is stored that may subscribe to clicks, so that it has the events of all clicks afterwards. */
  async expectSubscription(): Promise<void> {
    (await this.#load()).subscriptions.expectChange(Date.now());
  }

  async #load(): Promise<Parts> {
    // Every isolate evaluates this class, also one that only redirects. Only calls that write need these modules.
    const { createParts } = await import("./parts.ts");
    return (this.#parts ??= createParts(this.ctx));
  }

  /** Stores all of these clicks or none, and then sends their events. `recipients` is null if no webhook subscribes to clicks. */
  async #storeAndSend(batches: readonly ClickBatch[], recipients: Recipients | null): Promise<void> {
    const now = Date.now();
    const { readBatch } = await import("./read-batch.ts");
    const { alarm, maintenance, pending, subscriptions } = await this.#load();
    await alarm.read();
    if (subscriptions.isAccountGone) return;
    let stored: LinkDaySegment[];
    try {
      stored = this.#storage.transactionSync(() => this.#store(batches, readBatch, pending, recipients, now));
    } catch (error) {
      this.#memory = createMemory(this.#storage);
      throw error;
    }
    // Not awaited: the caller does not wait for those who watch.
    if (this.ctx.getWebSockets().length > 0)
      this.ctx.waitUntil(this.#loadLive().then((live) => live.publish(stored, this.#deletedLinks, now)));
    const maintenanceAt = maintenance.plan(now);
    const hasPending = !pending.isEmpty();
    await alarm.schedule(hasPending ? Math.min(maintenanceAt, now + PENDING_EVENTS_RETRY_MS) : maintenanceAt);
    if (hasPending)
      await this.#sendEvents(
        pending,
        batches.map(({ id }) => id),
      );
  }

  /** Returns what was not stored before. */
  #store(
    batches: readonly ClickBatch[],
    readBatch: ReadBatch,
    pending: PendingEvents,
    recipients: Recipients | null,
    now: number,
  ): LinkDaySegment[] {
    const { salts, writer, counters } = this.#memory;
    const stored: LinkDaySegment[] = [];
    for (const batch of batches) {
      const segments = readBatch(batch, (at) => salts.get(at, now));
      const added = segments.filter((segment) => writer.add(segment, this.#deletedLinks, now));
      stored.push(...added);
      if (recipients !== null) pending.enqueue(batch.id, added, recipients, now);
    }
    const segments = writer.write(now);
    counters.add(segments);
    const today = Math.floor(now / DAY_MS);
    for (const { day, link } of segments) if (day < today) deleteSummaries(this.#storage.sql, link, day);
    return stored;
  }

  /** Stores what the WebSocket with this id will show. {@link fetch} opens it. */
  async announceView(id: string, view: View): Promise<void> {
    (await this.#loadLive()).announce(id, view);
  }

  /** Opens the WebSocket whose id is the path of the URL. WebSockets do not travel over RPC. */
  override async fetch(request: Request): Promise<Response> {
    return (await this.#loadLive()).accept(new URL(request.url).pathname.slice(1), Date.now());
  }

  /** Clients may only send pings, which the runtime answers without this object. */
  override webSocketMessage(socket: WebSocket): void {
    socket.close(1008, "Only ping may be sent.");
  }

  /** The client has closed it, or is gone. */
  override async webSocketClose(socket: WebSocket): Promise<void> {
    socket.close();
    (await this.#loadLive()).forget(socket.deserializeAttachment() as string);
  }

  async #loadLive(): Promise<LiveClicks> {
    const { LiveClicks } = await import("./live.ts");
    return (this.#live ??= new LiveClicks(this.ctx, this.env.DB));
  }

  /** Sends the pending events of these batches. */
  async #sendEvents(pending: PendingEvents, batchIds: readonly string[]): Promise<void> {
    const { sendClickEvents } = await import("./events.ts");
    for (const id of batchIds) {
      const batch = pending.get(id);
      if (batch === undefined) continue;
      await sendClickEvents(this.env.CLICK_EVENTS, batch);
      pending.delete(id);
    }
  }

  /** Returns the counters that D1 may lack. Call `confirmCounters` once D1 has them. */
  changedCounters(): Counter[] {
    return this.#memory.counters.dirty(Date.now());
  }

  counterOf(link: string): Counter {
    return this.#memory.counters.totalOf(link, Date.now());
  }

  confirmCounters(counters: Counter[]): void {
    this.#memory.counters.confirm(counters, Date.now());
  }

  /** For `npm run restore`. Also without rows, the database gets all counters again. */
  async importClicks(rows: BackedUpRow[]): Promise<void> {
    const { importRows } = await import("./backup.ts");
    const now = Date.now();
    const { alarm, maintenance, subscriptions } = await this.#load();
    await alarm.read();
    this.#storage.transactionSync(() => importRows(this.#storage.sql, rows, now));
    this.#memory = createMemory(this.#storage);
    this.#memory.counters.forgetConfirmations();
    subscriptions.forget();
    await alarm.schedule(maintenance.plan(now));
  }

  /** Stores the clicks of a link that the account has claimed, as its own ClickLog returns them. It may be called again. */
  async adoptClicks(rows: BackedUpRow[]): Promise<void> {
    const { adoptRows } = await import("./adopt.ts");
    const now = Date.now();
    const { alarm, maintenance } = await this.#load();
    await alarm.read();
    const changed = this.#storage.transactionSync(() => adoptRows(this.#storage.sql, rows, this.#deletedLinks, now));
    this.#memory.writer.clear();
    for (const link of changed) this.#memory.counters.recount(link);
    await alarm.schedule(maintenance.plan(now));
  }

  /** Deletes all clicks of links, also those that arrive later. */
  async forgetLinks(links: readonly string[]): Promise<void> {
    for (const link of links) await this.#forgetLink(link);
  }

  async #forgetLink(link: string): Promise<void> {
    const { sql, kv } = this.#storage;
    const now = Date.now();
    const { alarm, maintenance } = await this.#load();
    await alarm.read();
    this.#storage.transactionSync(() => {
      deleteClicks(sql, link, now);
      kv.put(DELETED_PREFIX + link, now);
    });
    this.#deletedLinks.add(link);
    this.#memory.writer.clear();
    this.#memory.counters.delete(link);
    await alarm.schedule(maintenance.plan(now));
  }

  /**
   * Deletes everything, for an account that is gone. A mark stays for as long as clicks may arrive, and keeps them from being
   * stored.
   */
  async destroy(): Promise<void> {
    if (this.ctx.getWebSockets().length > 0) (await this.#loadLive()).closeAll();
    const { alarm, maintenance, subscriptions } = await this.#load();
    await alarm.set(null);
    await this.#storage.deleteAll();
    maintenance.forget();
    subscriptions.markGone();
    await alarm.set(Date.now() + (MAX_CLICK_AGE_DAYS + 1) * DAY_MS);
  }

  override async alarm(): Promise<void> {
    const { alarm, maintenance, pending, subscriptions } = await this.#load();
    if (subscriptions.isAccountGone) return this.#storage.deleteAll();
    const now = Date.now();
    // First, so that there is a next alarm whatever fails below.
    await alarm.set(now + ALARM_RETRY_MS);
    try {
      pending.deleteExpired(now);
      // Half of the time: not the events that a running call may still send.
      await this.#sendEvents(pending, pending.storedBefore(now - PENDING_EVENTS_RETRY_MS / 2));
      await maintenance.run(this.#memory.salts, this.#deletedLinks, now);
      await alarm.set(pending.isEmpty() ? maintenance.at : now + PENDING_EVENTS_RETRY_MS);
    } catch (error) {
      log("error", "click_log_alarm_failed", describeError(error));
    }
  }
}

/** What the object remembers of its storage. It is created anew after a failed transaction. */
function createMemory({ sql, kv }: DurableObjectStorage) {
  return { salts: new Salts(kv), writer: new ClickWriter(sql), counters: new Counters({ sql, kv }) };
}
