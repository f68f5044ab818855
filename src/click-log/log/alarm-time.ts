/** The time of an object's alarm. */
export class AlarmTime {
  readonly #storage: DurableObjectStorage;
  #at: number | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Await this before a transaction. With no await between the transaction and {@link schedule}, both are one atomic write. */
  async read(): Promise<void> {
    this.#at ??= await this.#storage.getAlarm();
  }

  /** Sets the alarm unless it is set to an earlier time. */
  async schedule(at: number): Promise<void> {
    if (this.#at === null || this.#at > at) await this.set(at);
  }

  async set(at: number | null): Promise<void> {
    this.#at = at;
    if (at === null) await this.#storage.deleteAlarm();
    else await this.#storage.setAlarm(at);
  }
}
