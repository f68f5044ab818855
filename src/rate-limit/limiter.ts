import { RATE_LIMIT_WINDOW_MS } from "../limits.ts";
import {
  CLEANUP_INTERVAL_MS,
  LONE_CALL_RESOLUTION_MS,
  MAX_FAILED_KEYS_PER_ADDRESS,
  MAX_REFUSED_READS_PER_ADDRESS,
} from "./limits.ts";
import { alarmOfLoneCall, readLoneCall } from "./lone-call.ts";
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

/** All windows are stored under one key, by operation, because each key costs a written row again when it is deleted. */
const STORED = "windows";

/**
 * The calls of one client in the last minute, by operation. They are held in memory and in the key-value storage, because
 * an idle object loses its memory after seconds. An accepted call and a penalty are written before the response leaves; a
 * refused call writes nothing. An alarm once a day deletes the storage if all windows have expired. Until a second call, the
 * time of the alarm can record the first one.
 */
export class Limiter {
  readonly #storage: DurableObjectStorage;
  readonly #windows = new Map<string, SlidingWindow>();
  /** By operation, and for failed keys of all operations. In memory only: a written row costs more than these reads. */
  readonly #wastedReads = new Map<string, WastedReads>();
  #hasAlarm: boolean;
  #lastNow = 0;
  /** The latest stored time. It can be ahead of the clock: that of a lone call was rounded up, and calls before it count as at it. */
  #storedAt = 0;

  private constructor(storage: DurableObjectStorage, alarm: number | null) {
    this.#storage = storage;
    this.#load();
    this.#hasAlarm = alarm !== null;
    if (alarm !== null && storage.kv.get(STORED) === undefined) this.#loadLoneCall(alarm);
  }

  static async start({ storage }: DurableObjectState): Promise<Limiter> {
    return new Limiter(storage, await storage.getAlarm());
  }

  /** For the health check: responds if Durable Objects do. */
  ping(): true {
    return true;
  }

  /** Decides on one call, by the clock of this object. Time never runs backwards here. */
  async take(operation: string, limit: number, options: TakeOptions = {}): Promise<TakeResult> {
    const now = Date.now();
    this.#lastNow = Math.max(this.#lastNow, now);
    const window = this.#windows.get(operation) ?? createWindow();
    this.#windows.set(operation, window);
    const decided = recordCall(window, limit, this.#lastNow, options);
    const decision = { ...decided, waitMs: decided.waitMs + this.#leadMs(now) };
    const counted = decision.allowed && options.counts !== false;
    if (counted || decision.penalised) {
      const alarm = limit > 1 ? this.#alarmOfLoneCall(operation, window) : null;
      await (alarm === null ? this.#save() : this.#setAlarm(alarm));
    }
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

  async alarm(): Promise<void> {
    this.#hasAlarm = false;
    const now = Date.now();
    if ([...this.#windows.values()].some((window) => expiryOf(window) > now))
      return this.#setAlarm(now + CLEANUP_INTERVAL_MS);
    this.#windows.clear();
    await this.#storage.deleteAll();
  }

  #load(): void {
    const stored = this.#storage.kv.get<Map<string, StoredWindow>>(STORED) ?? [];
    for (const [operation, { accepted: packed, ...penalty }] of stored) {
      const accepted = unpackTimes(packed);
      this.#windows.set(operation, { ...createWindow(), ...penalty, accepted });
      this.#startAt(accepted.at(-1) ?? 0);
    }
  }

  #startAt(storedAt: number): void {
    this.#storedAt = Math.max(this.#storedAt, storedAt);
    this.#lastNow = this.#storedAt;
  }

  /** How far the stored times are ahead because of a lone call. If they are further ahead, the clock was set back. */
  #leadMs(now: number): number {
    const leadMs = this.#storedAt - now;
    return leadMs > 0 && leadMs < LONE_CALL_RESOLUTION_MS ? leadMs : 0;
  }

  async #save(): Promise<void> {
    const stored = new Map<string, StoredWindow>();
    for (const [operation, window] of this.#windows) {
      const { accepted, penaltyEnd, penaltyMs } = window;
      const matters = expiryOf(window) > this.#lastNow;
      if (matters) stored.set(operation, { accepted: packTimes(accepted), penaltyEnd, penaltyMs });
    }
    this.#storage.kv.put(STORED, stored);
    if (!this.#hasAlarm) await this.#setAlarm(this.#lastNow + CLEANUP_INTERVAL_MS);
  }

  /**
   * The time of an alarm that records the only call of a client without storage; null: the call must be stored. With a limit of 1, a
   * client may have been refused by the exact time of this call, so that one must be stored.
   */
  #alarmOfLoneCall(operation: string, { accepted, penaltyMs }: SlidingWindow): number | null {
    const [at] = accepted;
    if (this.#hasAlarm || this.#windows.size > 1 || accepted.length !== 1 || penaltyMs > 0 || at === undefined)
      return null;
    return alarmOfLoneCall({ operation, at });
  }

  #loadLoneCall(alarm: number): void {
    const call = readLoneCall(alarm);
    if (call === null) return;
    this.#windows.set(call.operation, { ...createWindow(), accepted: [call.at] });
    this.#startAt(call.at);
  }

  async #setAlarm(at: number): Promise<void> {
    this.#hasAlarm = true;
    await this.#storage.setAlarm(at);
  }
}
