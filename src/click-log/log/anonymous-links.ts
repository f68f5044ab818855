import { DAY_MS } from "../../limits.ts";
import type { LinkDaySegment } from "./encoding.ts";
import { ANONYMOUS_CLICKS_KEPT_DAYS } from "../limits.ts";

/** The storage keys of claimed links, whose clicks the ClickLog of an account stores. */
const MOVED_PREFIX = "moved:";
/** Set in ClickLogs that store clicks of anonymous links. */
const ANONYMOUS = "anonymous";

interface Move {
  /** The name of that ClickLog. */
  log: string;
  /** Unix milliseconds. */
  at: number;
}

/** Whether a ClickLog is one of anonymous links, and which of them were claimed. */
export class AnonymousLinks {
  readonly #kv: SyncKvStorage;
  readonly #moves: Map<string, Move>;
  #isAnonymous: boolean;

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

  /** From now on, the account's ClickLog stores the link's clicks. */
  handOver(link: string, accountLog: string, now: number): void {
    this.#moves.set(link, { log: accountLog, at: now });
    this.#kv.put<Move>(MOVED_PREFIX + link, { log: accountLog, at: now });
  }

  /** The clicks that this ClickLog stores, and those that another one stores. */
  split(segments: LinkDaySegment[]): [here: LinkDaySegment[], elsewhere: LinkDaySegment[]] {
    if (this.#moves.size === 0) return [segments, []];
    const { here = [], elsewhere = [] } = Object.groupBy(segments, ({ link }) =>
      this.#moves.has(link) ? "elsewhere" : "here",
    );
    return [here, elsewhere];
  }

  /** Gives clicks to the ClickLogs that store them. Throws if one of them fails. Each of them stores a click once. */
  async forward(logs: Env["CLICK_LOG"], segments: readonly LinkDaySegment[]): Promise<void> {
    const byLog = Map.groupBy(segments, ({ link }) => this.#moves.get(link)?.log);
    await Promise.all(
      [...byLog].map(async ([log, clicks]) => {
        if (log !== undefined) await logs.getByName(log).storeForwarded(clicks);
      }),
    );
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
