import type { QueueMessage } from "../../../src/queue.ts";
import type { Queues } from "./queues.ts";
import type { Followed } from "./visitors.ts";
import {
  CLICK_FLUSH_AFTER_MS,
  CLICK_FLUSH_OVERDUE_MS,
  CLICK_INGEST_TIMEOUT_MS,
} from "../../../src/click-log/limits.ts";

/** The age of the oldest click in an isolate: until a flush, or until an overdue flush is taken over, and a call of the ClickLog. */
const BUFFERED_MS = CLICK_FLUSH_AFTER_MS + CLICK_FLUSH_OVERDUE_MS + CLICK_INGEST_TIMEOUT_MS;

/** The time in which the Worker was killed. */
export interface Kill {
  from: number;
  to: number;
}

/**
 * An account's clicks, each from its own address: those that visitors made, those that were offered to the ClickLog or the
 * queue, and those that one of them accepted.
 */
export class ClickBooks {
  /** Filled by {@link Visitors}. */
  readonly journal: Followed[] = [];
  readonly kills: Kill[] = [];
  readonly accepted = new Set<string>();
  readonly offered = new Set<string>();
  /** By the ids of their batches, which are offered again if a response was lost. */
  readonly #batches = new Map<string, readonly string[]>();

  watch(queues: Queues, accountId: number): void {
    queues.onTaken = (name, body) => {
      const message = body as QueueMessage;
      if (message.kind !== "clicks") return;
      for (const { id, accountId: account, clicks } of message.batches) {
        if (account !== accountId) continue;
        const addresses = clicks.ip.map(String);
        this.#batches.set(id, addresses);
        for (const address of addresses) {
          this.offered.add(address);
          if (name !== "offered") this.accepted.add(address);
        }
      }
    };
  }

  /** The times of the responses to clicks that neither the ClickLog nor the queue accepted. */
  get lost(): number[] {
    return this.journal.flatMap(({ address, answeredAt }) =>
      answeredAt === null || this.accepted.has(address) ? [] : [answeredAt],
    );
  }

  /** Those of {@link lost} that were in an isolate when it was killed. */
  get lostInBuffers(): number[] {
    return this.lost.filter((at) => this.kills.some(({ from, to }) => at > from - BUFFERED_MS && at < to));
  }

  /** Clicks that no visitor made, or that are in two batches. */
  get invented(): string[] {
    const left = new Set(this.journal.map(({ address }) => address));
    return [...this.#batches.values()].flat().filter((address) => !left.delete(address));
  }
}
