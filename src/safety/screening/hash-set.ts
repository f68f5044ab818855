import type { Hash64 } from "./siphash.ts";

// Sets of 64-bit hashes: sorted arrays, each hash its lower and then its upper 32 bits. A million take 8 MB.

const FIRST_CAPACITY = 16_384;

/** Collects hashes in any order, with repetitions. */
export class HashCollector {
  #words = new Uint32Array(2 * FIRST_CAPACITY);
  #count = 0;

  /** With repetitions. */
  get count(): number {
    return this.#count;
  }

  add([low, high]: Hash64): void {
    if (2 * this.#count === this.#words.length) {
      const grown = new Uint32Array(2 * this.#words.length);
      grown.set(this.#words);
      this.#words = grown;
    }
    this.#words[2 * this.#count] = low;
    this.#words[2 * this.#count + 1] = high;
    this.#count++;
  }

  /** The sorted set. The collector is empty afterwards. */
  finish(): Uint32Array<ArrayBuffer> {
    const words = this.#words;
    // The same bytes as integers of 64 bits, which the runtime sorts as they are. All platforms are little-endian.
    new BigUint64Array(words.buffer, 0, this.#count).sort();
    let kept = 0;
    for (let at = 0; at < 2 * this.#count; at += 2) {
      if (kept > 0 && words[at] === words[kept - 2] && words[at + 1] === words[kept - 1]) continue;
      words.copyWithin(kept, at, at + 2);
      kept += 2;
    }
    this.#words = new Uint32Array(2 * FIRST_CAPACITY);
    this.#count = 0;
    return words.slice(0, kept);
  }
}

/** Whether the sorted hashes have this one. */
export function hasHash(sorted: Uint32Array, hash: Hash64): boolean {
  const at = lowerBound(sorted, hash);
  return 2 * at < sorted.length && sorted[2 * at] === hash[0] && sorted[2 * at + 1] === hash[1];
}

/** The number of hashes below this one. */
function lowerBound(sorted: Uint32Array, [low, high]: Hash64): number {
  let from = 0;
  let to = sorted.length / 2;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const upper = sorted[2 * middle + 1] ?? 0;
    if (upper < high || (upper === high && (sorted[2 * middle] ?? 0) < low)) from = middle + 1;
    else to = middle;
  }
  return from;
}
