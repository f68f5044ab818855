import {
  CLICK_COUNTERS_PER_FLUSH,
  MAX_CLICK_AGE_DAYS,
  MAX_CLOCK_DIFFERENCE_MS,
  MAX_TOTALS_IN_LOG,
} from "../../limits.ts";
import { timeOfId } from "../click-id.ts";
import type { Addition } from "./rows.ts";
import { DAY_MS } from "./aggregate.ts";

/** All clicks of a link so far, without crawlers. */
export interface Counter {
  linkId: string;
  clicks: number;
  /** Unix milliseconds; 0: never. */
  lastClickedAt: number;
}

const CONFIRMED_AT = "countersConfirmedAt";

/** Which links have clicks that the database's counters may not show yet, and how many they have in all. */
export class Counters {
  readonly #storage: Pick<DurableObjectStorage, "sql" | "kv">;
  /** Null until somebody asks: it is then read from the rows that changed since the last time. */
  #changed: Set<string> | null = null;
  readonly #totals = new Map<string, Counter>();

  constructor(storage: Pick<DurableObjectStorage, "sql" | "kv">) {
    this.#storage = storage;
  }

  /** Takes note of rows that were written. */
  add(additions: readonly Addition[]): void {
    for (const { link, clicks, lastClickAt } of additions) {
      this.#changed?.add(link);
      const total = this.#totals.get(link);
      if (total === undefined) continue;
      const lastClickedAt = Math.max(total.lastClickedAt, lastClickAt);
      this.#totals.set(link, { linkId: link, clicks: total.clicks + clicks, lastClickedAt });
    }
  }

  /** Counters of links that have changed, as many as one statement takes; none when all are confirmed. */
  changes(now: number): Counter[] {
    this.#changed ??= this.#readChanged();
    const links = [...this.#changed].slice(0, CLICK_COUNTERS_PER_FLUSH);
    return links.map((link) => this.#totalOf(link, now));
  }

  /** These stand in the database now. */
  confirm(counters: readonly Counter[], now: number): void {
    if (this.#changed === null) return;
    for (const { linkId, clicks } of counters) {
      // Others have come meanwhile.
      if (this.#totals.get(linkId)?.clicks === clicks) this.#changed.delete(linkId);
    }
    // What is taken in within this millisecond is seen once more.
    if (this.#changed.size === 0) this.#storage.kv.put(CONFIRMED_AT, now);
    if (this.#totals.size > MAX_TOTALS_IN_LOG) this.#totals.clear();
  }

  forget(link: string): void {
    this.#changed?.delete(link);
    this.#totals.delete(link);
  }

  #readChanged(): Set<string> {
    // The clock of the machine that wrote it may have been a little ahead of this one's.
    const confirmedAt = (this.#storage.kv.get<number>(CONFIRMED_AT) ?? 0) - MAX_CLOCK_DIFFERENCE_MS;
    const oldestDay = Math.floor(confirmedAt / DAY_MS) - MAX_CLICK_AGE_DAYS;
    const rows = this.#storage.sql.exec<{ link: string }>(
      "SELECT DISTINCT link FROM clicks WHERE day >= ? AND changed_at >= ?",
      oldestDay,
      confirmedAt,
    );
    return new Set([...rows].map(({ link }) => link));
  }

  #totalOf(link: string, now: number): Counter {
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
