import { DAY_MS } from "../../duration.ts";
import { log } from "../../lib/log.ts";
import type { RetentionVariables } from "../retention-days.ts";
import type { Counters } from "./counters.ts";
import { moveDetailFrom, readDetailFrom } from "./detail.ts";
import { noteMovedTotals } from "./moved-totals.ts";
import { addToLinkTotals, createdOn, Rollup, type LinkDay, type RollupLevel, type RollupResult } from "./rollup.ts";
import { deleteSummaries, LEVEL } from "./rows.ts";
import { keepsBatches, keepsVisitors, markUnsettled } from "./settlement.ts";
import { putCursor, readCursor } from "./valve-cursors.ts";
import type { ClickWriter } from "./writer.ts";
import {
  DETAIL_RATIO,
  MAX_CLICK_AGE_DAYS,
  MAX_LINK_DAYS_PER_STEP,
  MAX_ROLLUP_STEP_CHARS,
  MAX_ROLLUPS_PER_ALARM,
  MAX_ROWS_PER_SEARCH,
  VALVE_MARGIN,
  VALVE_REST_MS,
} from "../limits.ts";

/** What the valve does, each with the name of the level that it rolls up to. */
const PHASES = ["quarterHours", "days", "dayTotals", "linkTotals"] as const;
type Phase = (typeof PHASES)[number];

/** What the object remembers of its rows, which the valve changes. */
interface ValveMemory {
  writer: ClickWriter;
  counters: Counters;
}

/** Days of links with rows below the level of a phase, the oldest day first. */
interface Found {
  linkDays: LinkDay[];
  /** The last one that was looked at. */
  end: LinkDay;
  /** There are no others. */
  isLast: boolean;
}

const LAST_DAY = Number.MAX_SAFE_INTEGER;

/**
 * Rolls up clicks early while the storage exceeds its bound, so that a click is never refused because the object is full. The
 * oldest days come first. Each detail is kept {@link DETAIL_RATIO} times as long as the next finer one.
 */
export class Valve {
  readonly #storage: DurableObjectStorage;
  readonly #memory: () => ValveMemory;
  readonly #env: RetentionVariables;
  /** It is open from the moment at which the bound is exceeded until there is room for many clicks. */
  #isOpen = false;
  /** The size of the storage at that moment. */
  #bytesBefore = 0;
  /** What each phase rolls up next, while the valve is open. None is there before it was looked for. */
  readonly #found = new Map<Phase, Found>();

  constructor(storage: DurableObjectStorage, memory: () => ValveMemory, env: RetentionVariables) {
    this.#storage = storage;
    this.#memory = memory;
    this.#env = env;
  }

