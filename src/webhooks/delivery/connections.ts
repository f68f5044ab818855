/** Limits the connections that are open at the same time. One budget serves all senders of a Worker invocation. */
export class ConnectionBudget {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(connections: number) {
    this.#free = connections;
  }

  /** Runs `use`, which has at most one connection open at a time, when a connection is free. */
  async run<T>(use: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await use();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
