import { RATE_LIMIT_WINDOW_MS } from "../../limits.ts";
import { CLEANUP_INTERVAL_MS, MAX_FAILED_KEYS_PER_ADDRESS, MAX_REFUSED_READS_PER_ADDRESS } from "./limits.ts";
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

/** What is stored of a window. `accepted` is as {@link packTimes} returns it. */
type StoredWindow = Pick<SlidingWindow, "accepted" | "penaltyEnd" | "penaltyMs">;

/** The name of the wasted reads by failed keys. No operation has it. */
const FAILED_KEYS = "failed keys";

/** Only one object has it, which limits nothing: no alarm deletes it. */
const LAST_CLAIM = "last claim";

/**
 * All windows are stored under one key, by operation, because each key costs a written row again when it is deleted. The name stands for
 * the form of the value: another form gets another name. Code that does not find its own counts anew, so its limits hold after an
 * upgrade and after a rollback. It must not refuse: calls pass while a limiter fails.
 */
const STORED = "windows";

/**
 * The calls of one client in the last minute, by operation. They are held in memory and in the key-value storage, because
 * an idle object loses its memory after seconds. An accepted call and a penalty are written before the response leaves; a
 * refused call writes nothing. An alarm once a day deletes the storage if all windows have expired.
 */
export class Limiter {
  readonly #storage: DurableObjectStorage;
  readonly #windows = new Map<string, SlidingWindow>();
  /** By operation, and for failed keys of all operations. In memory only: a written row costs more than these reads. */
  readonly #wastedReads = new Map<string, WastedReads>();
  #hasAlarm: boolean;
  #lastNow = 0;

  private constructor(storage: DurableObjectStorage, hasAlarm: boolean) {
    this.#storage = storage;
    this.#load();
    this.#hasAlarm = hasAlarm;
  }

  static async start({ storage }: DurableObjectState): Promise<Limiter> {
    return new Limiter(storage, (await storage.getAlarm()) !== null);
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
    if (counted || decision.penalised) await this.#save();
    const unreadMs = this.#countRead(operation, options.keyIsValid, decision);
    return unreadMs === null ? decision : { ...decision, unreadMs };
  }

  /** When the installation was claimed last, by the clock of its database; 0: never. A restored database does not know it. */
  lastClaimAt(): number {
    return this.#storage.kv.get<number>(LAST_CLAIM) ?? 0;
  }

  recordClaim(at: number): void {
    this.#storage.kv.put(LAST_CLAIM, at);
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

  async alarm(): Promise<void> {
    this.#hasAlarm = false;
    const now = Date.now();
    if ([...this.#windows.values()].some((window) => expiryOf(window) > now)) return this.#setAlarm(now);
    this.#windows.clear();
    await this.#storage.deleteAll();
  }

  #load(): void {
    const stored = this.#storage.kv.get<Map<string, StoredWindow>>(STORED) ?? [];
    for (const [operation, { accepted: packed, ...penalty }] of stored) {
      const accepted = unpackTimes(packed);
      this.#windows.set(operation, { ...createWindow(), ...penalty, accepted });
      this.#lastNow = Math.max(this.#lastNow, accepted.at(-1) ?? 0);
    }
  }

  async #save(): Promise<void> {
    const stored = new Map<string, StoredWindow>();
    for (const [operation, window] of this.#windows) {
      const { accepted, penaltyEnd, penaltyMs } = window;
      const matters = expiryOf(window) > this.#lastNow;
      if (matters) stored.set(operation, { accepted: packTimes(accepted), penaltyEnd, penaltyMs });
    }
    this.#storage.kv.put(STORED, stored);
    if (!this.#hasAlarm) await this.#setAlarm(this.#lastNow);
  }

  /** The alarm comes a day after `now`. */
  async #setAlarm(now: number): Promise<void> {
    this.#hasAlarm = true;
    await this.#storage.setAlarm(now + CLEANUP_INTERVAL_MS);
  }
}
