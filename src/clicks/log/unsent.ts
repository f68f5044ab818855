import { MAX_CLICK_AGE_DAYS } from "../../limits.ts";
import { DAY_MS } from "./tally.ts";

const PREFIX = "unsent:";

/** A message whose clicks are stored and whose events are not known to be sent. */
export interface Unsent {
  batchId: string;
  /** Whom they are for, as it was when the clicks were stored: so an event is the same however often it is sent. */
  audience: string;
}

interface Kept {
  audience: string;
  /** Unix milliseconds. */
  since: number;
}

/** Notes, in the transaction that stores clicks, that their events are owed. */
export class UnsentEvents {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  owe(batchIds: Iterable<string>, audience: string, since: number): void {
    for (const batchId of batchIds) this.#kv.put<Kept>(PREFIX + batchId, { audience, since });
  }

  of(batchIds: readonly string[]): Unsent[] {
    return [...new Set(batchIds)].flatMap((batchId) => {
      const kept = this.#kv.get<Kept>(PREFIX + batchId);
      return kept === undefined ? [] : [{ batchId, audience: kept.audience }];
    });
  }

  confirm(batchIds: readonly string[]): void {
    for (const batchId of batchIds) this.#kv.delete(PREFIX + batchId);
  }

  /** Those of messages that will not come again. */
  forget(now: number): void {
    for (const [key, { since }] of this.#kv.list<Kept>({ prefix: PREFIX })) {
      if (now - since > MAX_CLICK_AGE_DAYS * DAY_MS) this.#kv.delete(key);
    }
  }
}
