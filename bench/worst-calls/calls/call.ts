import type { Ask, FilledAccount } from "../account.ts";

/** The worst call that the holder of a key or of a session can make of an operation, or one of several. */
export interface WorstCall {
  /** What makes it the worst, for the table. */
  what: string;
  /** Makes what the call needs, and returns the request. `n` is the number of the call. */
  prepare: (account: FilledAccount, n: number) => Promise<Ask> | Ask;
  /** The call is made a few times only: it takes seconds, or uses something up. */
  isScarce?: boolean;
}

export const get = (what: string, pathOf: (account: FilledAccount) => string): WorstCall => ({
  what,
  prepare: (account) => ({ method: "GET", path: pathOf(account) }),
});

export const scarce = (call: WorstCall): WorstCall => ({ ...call, isScarce: true });

export const idempotent = () => ({ "Idempotency-Key": crypto.randomUUID() });
