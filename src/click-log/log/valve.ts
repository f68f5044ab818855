import { DAY_MS } from "../../limits.ts";
import { log } from "../../platform/lib/log.ts";
import type { RetentionVariables } from "../retention-days.ts";
import { moveDetailFrom, readDetailFrom } from "./detail.ts";
import { Rollup, type LinkDay, type RollupLevel } from "./rollup.ts";
import { deleteSummaries, LEVEL } from "./rows.ts";
import type { ClickWriter } from "./writer.ts";
import {
  DETAIL_RATIO,
  MAX_CLICK_AGE_DAYS,
  MAX_ROLLUPS_PER_ALARM,
  MAX_ROWS_PER_SEARCH,
  VALVE_REST_MS,
} from "../limits.ts";

/** What is rolled up to one level, the oldest day first. */
interface Search {
  level: RollupLevel;
  /** For how long the detail that is lost is kept, as a multiple of the time for single clicks. */
  ratio: number;
  linkDays: AsyncIterator<LinkDay, undefined>;
  /** The first one that is not rolled up yet. Undefined: {@link linkDays} has the next one. */
  first: LinkDay | undefined;
}

/**
 * Rolls up clicks early until there is room, so that a click is never refused because the object is full. The oldest days come first.
 * Quarter hours are kept {@link DETAIL_RATIO} times as long as single clicks. It lasts until there is room, and does not look again at
 * days that it has passed.
 */
export class Valve {
  readonly #storage: DurableObjectStorage;
  readonly #writer: () => ClickWriter;
  readonly #env: RetentionVariables;
  readonly #searches: readonly Search[];

  constructor(storage: DurableObjectStorage, writer: () => ClickWriter, env: RetentionVariables, now: number) {
    this.#storage = storage;
    this.#writer = writer;
    this.#env = env;
    const { clicks, quarterHours } = readDetailFrom(storage, env, now);
    this.#searches = [
      this.#search(LEVEL.quarterHours, 1, clicks, now),
      this.#search(LEVEL.dayTotals, DETAIL_RATIO, quarterHours, now),
    ];
  }

  /**
   * Makes room in steps, between which calls run that store clicks. Returns when it must run again, Unix milliseconds: at once, or later
   * because nothing can be made smaller; null: there is room.
   */
  async run(maxBytes: number, now: number): Promise<number | null> {
    const { sql } = this.#storage;
    const rollup = new Rollup(this.#storage);
    let next: number | null = null;
    // `databaseSize` is that of the pages in use.
    for (let step = 0; sql.databaseSize > maxBytes; step++) {
      if (step === MAX_ROLLUPS_PER_ALARM) return now;
      const due = await this.#findOldest(now);
      if (due === null) {
        next = now + VALVE_REST_MS;
        break;
      }
      this.#storage.transactionSync(() => this.#rollUp(rollup, due, now));
      await scheduler.wait(0);
    }
    const { clicks: clicksFrom, quarterHours: quarterHoursFrom } = readDetailFrom(this.#storage, this.#env, now);
    const state = { bytes: sql.databaseSize, clicksFrom, quarterHoursFrom };
    if (next === null) log("info", "clicks_rolled_up_early", state);
    else log("error", "click_log_full", state);
    return next;
  }

  /** `from`: what is older is rolled up to the level already, Unix milliseconds; null: nothing is. */
  #search(level: RollupLevel, ratio: number, from: number | null, now: number): Search {
    // A part of the day before `from` may be left, and clicks of the last days may have arrived after they were passed.
    const firstDay = Math.min(Math.floor(((from ?? 0) - 1) / DAY_MS), Math.floor(now / DAY_MS) - MAX_CLICK_AGE_DAYS);
    return { level, ratio, linkDays: linkDaysBelow(this.#storage.sql, level, firstDay), first: undefined };
  }

  /** The search whose oldest day is the oldest in proportion to the time for which its detail is kept; null: nothing is left. */
  async #findOldest(now: number): Promise<Search | null> {
    const ageOf = ({ first, ratio }: Search) => (Math.floor(now / DAY_MS) - (first?.day ?? 0) + 1) / ratio;
    let oldest: Search | null = null;
    for (const search of this.#searches) {
      search.first ??= (await search.linkDays.next()).value;
      if (search.first !== undefined && (oldest === null || ageOf(search) > ageOf(oldest))) oldest = search;
    }
    return oldest;
  }

  /** Rolls up the first day of a link, or a part of it that has a bounded size. */
  #rollUp(rollup: Rollup, search: Search, now: number): void {
    const { level, first } = search;
    if (first === undefined) return;
    const { sql, kv } = this.#storage;
    const { isDone, lastAt } = rollup.step(first, { level, freesPages: true }, now);
    if (isDone) search.first = undefined;
    if (lastAt === null) return;
    // Until all of it is rolled up, the row that is being filled stays, and so do the batch ids.
    if (isDone) this.#writer().forget(first.day, first.link);
    if (level > LEVEL.quarterHours) deleteSummaries(sql, first.link, first.day);
    const isPart = level === LEVEL.quarterHours && first.day >= Math.floor(now / DAY_MS);
    moveDetailFrom(kv, level, isPart ? lastAt + 1 : (first.day + 1) * DAY_MS);
  }
}

/** The days of links that have rows below the level, the oldest day first, while calls run in between. */
async function* linkDaysBelow(
  sql: SqlStorage,
  level: RollupLevel,
  firstDay: number,
): AsyncGenerator<LinkDay, undefined> {
  let last = { day: firstDay, link: "", part: 0 };
  let found: LinkDay | undefined;
  for (;;) {
    const rows = sql
      .exec<{ day: number; link: string; part: number; level: number }>(
        "SELECT day, link, part, level FROM clicks WHERE (day, link, part) > (?, ?, ?) ORDER BY day, link, part LIMIT ?",
        last.day,
        last.link,
        last.part,
        MAX_ROWS_PER_SEARCH,
      )
      .toArray();
    for (const row of rows) {
      if (row.level >= level || (row.day === found?.day && row.link === found.link)) continue;
      found = { day: row.day, link: row.link };
      yield found;
    }
    if (rows.length < MAX_ROWS_PER_SEARCH) return;
    last = rows.at(-1) ?? last;
    await scheduler.wait(0);
  }
}
