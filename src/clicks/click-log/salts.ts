import { siphash } from "../../lib/siphash.ts";
import { SALT_KEPT_DAYS } from "../../limits.ts";
import type { EnrichedClick } from "../types.ts";

const PREFIX = "salt:";

/** The random keys of UTC days, each of which is deleted when the day's clicks are in. */
export class Salts {
  readonly #kv: SyncKvStorage;
  readonly #salts = new Map<number, Uint32Array>();

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  /** Null where the day's is deleted already. */
  of(day: number, today: number): Uint32Array | null {
    const known = this.#salts.get(day) ?? this.#kv.get<Uint32Array>(PREFIX + day);
    if (known === undefined && !isKept(day, today)) return null;
    const salt = known ?? crypto.getRandomValues(new Uint32Array(4));
    if (known === undefined) this.#kv.put(PREFIX + day, salt);
    this.#salts.set(day, salt);
    return salt;
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
}

function isKept(day: number, today: number): boolean {
  return day > today - SALT_KEPT_DAYS;
}

/**
 * Turns who clicked into a positive number that cannot be turned back once the salt is deleted: SipHash. Under one salt,
 * equal visitors have equal numbers.
 */
export function hashVisitor(salt: Uint32Array, { ip, client }: EnrichedClick): number {
  return siphash(salt, ip, client.fingerprint) || 1;
}
