import { DurableObject } from "cloudflare:workers";
import { RATE_LIMIT_WINDOW_MS } from "../limits.ts";
import { MAX_FAILED_KEYS_PER_ADDRESS, MAX_REFUSED_READS_PER_ADDRESS } from "./limits.ts";
import {
  createWindow,
  expiryOf,
  packTimes,
  recordCall,
  unpackTimes,
  type CallOptions,
  type Decision,
  type SlidingWindow,
} from "./window.ts";

export interface TakeOptions extends CallOptions {
  /** For a call whose key was read: whether the key is valid. */
  keyIsValid?: boolean;
}

export interface TakeResult extends Decision {
  /** For how long the keys of such calls must not be read, ms. Missing: they may be read. */
  unreadMs?: number;
}

/** Reads of keys whose calls were then refused, in the {@link RATE_LIMIT_WINDOW_MS} from `since`. */
interface WastedReads {
  since: number;
  reads: number;
}

type StoredWindow = Record<"operation" | "accepted", string> & Record<"penalty_end" | "penalty_ms", number>;

/** The name of the wasted reads by failed keys. No operation has it. */
const FAILED_KEYS = "failed keys";

/**
 * The calls of one client in the last minute, by operation. They are held in memory and in SQLite, because an idle
 * object loses its memory after seconds. An accepted call and a penalty are written before the response leaves; a refused
 * call writes nothing. An alarm deletes the storage once all windows have expired.
 */
export class RateLimiter extends DurableObject<Env> {
  readonly #windows = new Map<string, SlidingWindow>();
  /** By operation, and for failed keys of all operations. In memory only: a written row costs more than these reads. */
  readonly #wastedReads = new Map<string, WastedReads>();
  #hasTable = false;
  #hasAlarm = false;
  #lastNow = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#hasTable = ctx.storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'windows'").toArray().length > 0;
    if (this.#hasTable) this.#load();
  }

  /** For the health check: responds if Durable Objects do. */
  ping(): true {
    return true;
  }

  /** Decides on one call, by the clock of this object. Time never runs backwards here. */
  async take(operation: string, limit: number, options: TakeOptions = {}): Promise<TakeResult> {
    this.#lastNow = Math.max(this.#lastNow, Date.now());
    const window = this.#windows.get(operation) ?? createWindow();
    this.#windows.set(operation, window);
    const decision = recordCall(window, limit, this.#lastNow, options);
    const counted = decision.allowed && options.counts !== false;
    if (counted || decision.penalised) await this.#save(operation, window);
    const unreadMs = this.#countRead(operation, options.keyIsValid, decision);
    return unreadMs === null ? decision : { ...decision, unreadMs };
  }

  /** Returns for how long keys must not be read after this call, or null. */
  #countRead(operation: string, keyIsValid: boolean | undefined, { allowed, waitMs }: Decision): number | null {
    if (keyIsValid === undefined || (keyIsValid && allowed)) return null;
    const name = keyIsValid ? operation : FAILED_KEYS;
    const earlier = this.#wastedReads.get(name);
    const isOver = earlier === undefined || this.#lastNow >= earlier.since + RATE_LIMIT_WINDOW_MS;
    const wasted = isOver ? { since: this.#lastNow, reads: 0 } : earlier;
    this.#wastedReads.set(name, wasted);
    wasted.reads++;
    if (keyIsValid) return wasted.reads > MAX_REFUSED_READS_PER_ADDRESS ? waitMs : null;
    return wasted.reads > MAX_FAILED_KEYS_PER_ADDRESS ? wasted.since + RATE_LIMIT_WINDOW_MS - this.#lastNow : null;
  }

  override async alarm(): Promise<void> {
    this.#hasAlarm = false;
    const end = Math.max(0, ...[...this.#windows.values()].map(expiryOf));
    if (end > Date.now()) return this.#setAlarm(end);
    this.#windows.clear();
    this.#hasTable = false;
    await this.ctx.storage.deleteAll();
  }

  #load(): void {
    for (const row of this.ctx.storage.sql.exec<StoredWindow>(
      "SELECT operation, accepted, penalty_end, penalty_ms FROM windows",
    )) {
      const accepted = unpackTimes(JSON.parse(row.accepted) as number[]);
      this.#windows.set(row.operation, {
        ...createWindow(),
        accepted,
        penaltyEnd: row.penalty_end,
        penaltyMs: row.penalty_ms,
      });
      this.#lastNow = Math.max(this.#lastNow, accepted.at(-1) ?? 0);
    }
  }

  async #save(operation: string, window: SlidingWindow): Promise<void> {
    if (!this.#hasTable) {
      this.ctx.storage.sql.exec(
        "CREATE TABLE windows (operation TEXT PRIMARY KEY, accepted TEXT NOT NULL, penalty_end INTEGER NOT NULL, penalty_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID",
      );
      this.#hasTable = true;
    }
    this.ctx.storage.sql.exec(
      "INSERT OR REPLACE INTO windows VALUES (?, ?, ?, ?)",
      operation,
      JSON.stringify(packTimes(window.accepted)),
      window.penaltyEnd,
      window.penaltyMs,
    );
    if (!this.#hasAlarm) await this.#setAlarm(this.#lastNow + RATE_LIMIT_WINDOW_MS);
  }

  async #setAlarm(time: number): Promise<void> {
    this.#hasAlarm = true;
    await this.ctx.storage.setAlarm(time);
  }
}
