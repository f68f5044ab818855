import { siphash } from "../../lib/siphash.ts";
import { SALT_KEPT_DAYS } from "../../limits.ts";

const PREFIX = "salt:";

/**
 * Turns visitors into numbers that cannot be turned back: SipHash under a random key of the UTC day,
 * which is deleted when the day's clicks are in. Of one day, equal visitors have equal numbers.
 */
export class Salts {
  readonly #kv: SyncKvStorage;
  readonly #salts = new Map<number, Uint32Array>();

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  /** A positive integer, or 0 where the day's salt is deleted already. */
  hash(visitor: string, day: number, today: number): number {
    const salt = this.#saltOf(day, today);
    return salt === null ? 0 : siphash(salt, visitor) || 1;
  }

  /** Deletes those that are no longer needed; tells whether any is left. */
  forget(today: number): boolean {
    let left = false;
    for (const [key] of this.#kv.list({ prefix: PREFIX })) {
      const day = Number(key.slice(PREFIX.length));
      if (isKept(day, today)) {
        left = true;
      } else {
        this.#kv.delete(key);
        this.#salts.delete(day);
      }
    }
    return left;
  }

  #saltOf(day: number, today: number): Uint32Array | null {
    const known = this.#salts.get(day) ?? this.#kv.get<Uint32Array>(PREFIX + day);
    if (known === undefined && !isKept(day, today)) return null;
    const salt = known ?? crypto.getRandomValues(new Uint32Array(4));
    if (known === undefined) this.#kv.put(PREFIX + day, salt);
    this.#salts.set(day, salt);
    return salt;
  }
}

function isKept(day: number, today: number): boolean {
  return day > today - SALT_KEPT_DAYS;
}
