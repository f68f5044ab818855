import type { ClickMessage } from "../../../src/clicks/capture/message.ts";
import { CLICK_FLUSH_AFTER_MS, CLICK_FLUSH_OVERDUE_MS } from "../../../src/limits.ts";
import type { Queues } from "./queues.ts";
import type { Followed } from "./visitors.ts";

/** What an isolate may hold: a flush, or one that is overdue and taken over. */
const BUFFERED_MS = CLICK_FLUSH_AFTER_MS + CLICK_FLUSH_OVERDUE_MS;

/** When the Worker was being killed. */
export interface Kill {
  from: number;
  to: number;
}

/** An account's clicks, each from an address of its own: as visitors made them, and as the queue has them. */
export class ClickBooks {
  /** For {@link Visitors}. */
  readonly journal: Followed[] = [];
  readonly kills: Kill[] = [];
  readonly #taken: string[] = [];

  watch(queues: Queues, accountId: number): void {
    queues.onTaken = (name, body) => {
      if (name !== "tern-clicks") return;
      for (const batch of body as ClickMessage) if (batch.accountId === accountId) this.#taken.push(...batch.clicks.ip);
    };
  }

  get taken(): ReadonlySet<string> {
    return new Set(this.#taken);
  }

  /** When clicks were answered that did not reach the queue. */
  get lost(): number[] {
    const { taken } = this;
    return this.journal.flatMap(({ address, answeredAt }) =>
      answeredAt === null || taken.has(address) ? [] : [answeredAt],
    );
  }

  /** Those of them that were in the buffer of an isolate when it was killed. */
  get lostInBuffers(): number[] {
    return this.lost.filter((at) => this.kills.some(({ from, to }) => at > from - BUFFERED_MS && at < to));
  }

  /** Clicks in the queue that nobody made, or more than once. */
  get invented(): string[] {
    const left = new Set(this.journal.map(({ address }) => address));
    return this.#taken.filter((address) => !left.delete(address));
  }
}
