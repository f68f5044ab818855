import { DurableObject } from "cloudflare:workers";
import { describeError, log } from "../../lib/log.ts";
import {
  LOG_ALARM_RETRY_MS,
  LOG_ALARM_SPREAD_MS,
  MAX_CLICK_AGE_DAYS,
  MAX_FOLDS_PER_RUN,
  UNSENT_PATIENCE_MS,
} from "../../limits.ts";
import { toEventBatch, type EnrichedBatch } from "../types.ts";
import { timeOfId } from "../click-id.ts";
import type { ClickBatch } from "../capture/message.ts";
import { dropSummaries, tally } from "./queries.ts";
import { Counters, type Counter } from "./counters.ts";
import { Intake } from "./writer.ts";
import { listRecords, type RecordQuestion, type StoredRecord } from "./records.ts";
import { createTables, oldestDay } from "./rows.ts";
import { Salts } from "./salts.ts";
import { DAY_MS, type Question, type Tallied } from "./aggregate.ts";
import { UnsentEvents, type Unsent } from "./pending-events.ts";
import { foldOldDays, nextFoldAt, summariseYesterday } from "./retention.ts";

const GONE = "gone:";
const NIGHT = "upkeepAt";

/** The clicks of an account. Takes each in once, answers questions about them, and forgets single ones in time. */
export class ClickLog extends DurableObject<Env> {
  readonly #storage: DurableObjectStorage;
  readonly #unsent: UnsentEvents;
  #memory: ReturnType<typeof freshMemory>;
  /** Links that were deleted lately: their last clicks may still be on the way. */
  readonly #gone: Set<string>;
  /** When the upkeep is due; null: there is nothing to keep up. */
  #nightAt: number | null;
  #alarmAt: number | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#storage = ctx.storage;
    createTables(ctx.storage.sql);
    this.#unsent = new UnsentEvents(ctx.storage.kv);
    this.#memory = freshMemory(ctx.storage);
    this.#nightAt = ctx.storage.kv.get<number>(NIGHT) ?? null;
    this.#gone = new Set([...ctx.storage.kv.list({ prefix: GONE })].map(([key]) => key.slice(GONE.length)));
  }

  /**
   * Stores the clicks that are not stored yet: all of them, or, if it throws, none. Where somebody is to
   * hear of them, `audiences` says who, by the batch; returned are the batches whose events are still to be sent.
   */
  async ingest(batches: ClickBatch[], audiences: Record<string, string> | null): Promise<Unsent[]> {
    const now = Date.now();
    // Every isolate has this class, also one that only redirects; what reads user agents is evaluated where clicks are.
    const { enrichClicks } = await import("../ingest/enrich.ts");
    try {
      this.#storage.transactionSync(() => this.#take(batches, enrichClicks, audiences, now));
    } catch (error) {
      this.#memory = freshMemory(this.#storage);
      throw error;
    }
    const unsent = this.#unsent.of(batches.map(({ id }) => id));
    await this.#wakeBy(unsent.length === 0 ? this.#planNight(now) : now + UNSENT_PATIENCE_MS);
    return unsent;
  }

  #take(
    batches: ClickBatch[],
    describe: (batch: ClickBatch) => EnrichedBatch,
    audiences: Record<string, string> | null,
    now: number,
  ): void {
    // One after the other: together they may be large.
    const { additions, taken } = this.#memory.intake.take(batches.values().map(describe), this.#gone, now);
    this.#memory.counters.add(additions);
    for (const batch of batches) {
      const audience = audiences?.[batch.id];
      if (audience !== undefined && taken.has(batch.id)) this.#unsent.owe(toEventBatch(describe(batch)), audience, now);
    }
    const today = Math.floor(now / DAY_MS);
    for (const { day, link } of additions) if (day < today) dropSummaries(this.#storage.sql, link, day);
  }

  /** The events of these messages have been sent. */
  confirmSent(batchIds: string[]): void {
    this.#unsent.confirm(batchIds);
  }

  /** Of the oldest day that has clicks, Unix milliseconds; null: there are none. */
  beganAt(): number | null {
    const day = oldestDay(this.#storage.sql);
    return day === null ? null : day * DAY_MS;
  }

  /** `link`: null for all. */
  tally(link: string | null, question: Question): Tallied {
    return tally(this.#storage.sql, link, question, Date.now());
  }

  records(question: RecordQuestion): StoredRecord[] {
    return listRecords(this.#storage.sql, question, Date.now());
  }

  /** Counters that the database may not show yet, to be confirmed when it does; none when all are. */
  changedCounters(): Counter[] {
    return this.#memory.counters.changes(Date.now());
  }

  confirmCounters(counters: Counter[]): void {
    this.#memory.counters.confirm(counters, Date.now());
  }

  /** Deletes all clicks of a link, also those that are still on the way. */
  async forgetLink(link: string): Promise<void> {
    const { sql, kv } = this.#storage;
    const now = Date.now();
    this.#storage.transactionSync(() => {
      for (let day = Math.floor(timeOfId(link) / DAY_MS) - 1; day <= Math.floor(now / DAY_MS) + 1; day++) {
        const { rowsWritten } = sql.exec("DELETE FROM clicks WHERE day = ? AND link = ?", day, link);
        if (rowsWritten > 0) dropSummaries(sql, link, day);
      }
      kv.put(GONE + link, now);
    });
    this.#gone.add(link);
    this.#memory.intake.forget();
    this.#memory.counters.forget(link);
    await this.#wakeBy(this.#planNight(now));
  }

  async forgetLinks(links: readonly string[]): Promise<void> {
    for (const link of links) await this.forgetLink(link);
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    // First of all: whatever happens below, there is a next time.
    await this.#setAlarm(now + LOG_ALARM_RETRY_MS);
    try {
      await this.#sendUnsent(now);
      if (this.#nightAt !== null && now >= this.#nightAt) this.#nightAt = this.#upkeep(now);
      await this.#setAlarm(this.#unsent.isEmpty() ? this.#nightAt : now + UNSENT_PATIENCE_MS);
    } catch (error) {
      log("error", "click_log_upkeep_failed", describeError(error));
    }
  }

  /** Events whose message does not come again: it was lost, or was given up. */
  async #sendUnsent(now: number): Promise<void> {
    this.#unsent.forget(now);
    const unsent = this.#unsent.before(now - UNSENT_PATIENCE_MS / 2);
    if (unsent.length === 0) return;
    const { sendClickEvents } = await import("../ingest/events.ts");
    for (const { batchId, batch, audience } of unsent) {
      await sendClickEvents(this.env, batch, audience);
      this.#unsent.confirm([batchId]);
    }
  }

  /** What is done once a day; returns when it is to be done again. */
  #upkeep(now: number): number | null {
    const { sql, kv } = this.#storage;
    summariseYesterday(sql, now);
    const today = Math.floor(now / DAY_MS);
    const isFolded = foldOldDays(this.#storage, now) < MAX_FOLDS_PER_RUN;
    const hasSalts = this.#memory.salts.forget(today);
    const hasGone = this.#forgetGone(now);
    const foldAt = nextFoldAt(this.#storage);
    const next = hasSalts || hasGone ? today : foldAt === null ? null : Math.floor(foldAt / DAY_MS) - 1;
    const nightAt = isFolded ? (next === null ? null : this.#nightAfter(next)) : now;
    if (nightAt === null) kv.delete(NIGHT);
    else kv.put(NIGHT, nightAt);
    return nightAt;
  }

  #forgetGone(now: number): boolean {
    for (const [key, since] of this.#storage.kv.list<number>({ prefix: GONE })) {
      if (now - since <= MAX_CLICK_AGE_DAYS * DAY_MS) continue;
      this.#storage.kv.delete(key);
      this.#gone.delete(key.slice(GONE.length));
    }
    return this.#gone.size > 0;
  }

  /** When the upkeep is due; from now on there is something to keep up. */
  #planNight(now: number): number {
    if (this.#nightAt !== null && this.#nightAt <= this.#nightAfter(Math.floor(now / DAY_MS))) return this.#nightAt;
    this.#nightAt = this.#nightAfter(Math.floor(now / DAY_MS));
    this.#storage.kv.put(NIGHT, this.#nightAt);
    return this.#nightAt;
  }

  /** The moment after the day's end that is this object's own. */
  #nightAfter(day: number): number {
    const spread = Number.parseInt(this.ctx.id.toString().slice(0, 8), 16) / 2 ** 32;
    return (day + 1) * DAY_MS + Math.floor(spread * LOG_ALARM_SPREAD_MS);
  }

  /** Sees to it that the alarm goes off by then. */
  async #wakeBy(time: number): Promise<void> {
    this.#alarmAt ??= await this.#storage.getAlarm();
    if (this.#alarmAt === null || this.#alarmAt > time) await this.#setAlarm(time);
  }

  async #setAlarm(at: number | null): Promise<void> {
    this.#alarmAt = at;
    if (at === null) await this.#storage.deleteAlarm();
    else await this.#storage.setAlarm(at);
  }
}

/** What the object knows without reading it, to be made anew after a failed transaction. */
function freshMemory({ sql, kv }: DurableObjectStorage) {
  const salts = new Salts(kv);
  return { salts, intake: new Intake(sql, salts), counters: new Counters({ sql, kv }) };
}
