import { describeError, log } from "../../lib/log.ts";
import type { ClickBatch } from "../capture/message.ts";
import { parseShards, shardName, type ClickShards } from "../click-log-name.ts";
import { divideBatch } from "./divide-batch.ts";
import type { LinkDaySegment } from "./encoding.ts";
import { Load } from "./load.ts";
import { addShards, readShards } from "./shards-of-account.ts";
import type { ClickWriter } from "./writer.ts";
import { MAX_RELAYED_SEGMENTS } from "../limits.ts";

interface State {
  shards: ClickShards;
  /** Until when a WebSocket of the account's first ClickLog may show new clicks of this one, Unix milliseconds. */
  watchedUntil: number;
}

const KEY = "sharding";

/** The writer is another one after a failed transaction. */
interface WritingParts {
  readonly memory: { writer: ClickWriter };
}

/** What a ClickLog of an account knows of the others, its load, and what it sends them. */
export class Sharding {
  readonly #ctx: DurableObjectState;
  #state: State;
  readonly #load = new Load();
  #accountId: number | null = null;
  #relayed: LinkDaySegment[] = [];
  #isRelaying = false;

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
    this.#state = ctx.storage.kv.get<State>(KEY) ?? { shards: [], watchedUntil: 0 };
  }

  /**
   * Returns the clicks that belong to this ClickLog, after the others have stored the rest. An isolate whose copy of a link did not
   * name all shards has sent those here. Throws if one of the others fails: then nothing may be stored here.
   */
  async keepOwn(batches: readonly ClickBatch[], env: Env, parts: WritingParts): Promise<ClickBatch[]> {
    await this.#learn(batches, env.DB);
    const { shards } = this.#state;
    if (shards.length === 0) return [...batches];
    const own: ClickBatch[] = [];
    const others = new Map<string, ClickBatch[]>();
    for (const batch of batches)
      for (const part of divideBatch(batch, shards, parts.memory.writer))
        if (part.log === batch.log) own.push(part);
        else others.set(part.log, [...(others.get(part.log) ?? []), part]);
    await Promise.all([...others].map(async ([name, parts]) => env.CLICK_LOG.getByName(name).ingest(parts, true)));
    return own;
  }

  /** Asks the database for the shards if an isolate knew newer ones. */
  async #learn(batches: readonly ClickBatch[], db: D1Database): Promise<void> {
    const [fromDay = 0] = this.#state.shards.at(-1) ?? [];
    const newer = batches.find(({ shardsFrom = 0 }) => shardsFrom > fromDay);
    if (newer?.accountId == null) return;
    this.#setShards(parseShards(await readShards(db, newer.accountId)));
  }

  #setShards(shards: ClickShards): void {
    if (shards.length > 0) this.#set({ ...this.#state, shards });
  }

  #set(state: State): void {
    this.#state = state;
    this.#ctx.storage.kv.put<State>(KEY, state);
  }

  /** Counts a call that stores clicks of an account. If there are too many, the account gets more shards later. */
  count(batches: readonly ClickBatch[], env: Env, now: number): void {
    const busy = this.#load.count(batches, now);
    const accountId = (this.#accountId ??= batches[0]?.accountId ?? null);
    if (busy === null || accountId === null) return;
    const adding = addShards(env.DB, accountId, busy, now);
    this.#ctx.waitUntil(
      adding.then(
        (json) => this.#setShards(parseShards(json)),
        // Asked again after the next window.
        (error: unknown) => log("warn", "click_shards_not_added", { accountId, ...describeError(error) }),
      ),
    );
  }

  /** Until this time, new clicks are sent to the account's first ClickLog, which has its WebSockets. */
  watch(until: number): void {
    if (until > this.#state.watchedUntil) this.#set({ ...this.#state, watchedUntil: until });
  }

  /** Shows new clicks to those who watch at the account's first ClickLog. One call at a time, so that it is not overloaded. */
  relay(clicks: readonly LinkDaySegment[], env: Env, now: number): void {
    const accountId = this.#accountId;
    if (now >= this.#state.watchedUntil || accountId === null) return;
    this.#relayed.push(...clicks.slice(0, MAX_RELAYED_SEGMENTS - this.#relayed.length));
    if (!this.#isRelaying) this.#ctx.waitUntil(this.#relayAll(accountId, env));
  }

  async #relayAll(accountId: number, env: Env): Promise<void> {
    this.#isRelaying = true;
    try {
      while (this.#relayed.length > 0) {
        const isWatched = await env.CLICK_LOG.getByName(shardName(accountId, 0)).publishLive(this.#relayed.splice(0));
        if (isWatched) continue;
        this.#relayed = [];
        this.#set({ ...this.#state, watchedUntil: 0 });
      }
    } catch (error) {
      log("warn", "live_clicks_failed", describeError(error));
    } finally {
      this.#isRelaying = false;
    }
  }
}
