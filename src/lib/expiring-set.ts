/** A set of texts, each until a time. When it is full, the text that was added first is removed. */
export class ExpiringSet {
  readonly #ends = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Adds the text until `end` (Unix milliseconds). A text that is there gets the new end. */
  add(text: string, end: number): void {
    this.#ends.delete(text);
    this.#ends.set(text, end);
    if (this.#ends.size > this.#max) this.#ends.delete(this.#ends.keys().next().value as string);
  }

  delete(text: string): void {
    this.#ends.delete(text);
  }

  /** How long the text will be there, in milliseconds; 0 if it is not. */
  remainingMs(text: string, now: number): number {
    const end = this.#ends.get(text);
    if (end === undefined) return 0;
    if (end <= now) this.#ends.delete(text);
    return Math.max(0, end - now);
  }
}
