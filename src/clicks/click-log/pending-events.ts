import { MAX_AUDIENCE_CHARS, MAX_CLICK_AGE_DAYS, MAX_UNSENT_PER_RUN } from "../../limits.ts";
import { fromFormerTold } from "../former.ts";
import type { EventBatch, EventClick } from "../types.ts";
import { DAY_MS } from "./aggregate.ts";

const PREFIX = "unsent:";

/** A message whose clicks are stored and whose events are not known to be sent. */
export interface Unsent {
  batchId: string;
  /** Whom they are for, as it was when the clicks were stored: so an event is the same however often it is sent. */
  audience: string;
}

interface Kept {
  /** In UTF-8, in which those of a message's longest links fit into a value of 2 MB; an earlier version kept it as a text. */
  audience: Uint8Array | string;
  clicks: EventClick[];
  /** Unix milliseconds. */
  since: number;
}

/** Notes, in the transaction that stores clicks, that their events are owed, and keeps what they are made of. */
export class UnsentEvents {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  owe({ id, clicks }: EventBatch, audience: string, since: number): void {
    this.#kv.put<Kept>(PREFIX + id, { audience: new TextEncoder().encode(audience), clicks, since });
  }

  /** As many as one call can carry; what is left over is sent by the alarm. */
  of(batchIds: readonly string[]): Unsent[] {
    const unsent: Unsent[] = [];
    let chars = 0;
    for (const batchId of new Set(batchIds)) {
      const kept = this.#kv.get<Kept>(PREFIX + batchId);
      if (kept === undefined) continue;
      const audience = audienceOf(kept);
      unsent.push({ batchId, audience });
      chars += audience.length;
      if (chars >= MAX_AUDIENCE_CHARS) break;
    }
    return unsent;
  }

  /** Some of those owed since before `time`. */
  before(time: number): { batchId: string; batch: EventBatch; audience: string }[] {
    return [...this.#kv.list<Kept>({ prefix: PREFIX, limit: MAX_UNSENT_PER_RUN })]
      .filter(([, { since }]) => since < time)
      .map(([key, kept]) => {
        const batchId = key.slice(PREFIX.length);
        return { batchId, batch: fromFormerTold(batchId, kept.clicks), audience: audienceOf(kept) };
      });
  }

  isEmpty(): boolean {
    return [...this.#kv.list({ prefix: PREFIX, limit: 1 })].length === 0;
  }

  confirm(batchIds: readonly string[]): void {
    for (const batchId of batchIds) this.#kv.delete(PREFIX + batchId);
  }

  /** Gives up what could not be sent for days. */
  forget(now: number): void {
    for (const [key, { since }] of this.#kv.list<Kept>({ prefix: PREFIX })) {
      if (now - since > MAX_CLICK_AGE_DAYS * DAY_MS) this.#kv.delete(key);
    }
  }
}

function audienceOf({ audience }: Kept): string {
  return typeof audience === "string" ? audience : new TextDecoder().decode(audience);
}
