import { ExpiringMap } from "../lib/expiring-map.ts";
import { MAX_KNOWN_OWN_LOGS, OWN_LOG_KNOWN_MS, SHARED_LOGS } from "./limits.ts";

const SHARED_PREFIX = "anonymous:";
/** The last digits of a link's id, which are random. */
const RANDOM_DIGITS = 3;

/** The anonymous links that this isolate knows to have a ClickLog of their own. */
let withOwnLog = new ExpiringMap<true>(MAX_KNOWN_OWN_LOGS);

/** The name of the ClickLog that stores the clicks of an account. */
export function accountLogName(accountId: number): string {
  return `account:${accountId}`;
}

/** The name of the ClickLog that stores the clicks of an anonymous link, which shares it with others. */
export function sharedLogName(linkId: string): string {
  return SHARED_PREFIX + (Number.parseInt(linkId.slice(-RANDOM_DIGITS), 16) % SHARED_LOGS);
}

/** The name of the ClickLog that an anonymous link gets if too many click on it. */
export function ownLogName(linkId: string): string {
  return `link:${linkId}`;
}

export function isSharedLog(name: string): boolean {
  return name.startsWith(SHARED_PREFIX);
}

/** Where this isolate sends a click on an anonymous link. Its shared ClickLog forwards those that belong elsewhere. */
export function logForAnonymousClick(linkId: string, now: number): string {
  return withOwnLog.get(linkId, now) === true ? ownLogName(linkId) : sharedLogName(linkId);
}

/** For a while, this isolate sends clicks on the link to its own ClickLog. */
export function rememberOwnLog(linkId: string, now: number): void {
  withOwnLog.set(linkId, true, now + OWN_LOG_KNOWN_MS);
}

/** For tests, which share the isolate. */
export function forgetOwnLogs(): void {
  withOwnLog = new ExpiringMap(MAX_KNOWN_OWN_LOGS);
}
