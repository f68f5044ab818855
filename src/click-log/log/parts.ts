import { describeError, log } from "../../platform/lib/log.ts";
import { ALARM_RETRY_MS, PENDING_EVENTS_RETRY_MS, VALVE_MARGIN } from "../limits.ts";
import { AccountRetention } from "./account-retention.ts";
import { AlarmTime } from "./alarm-time.ts";
import { AnonymousLinks } from "./anonymous-links.ts";
import { Counters } from "./counters.ts";
import { GroupCommit } from "./group-commit.ts";
import { Maintenance } from "./maintenance.ts";
import { addOrphanVisits } from "./orphan-visits.ts";
import { PendingEvents } from "./pending-events.ts";
import { addRequests } from "./request-log.ts";
import { DELETED_PREFIX, deleteClicks } from "./rows.ts";
import { Salts } from "./salts.ts";
import { storeCalls } from "./store-calls.ts";
import { Subscriptions } from "./subscriptions.ts";
import type { Valve } from "./valve.ts";
import { ClickWriter } from "./writer.ts";

/** What a ClickLog needs to write. */
export class Parts {
  readonly #storage: DurableObjectStorage;
  readonly #env: Env;
  // Loaded with the parts.
  readonly GroupCommit = GroupCommit;
  readonly addOrphanVisits = addOrphanVisits;
  readonly addRequests = addRequests;
  readonly storeCalls = storeCalls;
  readonly alarm: AlarmTime;
  readonly anonymous: AnonymousLinks;
  readonly maintenance: Maintenance;
  readonly pending: PendingEvents;
  readonly retention: AccountRetention;
  readonly subscriptions: Subscriptions;
  /** What the object remembers of its storage. */
  memory: ReturnType<typeof createMemory>;
  /** While it rolls up clicks. */
  #valve: Valve | null = null;
  /** When room is made again, Unix milliseconds; 0: once the storage exceeds its bound. */
  #valveAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    const { storage } = ctx;
    this.#storage = storage;
    this.#env = env;
    this.alarm = new AlarmTime(storage);
    this.anonymous = new AnonymousLinks(storage.kv);
    this.retention = new AccountRetention(storage.kv, env);
    this.maintenance = new Maintenance(ctx, () => this.retention.days);
    this.pending = new PendingEvents(storage.kv);
    this.subscriptions = new Subscriptions(storage.kv, this.retention);
    this.memory = createMemory(storage);
  }

  /** Call this after a failed transaction. */
  renewMemory(): void {
    this.memory = createMemory(this.#storage);
  }

  /** Returns when the alarm has something to do besides events. */
  workAt(maxBytes: number, now: number): number {
    const dueAt = Math.min(this.maintenance.plan(now), this.retention.checkAt);
    if (!this.#exceeds(maxBytes)) return dueAt;
    return Math.min(dueAt, Math.max(now, this.#valveAt));
  }

  /** Does what is due, and sets the next alarm. The account is not purged. */
  async runAlarm(env: Env, deletedLinks: Set<string>, maxBytes: number): Promise<void> {
    const { alarm, pending, retention } = this;
    const now = Date.now();
    // First, so that there is a next alarm whatever fails below.
    await alarm.set(now + ALARM_RETRY_MS);
    try {
      pending.deleteExpired(now);
      // Half of the time: not the events that a running call may still send.
      const { sendPendingEvents } = await import("./events.ts");
      await sendPendingEvents(env.CLICK_EVENTS, pending, pending.storedBefore(now - PENDING_EVENTS_RETRY_MS / 2));
      if (now >= retention.checkAt) this.takeRetention(await retention.find(env.DB, now), now);
      await this.maintenance.run(this.memory.salts, this.anonymous, deletedLinks, now);
      const workAt = await this.#makeRoom(maxBytes, now);
      // Meanwhile the account may have been purged, which has set the alarm that removes its mark.
      if (this.subscriptions.isAccountGone) return;
      await alarm.set(pending.isEmpty() ? workAt : now + PENDING_EVENTS_RETRY_MS);
    } catch (error) {
      log("error", "click_log_alarm_failed", describeError(error));
    }
  }

  /**
   * If the storage exceeds its bound, rolls up clicks early; those of anonymous links are deleted, the oldest ones first. Returns when
   * the alarm has something to do besides events; null: never.
   */
  async #makeRoom(maxBytes: number, now: number): Promise<number | null> {
    // Once it has begun, it goes on until the margin is free.
    const enough = maxBytes * (1 - VALVE_MARGIN);
    let next: number | null = null;
    if (this.#exceeds(this.#valveAt === 0 ? maxBytes : enough))
      next = this.anonymous.isAnonymous ? await this.#deleteOldest(now) : await this.#rollUp(enough, now);
    this.#valveAt = next ?? 0;
    const dueAt = Math.min(this.maintenance.at ?? Infinity, next ?? Infinity, this.retention.checkAt);
    return dueAt === Infinity ? null : dueAt;
  }

  async #rollUp(enough: number, now: number): Promise<number | null> {
    const { Valve } = await import("./valve.ts");
    this.#valve ??= new Valve(this.#storage, () => this.memory.writer, this.#env, now);
    const next = await this.#valve.run(enough, now);
    if (next !== now) this.#valve = null;
    return next;
  }

  async #deleteOldest(now: number): Promise<number> {
    const { deleteOldestRows } = await import("./old-anonymous-clicks.ts");
    const next = deleteOldestRows(this.#storage.sql, now);
    this.renewMemory();
    return next;
  }

  /** What {@link AccountRetention.find} has found. If it is another retention, the maintenance is due. */
  takeRetention(found: Awaited<ReturnType<AccountRetention["find"]>>, now: number): void {
    if (this.retention.take(found)) this.maintenance.hasten(now);
  }

  /** Deletes all clicks of a link, and remembers that it is deleted. */
  deleteLink(link: string, now: number): void {
    deleteClicks(this.#storage.sql, link, now);
    this.#storage.kv.put(DELETED_PREFIX + link, now);
    this.memory.writer.clear();
    this.memory.counters.delete(link);
  }

  /** The storage was deleted, because the account is purged. */
  markGone(): void {
    this.maintenance.forget();
    this.retention.forget();
    this.subscriptions.markGone();
  }

  /** Rows of a backup were stored: the valve may have passed their days. */
  restartValve(): void {
    this.#valve = null;
  }

  #exceeds(maxBytes: number): boolean {
    return this.#storage.sql.databaseSize > maxBytes;
  }
}

function createMemory({ sql, kv }: DurableObjectStorage) {
  return { salts: new Salts(kv), writer: new ClickWriter(sql), counters: new Counters({ sql, kv }) };
}
