import { DAY_MS } from "../duration.ts";
import { ExpiringMap } from "../lib/expiring-map.ts";
import { fnv1a } from "../lib/fnv1a.ts";
import { MAX_KNOWN_OWN_LOGS, OWN_LOG_KNOWN_MS, SHARED_LOGS } from "./limits.ts";

const SHARED_PREFIX = "anonymous:";
/** The last digits of a link's id, which are random. */
const RANDOM_DIGITS = 3;

/** The anonymous links that this isolate knows to have a ClickLog of their own. */
let withOwnLog = new ExpiringMap<true>(MAX_KNOWN_OWN_LOGS);

/**
 * From this UTC day on (days since 1970), the clicks of an account are in so many ClickLogs, its shards. Their number is a power of
 * two. The clicks of a hot link are spread by visitor, all others by link.
 */
type ShardStep = readonly [fromDay: number, shards: number, hotLinks: readonly string[]];

/** How the clicks of an account are spread, the oldest step first. Before the first one, there is one ClickLog. */
export type ClickShards = readonly ShardStep[];

/** The value of `accounts.click_shards`. */
export function parseShards(json: string | null | undefined): ClickShards {
  return json == null ? [] : (JSON.parse(json) as ClickShards);
}

/** What a redirect needs to choose the shard of a link's click; null: there is one ClickLog. */
export function shardsOfLink(json: string | null | undefined, linkId: string): ClickShards | null {
  if (json == null) return null;
  return parseShards(json).map(([fromDay, shards, hotLinks]) => [
    fromDay,
    shards,
    hotLinks.filter((id) => id === linkId),
  ]);
}

/**
 * The shard that stores a click. It depends on the click alone, so a visitor's clicks on a link and day are in one shard. `ip` is
 * null for a visitor who is not to be recognised: those clicks are spread by their time.
 */
export function shardOf(shards: ClickShards, at: number, linkId: string, ip: string | null, userAgent: string): number {
  const step = shards.findLast(([fromDay]) => fromDay <= Math.floor(at / DAY_MS));
  if (step === undefined) return 0;
  const [, count, hotLinks] = step;
  return (hotLinks.includes(linkId) ? fnv1a(`${ip ?? at}\n${userAgent}`) : randomOf(linkId)) & (count - 1);
}

/** A part of the id that is random. */
export function randomOf(linkId: string): number {
  return Number.parseInt(linkId.slice(-RANDOM_DIGITS), 16);
}

/** The name of a shard's ClickLog. */
export function shardName(accountId: number, shard: number): string {
  return shard === 0 ? `account:${accountId}` : `account:${accountId}:${shard}`;
}

/** The name of the ClickLog that stores a link's clicks: of an account the first one. `accountId` is null for an anonymous link, which shares its ClickLog with others. */
export function clickLogName(accountId: number | null, linkId: string): string {
  if (accountId !== null) return shardName(accountId, 0);
  return SHARED_PREFIX + (randomOf(linkId) % SHARED_LOGS);
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
  return withOwnLog.get(linkId, now) === true ? ownLogName(linkId) : clickLogName(null, linkId);
}

/** For a while, this isolate sends clicks on the link to its own ClickLog. */
export function rememberOwnLog(linkId: string, now: number): void {
  withOwnLog.set(linkId, true, now + OWN_LOG_KNOWN_MS);
}

/** For tests, which share the isolate. */
export function forgetOwnLogs(): void {
  withOwnLog = new ExpiringMap(MAX_KNOWN_OWN_LOGS);
}
