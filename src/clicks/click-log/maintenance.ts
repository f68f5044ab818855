import { DAY_MS } from "../../duration.ts";
import type { Salts } from "./salts.ts";
import { MAINTENANCE_SPREAD_MS, MAX_ROLLUPS_PER_ALARM } from "../limits.ts";

const MAINTENANCE_AT = "maintenanceAt";

/** The daily maintenance of a ClickLog, and when it is due. */
export class Maintenance {
  readonly #ctx: DurableObjectState;
  /** Unix milliseconds; null: there is nothing to maintain. */
  #at: number | null;

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
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

  /** Does what is due. */
  async run(salts: Salts, deletedLinks: Set<string>, now: number): Promise<void> {
    if (this.#at === null || now < this.#at) return;
    const { forgetDeletions, nextRollupAt, rollUpOldDays, summariseYesterday } = await import("./retention.ts");
    const { storage } = this.#ctx;
    summariseYesterday(storage.sql, now);
    const isRolledUp = rollUpOldDays(storage, now) < MAX_ROLLUPS_PER_ALARM;
    const hasSalts = salts.deleteExpired(now);
    const hasDeletedLinks = forgetDeletions(storage.kv, deletedLinks, now);
    const rollupAt = nextRollupAt(storage);
    let next: number | null = null;
    if (!isRolledUp) next = now;
    else if (hasSalts || hasDeletedLinks) next = this.#timeAfter(now);
    else if (rollupAt !== null) next = this.#timeAfter(rollupAt - DAY_MS);
    if (next === null) storage.kv.delete(MAINTENANCE_AT);
    else storage.kv.put(MAINTENANCE_AT, next);
    this.#at = next;
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
