/** A map in which each entry is there until a time, Unix milliseconds. When it is full, the entry that was set first is removed. */
export class ExpiringMap<V> {
  readonly #entries = new Map<string, { value: V; end: number }>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Sets an entry until `end`. An entry that is there gets the new value and the new end. */
  set(key: string, value: V, end: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, end });
    if (this.#entries.size > this.#max) this.#entries.delete(this.#entries.keys().next().value as string);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** The value of the entry; undefined if it is not there. */
  get(key: string, now: number): V | undefined {
    return this.remainingMs(key, now) > 0 ? this.#entries.get(key)?.value : undefined;
  }

  /** How long the entry will be there, in milliseconds; 0 if it is not. */
  remainingMs(key: string, now: number): number {
    const end = this.#entries.get(key)?.end;
    if (end === undefined) return 0;
    if (end <= now) this.#entries.delete(key);
    return Math.max(0, end - now);
  }
}
