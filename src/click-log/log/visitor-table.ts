import { MAX_UNIQUE_VISITORS_PER_LINK_DAY } from "../limits.ts";

const FIRST_SLOTS = 16;
/** Above it, searching a slot takes long. */
const MAX_LOAD = 0.75;
/** The number of a visitor that was taken. */
const TAKEN = 2 ** 32 - 1;

/**
 * The visitors of a link's day, each with the lowest number that was given for it. It is a hash table in arrays: a `Map`
 * takes twice the memory and four times the CPU for a million visitors.
 */
export class VisitorTable {
  #size = 0;
  /** 0: a free slot. */
  #visitors = new Float64Array(FIRST_SLOTS);
  #numbers = new Uint32Array(FIRST_SLOTS);

  /**
   * Remembers the number if it is the lowest one of the visitor. Returns the lowest number before; null: the visitor is
   * new. A visitor past the bound is not remembered, and no number is lower than its own.
   */
  keepLowest(visitor: number, number: number): number | null {
    const slot = this.#slotOf(visitor);
    if (this.#visitors[slot] === visitor) {
      const before = this.#numbers[slot] ?? 0;
      if (number < before) this.#numbers[slot] = number;
      return before;
    }
    if (this.#size >= MAX_UNIQUE_VISITORS_PER_LINK_DAY) return 0;
    this.#visitors[slot] = visitor;
    this.#numbers[slot] = number;
    this.#size++;
    if (this.#size > this.#visitors.length * MAX_LOAD) this.#grow();
    return null;
  }

  /** Whether the number is the visitor's lowest one, and is taken for the first time. */
  take(visitor: number, number: number): boolean {
    const slot = this.#slotOf(visitor);
    if (this.#visitors[slot] !== visitor || this.#numbers[slot] !== number) return false;
    this.#numbers[slot] = TAKEN;
    return true;
  }

  /** The slot that has the visitor, or the free one for it. A visitor is a hash, so its lowest bits are random. */
  #slotOf(visitor: number): number {
    const visitors = this.#visitors;
    const mask = visitors.length - 1;
    let slot = (visitor >>> 0) & mask;
    while (visitors[slot] !== 0 && visitors[slot] !== visitor) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [visitors, numbers] = [this.#visitors, this.#numbers];
    this.#visitors = new Float64Array(visitors.length * 2);
    this.#numbers = new Uint32Array(numbers.length * 2);
    for (let index = 0; index < visitors.length; index++) {
      const visitor = visitors[index] ?? 0;
      if (visitor === 0) continue;
      const slot = this.#slotOf(visitor);
      this.#visitors[slot] = visitor;
      this.#numbers[slot] = numbers[index] ?? 0;
    }
  }
}
