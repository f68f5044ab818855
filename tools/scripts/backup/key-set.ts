const INITIAL_CAPACITY = 1_024;

/**
 * A set of primary keys as JSON arrays. Integers take 8 bytes each, because there may be millions of links. Tables are
 * read in the order of their keys; the few that come later are kept apart.
 */
export class KeySet {
  #sorted = new BigInt64Array(INITIAL_CAPACITY);
  #size = 0;
  readonly #others = new Set<string>();

  add(key: string): void {
    const number = toInteger(key);
    const last = this.#size === 0 ? null : (this.#sorted[this.#size - 1] as bigint);
    if (number === null || (last !== null && number <= last)) {
      if (!this.has(key)) this.#others.add(key);
      return;
    }
    if (this.#size === this.#sorted.length) {
      const larger = new BigInt64Array(this.#sorted.length * 2);
      larger.set(this.#sorted);
      this.#sorted = larger;
    }
    this.#sorted[this.#size++] = number;
  }

  has(key: string): boolean {
    const number = toInteger(key);
    return (number !== null && this.#find(number)) || this.#others.has(key);
  }

  /** All keys of a set that is small. */
  *[Symbol.iterator](): Iterator<string> {
    for (let n = 0; n < this.#size; n++) yield `[${this.#sorted[n]}]`;
    yield* this.#others;
  }

  #find(number: bigint): boolean {
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] as bigint) < number) low = middle + 1;
      else high = middle;
    }
    return low < this.#size && this.#sorted[low] === number;
  }
}

function toInteger(key: string): bigint | null {
  const [, digits] = /^\[(-?\d+)\]$/.exec(key) ?? [];
  return digits === undefined ? null : BigInt(digits);
}
