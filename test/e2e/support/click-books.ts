import type { QueueMessage } from "../../../src/queue.ts";
import type { Queues } from "./queues.ts";
import type { Followed } from "./visitors.ts";
import { CLICK_FLUSH_AFTER_MS, CLICK_FLUSH_OVERDUE_MS } from "../../../src/clicks/limits.ts";

/** The age of the oldest click in a buffer: until a flush, or until an overdue flush is taken over. */
const BUFFERED_MS = CLICK_FLUSH_AFTER_MS + CLICK_FLUSH_OVERDUE_MS;

/** The time in which the Worker was killed. */
export interface Kill {
  from: number;
  to: number;
}

/** An account's clicks, each from its own address: those that visitors made, and those that the queue accepted. */
export class ClickBooks {
  /** Filled by {@link Visitors}. */
  readonly journal: Followed[] = [];
  readonly kills: Kill[] = [];
  readonly #taken: string[] = [];

  watch(queues: Queues, accountId: number): void {
    queues.onTaken = (body) => {
      const message = body as QueueMessage;
      if (message.kind !== "clicks") return;
      for (const batch of message.batches) if (batch.accountId === accountId) this.#taken.push(...batch.clicks.ip);
    };
  }

  get taken(): ReadonlySet<string> {
    return new Set(this.#taken);
  }

  /** The times of the responses to clicks that did not reach the queue. */
  get lost(): number[] {
    const { taken } = this;
    return this.journal.flatMap(({ address, answeredAt }) =>
      answeredAt === null || taken.has(address) ? [] : [answeredAt],
    );
  }

  /** Those of {@link lost} that were in the buffer of an isolate when it was killed. */
  get lostInBuffers(): number[] {
    return this.lost.filter((at) => this.kills.some(({ from, to }) => at > from - BUFFERED_MS && at < to));
  }

  /** Clicks in the queue that no visitor made, or that are there twice. */
  get invented(): string[] {
    const left = new Set(this.journal.map(({ address }) => address));
    return this.#taken.filter((address) => !left.delete(address));
  }
}
