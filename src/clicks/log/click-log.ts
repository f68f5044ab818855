import { DurableObject } from "cloudflare:workers";
import { describeError, log } from "../../lib/log.ts";
import { LOG_ALARM_RETRY_MS, LOG_ALARM_SPREAD_MS, MAX_CLICK_AGE_DAYS, MAX_FOLDS_PER_RUN } from "../../limits.ts";
import type { ClickBatch } from "../batch.ts";
import { timeOfId } from "../click-id.ts";
import { dropSummaries, tally } from "./answers.ts";
import { Counters, type Counter } from "./counters.ts";
import { Intake } from "./intake.ts";
import { listRecords, type RecordQuestion, type StoredRecord } from "./records.ts";
import { createTables, oldestDay } from "./rows.ts";
import { Salts } from "./salts.ts";
import { DAY_MS, type Question, type Tallied } from "./tally.ts";
import { UnsentEvents, type Unsent } from "./unsent.ts";
import { foldOldDays, nextFoldAt, summariseYesterday } from "./upkeep.ts";

const GONE = "gone:";

/** The clicks of an account. Takes each in once, answers questions about them, and forgets single ones in time. */
export class ClickLog extends DurableObject<Env> {
  readonly #storage: DurableObjectStorage;
  readonly #unsent: UnsentEvents;
  #memory: ReturnType<typeof freshMemory>;
  /** Links that were deleted lately: their last clicks may still be on the way. */
  readonly #gone: Set<string>;
  #hasAlarm = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#storage = ctx.storage;
    createTables(ctx.storage.sql);
    this.#unsent = new UnsentEvents(ctx.storage.kv);
    this.#memory = freshMemory(ctx.storage);
    this.#gone = new Set([...ctx.storage.kv.list({ prefix: GONE })].map(([key]) => key.slice(GONE.length)));
  }

  /**
   * Stores the clicks that are not stored yet: all of them, or, if it throws, none. Where somebody is to
   * hear of them, `audience` says who; returned are the messages whose events are still to be sent.
   */
  async ingest(batches: ClickBatch[], audience: string | null): Promise<Unsent[]> {
    const now = Date.now();
    try {
      this.#storage.transactionSync(() => this.#take(batches, audience, now));
    } catch (error) {
      this.#memory = freshMemory(this.#storage);
      throw error;
    }
    await this.#ensureAlarm(now);
    return this.#unsent.of(batches.map(({ id }) => id));
  }

  #take(batches: ClickBatch[], audience: string | null, now: number): void {
    const { additions, taken } = this.#memory.intake.take(batches, this.#gone, now);
    this.#memory.counters.add(additions);
    if (audience !== null) this.#unsent.owe(taken, audience, now);
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
    await this.#ensureAlarm(now);
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    // First of all: whatever happens below, there is a next time.
    await this.#storage.setAlarm(now + LOG_ALARM_RETRY_MS);
    try {
      this.#unsent.forget(now);
      summariseYesterday(this.#storage.sql, now);
      const isDone = foldOldDays(this.#storage, now) < MAX_FOLDS_PER_RUN;
      await this.#setAlarm(isDone ? this.#nextAlarm(now) : now);
    } catch (error) {
      log("error", "click_log_upkeep_failed", describeError(error));
    }
  }

  #nextAlarm(now: number): number | null {
    const today = Math.floor(now / DAY_MS);
    const hasSalts = this.#memory.salts.forget(today);
    const hasGone = this.#forgetGone(now);
    if (hasSalts || hasGone) return this.#tomorrow(today);
    const foldAt = nextFoldAt(this.#storage);
    return foldAt === null ? null : this.#tomorrow(Math.floor(foldAt / DAY_MS) - 1);
  }

  #forgetGone(now: number): boolean {
    for (const [key, since] of this.#storage.kv.list<number>({ prefix: GONE })) {
      if (now - since <= MAX_CLICK_AGE_DAYS * DAY_MS) continue;
      this.#storage.kv.delete(key);
      this.#gone.delete(key.slice(GONE.length));
    }
    return this.#gone.size > 0;
  }

  /** The moment after the next midnight that is this object's own. */
  #tomorrow(today: number): number {
    const spread = Number.parseInt(this.ctx.id.toString().slice(0, 8), 16) / 2 ** 32;
    return (today + 1) * DAY_MS + Math.floor(spread * LOG_ALARM_SPREAD_MS);
  }

  async #ensureAlarm(now: number): Promise<void> {
    if (this.#hasAlarm) return;
    if ((await this.#storage.getAlarm()) === null) await this.#setAlarm(this.#tomorrow(Math.floor(now / DAY_MS)));
    this.#hasAlarm = true;
  }

  async #setAlarm(at: number | null): Promise<void> {
    this.#hasAlarm = at !== null;
    if (at === null) await this.#storage.deleteAlarm();
    else await this.#storage.setAlarm(at);
  }
}

/** What the object knows without reading it, to be made anew after a failed transaction. */
function freshMemory({ sql, kv }: DurableObjectStorage) {
  const salts = new Salts(kv);
  return { salts, intake: new Intake(sql, salts), counters: new Counters({ sql, kv }) };
}
