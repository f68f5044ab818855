import {
  PASSWORD_HASH_BYTES,
  hashPassword,
  isOutdated,
  isPassword,
  PASSWORD_SALT_BYTES,
  SCRYPT_PARAMETERS,
  toStored,
} from "./scrypt.ts";
import { MAX_WAITING_PASSWORDS } from "../limits.ts";

/** The outcome of a call. "busy": too many passwords wait, so nothing was computed. */
export type HashOutcome = { outcome: "hashed"; hash: string } | { outcome: "busy" };
export type VerifyOutcome =
  | {
      outcome: "right";
      /** With the present parameters, if those of the stored hash are others. */ rehashed: string | null;
    }
  | { outcome: "wrong" }
  | { outcome: "busy" };

/** Compared with if there is no stored password, so that the answer takes the same time. No password has this hash. */
const unknown = () =>
  toStored(SCRYPT_PARAMETERS, new Uint8Array(PASSWORD_SALT_BYTES), new Uint8Array(PASSWORD_HASH_BYTES));

/** Hashes passwords one after the other. At most {@link MAX_WAITING_PASSWORDS} are in the queue. */
export class HashQueue {
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  hash(password: string): Promise<HashOutcome> {
    return this.#enqueue(() => ({ outcome: "hashed", hash: hashPassword(password) }));
  }

  /** `stored` is null if there is no password. Then the outcome is "wrong", after the same work. */
  verify(password: string, stored: string | null): Promise<VerifyOutcome> {
    return this.#enqueue(() => {
      const right = isPassword(password, stored ?? unknown()) && stored !== null;
      if (!right) return { outcome: "wrong" };
      return { outcome: "right", rehashed: isOutdated(stored) ? hashPassword(password) : null };
    });
  }

  async #enqueue<T>(run: () => T): Promise<T | { outcome: "busy" }> {
    if (this.#waiting >= MAX_WAITING_PASSWORDS) return { outcome: "busy" };
    this.#waiting++;
    // The pause lets calls arrive that were sent during the last hash, so that they count.
    const turn = this.#last.then(() => scheduler.wait(0)).then(run);
    this.#last = turn.catch(() => undefined);
    return turn.finally(() => this.#waiting--);
  }
}
