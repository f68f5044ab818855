import { DAY_MS } from "../../limits.ts";
import { SALT_KEPT_DAYS } from "../limits.ts";

const SALT_PREFIX = "salt:";
const SALT_BYTES = 32;

/** A random salt for each UTC day. It is deleted when the clicks of the day are in. */
export class Salts {
  readonly #kv: SyncKvStorage;
  readonly #salts = new Map<number, Uint8Array>();

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  /** The salt of the UTC day of `at`; null if it is deleted. Both times are Unix milliseconds. */
  get(at: number, now: number): Uint8Array | null {
    const day = Math.floor(at / DAY_MS);
    const known = this.#salts.get(day) ?? this.#kv.get<Uint8Array>(SALT_PREFIX + day);
    if (known === undefined && !isKept(day, now)) return null;
    const salt = known ?? crypto.getRandomValues(new Uint8Array(SALT_BYTES));
    if (known === undefined) this.#kv.put(SALT_PREFIX + day, salt);
    this.#salts.set(day, salt);
    return salt;
  }

  /** Returns whether any salt is left. */
  deleteExpired(now: number): boolean {
    let isAnyLeft = false;
    for (const [key] of this.#kv.list({ prefix: SALT_PREFIX })) {
      const day = Number(key.slice(SALT_PREFIX.length));
      if (isKept(day, now)) {
        isAnyLeft = true;
      } else {
        this.#kv.delete(key);
        this.#salts.delete(day);
      }
    }
    return isAnyLeft;
  }
}

function isKept(day: number, now: number): boolean {
  return day > Math.floor(now / DAY_MS) - SALT_KEPT_DAYS;
}
