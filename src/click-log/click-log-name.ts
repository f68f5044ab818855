import { SHARED_LOGS } from "./limits.ts";

/** The last digits of a link's id, which are random. */
const RANDOM_DIGITS = 3;

/** The name of the ClickLog that stores the clicks of an account. */
export function accountLogName(accountId: number): string {
  return `account:${accountId}`;
}

/** The name of the ClickLog that stores the clicks of an anonymous link, which shares it with others. */
export function sharedLogName(linkId: string): string {
  return `anonymous:${Number.parseInt(linkId.slice(-RANDOM_DIGITS), 16) % SHARED_LOGS}`;
}
