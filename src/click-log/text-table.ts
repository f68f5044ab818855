/** Different texts, each with its index. */
export class TextTable {
  readonly #indexes = new Map<string, number>();
  /** Characters of all texts. */
  #chars = 0;

  get size(): number {
    return this.#indexes.size;
  }

  get chars(): number {
    return this.#chars;
  }

  /** The index of the text, which is added unless it is there. */
  indexOf(text: string): number {
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    const index = this.#indexes.size;
    this.#indexes.set(text, index);
    this.#chars += text.length;
    return index;
  }

  toArray(): string[] {
    return [...this.#indexes.keys()];
  }
}
