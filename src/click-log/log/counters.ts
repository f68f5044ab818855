import { CLICK_COUNTERS_PER_FLUSH, DAY_MS } from "../../limits.ts";
import { timeOfId } from "../click-id.ts";
import type { NewSegments } from "./rows.ts";
import { MAX_CLICK_AGE_DAYS, MAX_CLOCK_SKEW_MS, MAX_TOTALS_IN_LOG } from "../limits.ts";

/** All clicks of a link so far, without crawlers. */
export interface Counter {
  linkId: string;
  clicks: number;
  /** Unix milliseconds; 0: never. */
  lastClickedAt: number;
}

const CONFIRMED_AT = "countersConfirmedAt";

/** The click counters that the database may not have yet. */
export class Counters {
  readonly #storage: Pick<DurableObjectStorage, "sql" | "kv">;
  /** Links whose counters are not confirmed. Null until the first query, which reads them from the changed rows. */
  #dirtyLinks: Set<string> | null = null;
  readonly #totals = new Map<string, Counter>();

  constructor(storage: Pick<DurableObjectStorage, "sql" | "kv">) {
    this.#storage = storage;
  }

  add(segments: readonly NewSegments[]): void {
    for (const { link, clicks, lastClickAt } of segments) {
      this.#dirtyLinks?.add(link);
      const total = this.#totals.get(link);
      if (total === undefined) continue;
      const lastClickedAt = Math.max(total.lastClickedAt, lastClickAt);
      this.#totals.set(link, { linkId: link, clicks: total.clicks + clicks, lastClickedAt });
    }
  }

  /** Counters that are not confirmed, as many as one statement takes; none if all are confirmed. */
  dirty(now: number): Counter[] {
    this.#dirtyLinks ??= this.#readDirtyLinks();
    const links = [...this.#dirtyLinks].slice(0, CLICK_COUNTERS_PER_FLUSH);
    return links.map((link) => this.totalOf(link, now));
  }

  /** The database has these counters now. */
  confirm(counters: readonly Counter[], now: number): void {
    if (this.#dirtyLinks === null) return;
    for (const { linkId, clicks } of counters) {
      // A counter that has changed since then stays dirty.
      if (this.#totals.get(linkId)?.clicks === clicks) this.#dirtyLinks.delete(linkId);
    }
    if (this.#dirtyLinks.size === 0) this.#storage.kv.put(CONFIRMED_AT, now);
    if (this.#totals.size > MAX_TOTALS_IN_LOG) this.#totals.clear();
  }

  /** The database may have lost any counter. */
  forgetConfirmations(): void {
    this.#dirtyLinks = null;
    this.#storage.kv.delete(CONFIRMED_AT);
  }

  /** Clicks of the link were stored in another way than by {@link add}, from `firstDay` on. */
  recount(link: string, firstDay: number, now: number): void {
    this.#dirtyLinks?.add(link);
    this.#totals.delete(link);
    // After a restart, {@link #readDirtyLinks} would look only at the days in which clicks arrive.
    if (firstDay <= Math.floor(now / DAY_MS) - MAX_CLICK_AGE_DAYS) this.forgetConfirmations();
  }

  delete(link: string): void {
    this.#dirtyLinks?.delete(link);
    this.#totals.delete(link);
  }

  #readDirtyLinks(): Set<string> {
    // The rows may have been written by a host whose clock was ahead.
    const confirmedAt = (this.#storage.kv.get<number>(CONFIRMED_AT) ?? 0) - MAX_CLOCK_SKEW_MS;
    const oldestDay = Math.floor(confirmedAt / DAY_MS) - MAX_CLICK_AGE_DAYS;
    const rows = this.#storage.sql.exec<{ link: string }>(
      "SELECT DISTINCT link FROM clicks WHERE day >= ? AND changed_at >= ?",
      oldestDay,
      confirmedAt,
    );
    return new Set([...rows].map(({ link }) => link));
  }

  totalOf(link: string, now: number): Counter {
    const known = this.#totals.get(link);
    if (known !== undefined) return known;
    const firstDay = Math.floor(timeOfId(link) / DAY_MS) - 1;
    const { clicks, last } = this.#storage.sql
      .exec<{ clicks: number | null; last: number | null }>(
        `WITH RECURSIVE days (day) AS (SELECT ? UNION ALL SELECT day + 1 FROM days WHERE day <= ?)
         SELECT sum(clicks) AS clicks, max(last_click_at) AS last
         FROM days CROSS JOIN clicks ON clicks.day = days.day AND clicks.link = ?`,
        firstDay,
        Math.floor(now / DAY_MS),
        link,
      )
      .one();
    const total = { linkId: link, clicks: clicks ?? 0, lastClickedAt: last ?? 0 };
    this.#totals.set(link, total);
    return total;
  }
}
