import { DAY_MS } from "../../duration.ts";
import { readTarget, type ClickBatch } from "../capture/message.ts";
import { isSharedLog, ownLogName } from "../click-log-name.ts";
import type { LinkDaySegment } from "./encoding.ts";
import { ANONYMOUS_CLICKS_KEPT_DAYS, BUSY_LINK_BATCHES, BUSY_LINK_WINDOW_MS, MAX_COUNTED_LINKS } from "../limits.ts";

/** The storage keys of links whose clicks another ClickLog stores. */
const MOVED_PREFIX = "moved:";
/** Set in ClickLogs that store clicks of anonymous links. */
const ANONYMOUS = "anonymous";

interface Move {
  /** The name of the other ClickLog. */
  log: string;
  /** Unix milliseconds. */
  at: number;
}

/** What a ClickLog knows of anonymous links: which ones it gave away, and which ones have too many clicks to stay. */
export class AnonymousLinks {
  readonly #kv: SyncKvStorage;
  readonly #moves: Map<string, Move>;
  #isAnonymous: boolean;
  /** Click batches of links in the window. */
  readonly #counts = new Map<string, number>();
  #windowEndsAt = 0;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
    const moves = [...kv.list<Move>({ prefix: MOVED_PREFIX })];
    this.#moves = new Map(moves.map(([key, move]) => [key.slice(MOVED_PREFIX.length), move]));
    this.#isAnonymous = kv.get<boolean>(ANONYMOUS) ?? false;
  }

  /** Whether this ClickLog stores clicks of anonymous links, and none of accounts. */
  get isAnonymous(): boolean {
    return this.#isAnonymous;
  }

  markAnonymous(): void {
    if (this.#isAnonymous) return;
    this.#isAnonymous = true;
    this.#kv.put(ANONYMOUS, true);
  }

  /** The name of the ClickLog that stores the link's clicks; undefined: this one. */
  logOf(link: string): string | undefined {
    return this.#moves.get(link)?.log;
  }

  /** Clicks on the link are forwarded to the account's ClickLog, unless another one gets them already: returns its name, else null. */
  handOver(link: string, accountLog: string, now: number): string | null {
    const former = this.logOf(link) ?? accountLog;
    if (former !== accountLog) return former;
    this.move(link, accountLog, now);
    return null;
  }

  /** From now on, another ClickLog stores the link's clicks. */
  move(link: string, log: string, now: number): void {
    this.#moves.set(link, { log, at: now });
    this.#kv.put<Move>(MOVED_PREFIX + link, { log, at: now });
  }

  /** The clicks that this ClickLog stores, and those that another one stores. */
  split(segments: LinkDaySegment[]): [here: LinkDaySegment[], elsewhere: LinkDaySegment[]] {
    if (this.#moves.size === 0) return [segments, []];
    const { here = [], elsewhere = [] } = Object.groupBy(segments, ({ link }) =>
      this.#moves.has(link) ? "elsewhere" : "here",
    );
    return [here, elsewhere];
  }

  /**
   * Counts the batches, and moves the links that have too many of them into ClickLogs of their own. Returns those of their links
   * that have one.
   */
  countBatches(batches: readonly ClickBatch[], now: number): string[] {
    const own = new Set<string>();
    for (const { log, targets } of batches)
      for (const link of new Set(targets.map((text) => readTarget(text).linkId))) {
        const name = ownLogName(link);
        if (isSharedLog(log) && !this.#moves.has(link) && this.#isTooBusy(link, now)) this.move(link, name, now);
        if (this.logOf(link) === name) own.add(link);
      }
    return [...own];
  }

  /** Counts a click batch of the link. */
  #isTooBusy(link: string, now: number): boolean {
    if (now >= this.#windowEndsAt) {
      this.#counts.clear();
      this.#windowEndsAt = now + BUSY_LINK_WINDOW_MS;
    }
    const count = (this.#counts.get(link) ?? 0) + 1;
    if (count > 1 || this.#counts.size < MAX_COUNTED_LINKS) this.#counts.set(link, count);
    return count >= BUSY_LINK_BATCHES;
  }

  /** Forgets moves of links whose last clicks have arrived; returns whether any is left. */
  forgetOldMoves(now: number): boolean {
    for (const [link, { at }] of this.#moves) {
      if (now - at <= ANONYMOUS_CLICKS_KEPT_DAYS * DAY_MS) continue;
      this.#moves.delete(link);
      this.#kv.delete(MOVED_PREFIX + link);
    }
    return this.#moves.size > 0;
  }
}
