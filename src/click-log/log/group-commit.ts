interface Waiting<Entry, Result> {
  entry: Entry;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Commits one after the other. While one is being written, calls that come wait for the next one, which takes them together. So a
 * call that comes alone never waits. One that waits is not answered later by more than its own commit takes: its answer would be
 * held until the writes before it are durable anyway.
 */
export class GroupCommit<Entry, Result> {
  readonly #storage: Pick<DurableObjectStorage, "sync">;
  readonly #commit: (entries: readonly Entry[]) => Result[];
  #isWriting = false;
  #waiting: Waiting<Entry, Result>[] = [];

  /** `commit` stores all of the entries and returns a result for each, or throws and stores none. */
  constructor(storage: Pick<DurableObjectStorage, "sync">, commit: (entries: readonly Entry[]) => Result[]) {
    this.#storage = storage;
    this.#commit = commit;
  }

  /** Returns the result of this entry, once it is committed. */
  async add(entry: Entry): Promise<Result> {
    const result = new Promise<Result>((resolve, reject) => void this.#waiting.push({ entry, resolve, reject }));
    if (!this.#isWriting) this.#commitWaiting();
    return result;
  }

  #commitWaiting(): void {
    const group = this.#waiting;
    if (group.length === 0) return;
    this.#waiting = [];
    if (!this.#tryToCommit(group, group.length === 1)) for (const each of group) this.#tryToCommit([each], true);
    this.#isWriting = true;
    const goOn = () => {
      this.#isWriting = false;
      this.#commitWaiting();
    };
    // If the write fails, the object is restarted, and all calls fail.
    this.#storage.sync().then(goOn, goOn);
  }

  /** Returns whether the commit has succeeded. The calls of one that failed are told so if it `isLast`. */
  #tryToCommit(group: readonly Waiting<Entry, Result>[], isLast: boolean): boolean {
    try {
      const results = this.#commit(group.map(({ entry }) => entry));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
      return true;
    } catch (error) {
      if (isLast) for (const { reject } of group) reject(error);
      return false;
    }
  }
}