  /**
   * Makes room in steps, between which calls run that store clicks. Returns when it is due again, Unix milliseconds; null:
   * when the bound is exceeded again.
   */
  async run(maxBytes: number, now: number): Promise<number | null> {
    const { sql } = this.#storage;
    if (!this.#isOpen) {
      if (sql.databaseSize <= maxBytes) return null;
      this.#isOpen = true;
      this.#bytesBefore = sql.databaseSize;
    }
    const rollup = new Rollup(sql);
    const hasRoom = () => sql.databaseSize <= maxBytes * (1 - VALVE_MARGIN);
    for (let step = 0; step < MAX_ROLLUPS_PER_ALARM; step++) {
      // `databaseSize` is that of the pages in use.
      if (hasRoom()) return this.#close(null, now);
      if (!this.#step(rollup, hasRoom, now)) return this.#close(now + VALVE_REST_MS, now);
      await scheduler.wait(0);
    }
    return now;
  }

  /** Searches from its cursors again, which have changed. */
  restart(): void {
    this.#found.clear();
  }

  #close(next: number | null, now: number): number | null {
    this.#isOpen = false;
    this.#found.clear();
    const bytes = this.#storage.sql.databaseSize;
    const { clicks, quarterHours, values, days } = readDetailFrom(this.#storage, this.#env, now);
    const from = { clicksFrom: clicks, quarterHoursFrom: quarterHours, valuesFrom: values, daysFrom: days };
    if (next === null) log("info", "clicks_rolled_up_early", { bytes, freedBytes: this.#bytesBefore - bytes, ...from });
    else log("error", "click_log_full", { bytes, ...from });
    return next;
  }

  /** Rolls up something of a bounded size in one transaction. Returns whether there may be more. */
  #step(rollup: Rollup, hasRoom: () => boolean, now: number): boolean {
    for (const phase of PHASES) this.#search(phase, now);
    const phase = this.#choosePhase(Math.floor(now / DAY_MS));
    if (phase === null) return [...this.#found.values()].some(({ isLast }) => !isLast);
    const found = this.#found.get(phase);
    if (found === undefined) return true;
    const { changed, left } = this.#storage.transactionSync(() => this.#rollUp(rollup, phase, found, hasRoom, now));
    for (const { day, link } of changed) this.#memory().writer.forget(day, link);
    this.#found.set(phase, { ...found, linkDays: left });
    return true;
  }

  /** The phase whose oldest day is the oldest in proportion to the time for which its detail is kept. */
  #choosePhase(today: number): Phase | null {
    let chosen: Phase | null = null;
    let highest = -Infinity;
    for (const [index, phase] of PHASES.entries()) {
      const [oldest] = this.#found.get(phase)?.linkDays ?? [];
      if (oldest === undefined) continue;
      const age = (today - oldest.day + 1) / DETAIL_RATIO ** index;
      if (age > highest) [chosen, highest] = [phase, age];
    }
    return chosen;
  }

  /** Looks for what the phase rolls up next, unless that is known. */
  #search(phase: Phase, now: number): void {
    const known = this.#found.get(phase);
    if (known !== undefined && (known.linkDays.length > 0 || known.isLast)) return;
    const { sql, kv } = this.#storage;
    const { day, link } = readCursor(kv, phase);
    const today = Math.floor(now / DAY_MS);
    const groups = sql
      .exec<{ day: number; link: string; level: number; rows: number }>(
        `SELECT day, link, min(level) AS level, count(*) AS rows FROM (
           SELECT day, link, level FROM clicks WHERE (day, link) > (?, ?) AND day <= ? ORDER BY day, link LIMIT ?
         ) GROUP BY day, link ORDER BY day, link`,
        day,
        link,
        // Clicks of the last days may be delivered again, so they stay on their day.
        phase === "linkTotals" ? today - MAX_CLICK_AGE_DAYS : LAST_DAY,
        MAX_ROWS_PER_SEARCH,
      )
      .toArray();
    const last = groups.at(-1);
    const isLast = groups.reduce((sum, { rows }) => sum + rows, 0) < MAX_ROWS_PER_SEARCH;
    const found = {
      linkDays: groups
        // Not all rows of the last one may have been read.
        .filter((group) => group.level < LEVEL[phase] || (group === last && !isLast))
        .map((group) => ({ day: group.day, link: group.link })),
      // Clicks may still arrive for the last days, which the next search begins with.
      end: isLast || last === undefined ? { day: today - MAX_CLICK_AGE_DAYS, link: "" } : last,
      isLast,
    };
    this.#found.set(phase, found);
    if (found.linkDays.length === 0) putCursor(kv, phase, found.end);
  }

  /** Returns the days of links that have changed, and those that are left. */
  #rollUp(
    rollup: Rollup,
    phase: Phase,
    found: Found,
    hasRoom: () => boolean,
    now: number,
  ): { changed: LinkDay[]; left: LinkDay[] } {
    const changed: LinkDay[] = [];
    let chars = 0;
    let done = 0;
    const [oldest] = found.linkDays;
    for (const linkDay of found.linkDays) {
      // Another day may be the turn of another phase.
      if (linkDay.day !== oldest?.day) break;
      if (chars >= MAX_ROLLUP_STEP_CHARS || done === MAX_LINK_DAYS_PER_STEP || hasRoom()) break;
      const result = this.#rollUpLinkDay(rollup, phase, linkDay, now);
      chars += result.chars;
      // Until all of it is rolled up, the row that is being filled stays, and so do the batch ids.
      if (result.lastAt !== null && result.isDone) changed.push(linkDay);
      if (!result.isDone) break;
      done++;
    }
    if (phase === "linkTotals" && done > 0) noteMovedTotals(this.#storage.kv);
    const left = found.linkDays.slice(done);
    const cursor = left.length === 0 ? found.end : found.linkDays[done - 1];
    if (cursor !== undefined) putCursor(this.#storage.kv, phase, cursor);
    return { changed, left };
  }

  #rollUpLinkDay(rollup: Rollup, phase: Phase, { day, link }: LinkDay, now: number): RollupResult {
    const { sql, kv } = this.#storage;
    const level = LEVEL[phase];
    const result = rollup.step(
      { day, link },
      {
        level: Math.min(level, LEVEL.dayTotals) as RollupLevel,
        keepsBatches: keepsBatches(day, now),
        keepsVisitors: keepsVisitors(day, now),
        onlyIfSmaller: level < LEVEL.dayTotals,
        freesPages: true,
      },
    );
    if (result.isUnsettled) markUnsettled(kv, day);
    if (phase === "linkTotals" && result.isDone) {
      this.#memory().counters.moved(addToLinkTotals(sql, { day, link }));
      deleteSummaries(sql, link, createdOn(link));
    } else if (result.lastAt === null) {
      return result;
    }
    if (level > LEVEL.quarterHours) deleteSummaries(sql, link, day);
    const isToday = day >= Math.floor(now / DAY_MS);
    const isPart = isToday && level === LEVEL.quarterHours;
    moveDetailFrom(kv, level, isPart ? (result.lastAt ?? 0) + 1 : (day + 1) * DAY_MS);
    return result;
  }
}
