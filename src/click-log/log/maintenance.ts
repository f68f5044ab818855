import { DAY_MS } from "../../limits.ts";
import type { AnonymousLinks } from "./anonymous-links.ts";
import { deleteOldOrphanVisits } from "./orphan-visits.ts";
import { deleteOldRequests } from "./request-log.ts";
import type { Salts } from "./salts.ts";
import { MAINTENANCE_SPREAD_MS } from "../limits.ts";

const MAINTENANCE_AT = "maintenanceAt";

interface OldDays {
  /** Whether no more days are due. */
  isDone: boolean;
  /** When the next day is due, Unix milliseconds; null: there is none. */
  nextDayAt: number | null;
}

/** The daily maintenance of a ClickLog, and when it is due. */
export class Maintenance {
  readonly #ctx: DurableObjectState;
  readonly #retentionDays: () => number;
  /** Unix milliseconds; null: there is nothing to maintain. */
  #at: number | null;

  constructor(ctx: DurableObjectState, retentionDays: () => number) {
    this.#ctx = ctx;
    this.#retentionDays = retentionDays;
    this.#at = ctx.storage.kv.get<number>(MAINTENANCE_AT) ?? null;
  }

  get at(): number | null {
    return this.#at;
  }

  /** Returns when it is due, tomorrow at the latest. */
  plan(now: number): number {
    const latest = this.#timeAfter(now);
    if (this.#at !== null && this.#at <= latest) return this.#at;
    this.#at = latest;
    this.#ctx.storage.kv.put(MAINTENANCE_AT, latest);
    return latest;
  }

  /** It is due now. */
  hasten(now: number): void {
    this.#at = now;
    this.#ctx.storage.kv.put(MAINTENANCE_AT, now);
  }

  /** Does what is due. */
  async run(salts: Salts, anonymous: AnonymousLinks, deletedLinks: Set<string>, now: number): Promise<void> {
    if (this.#at === null || now < this.#at) return;
    const { forgetDeletions } = await import("./old-days.ts");
    const { storage } = this.#ctx;
    const { isDone, nextDayAt } = anonymous.isAnonymous
      ? await this.#deleteOldDays(now)
      : await this.#summariseAndRollUp(now);
    const dueAt = [nextDayAt, deleteOldOrphanVisits(storage.kv, now), deleteOldRequests(storage.kv, now)];
    const nextAt = Math.min(...dueAt.map((at) => at ?? Infinity));
    const hasSalts = salts.deleteExpired(now);
    const hasMarks = [forgetDeletions(storage.kv, deletedLinks, now), anonymous.forgetOldMoves(now)].some(Boolean);
    let next: number | null = null;
    if (!isDone) next = now;
    else if (hasSalts || hasMarks) next = this.#timeAfter(now);
    else if (nextAt < Infinity) next = this.#timeAfter(nextAt - DAY_MS);
    if (next === null) storage.kv.delete(MAINTENANCE_AT);
    else storage.kv.put(MAINTENANCE_AT, next);
    this.#at = next;
  }

  async #summariseAndRollUp(now: number): Promise<OldDays> {
    const { nextRollupAt, rollUpOldDays, summariseYesterday } = await import("./old-days.ts");
    const { settleOldDays } = await import("./settlement.ts");
    const { storage } = this.#ctx;
    summariseYesterday(storage.sql, now);
    const isDone = await rollUpOldDays(storage, this.#retentionDays(), now);
    const isSettled = await settleOldDays(storage, now);
    // The retention may have changed meanwhile.
    return { isDone, nextDayAt: isSettled ? nextRollupAt(storage, this.#retentionDays()) : this.#timeAfter(now) };
  }

  async #deleteOldDays(now: number): Promise<OldDays> {
    const { deleteOldDays, nextDeletionAt } = await import("./old-anonymous-clicks.ts");
    const { sql } = this.#ctx.storage;
    const isDone = deleteOldDays(sql, now);
    return { isDone, nextDayAt: nextDeletionAt(sql) };
  }

  /** The storage was deleted. */
  forget(): void {
    this.#at = null;
  }

  /** The time after the UTC day of `time` at which this object has its maintenance. */
  #timeAfter(time: number): number {
    const spread = Number.parseInt(this.#ctx.id.toString().slice(0, 8), 16) / 2 ** 32;
    return (Math.floor(time / DAY_MS) + 1) * DAY_MS + Math.floor(spread * MAINTENANCE_SPREAD_MS);
  }
}
