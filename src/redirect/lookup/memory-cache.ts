import { canReplace } from "./entry.ts";
import type { CacheKey, Entry } from "./cache-key.ts";
import { compareWithHosts, hostsReadAt } from "./taken-down-hosts.ts";
import {
  ENTRY_SERVED_MS,
  LINK_READ_RETRY_MS,
  MAX_MEMORY_CACHE_CHARS,
  MAX_MEMORY_CACHE_ENTRIES,
  MAX_STOPPED_ACCOUNTS,
  MEMORY_CACHE_FRESH_MS,
  MEMORY_CACHE_REFRESH_BEFORE_MS,
  STALE_ENTRY_TTL_MS,
} from "../limits.ts";

interface MemoryEntry {
  entry: Entry;
  /** The same after {@link compareWithHosts}. */
  served: Entry;
  /**
   * Counted from the time at which the entry was set, and bounded by the time at which it was read, or the list of hosts that are taken
   * down if that is older. Reading does not extend it.
   */
  freshUntil: number;
  refreshAt: number;
  chars: number;
}

/**
 * The links and domains that this isolate has seen lately. When it is full, the entry that was set longest ago is
 * evicted. A link in use is set again every few seconds, so it stays.
 */
const entries = new Map<string, MemoryEntry>();
let chars = 0;

/** Accounts that were deleted in this isolate, each with the time from which no entry from before is fresh. */
const stoppedAccounts = new Map<number, number>();

/** Stops the links and domains of a deleted account in this isolate at once. */
export function stopAccount(accountId: number, now: number): void {
  stoppedAccounts.delete(accountId);
  stoppedAccounts.set(accountId, now + ENTRY_SERVED_MS);
  if (stoppedAccounts.size > MAX_STOPPED_ACCOUNTS)
    stoppedAccounts.delete(stoppedAccounts.keys().next().value as number);
}

/** Ends {@link stopAccount} for a restored account. */
export function resumeAccount(accountId: number): void {
  stoppedAccounts.delete(accountId);
}

/** Whether the entry's account was deleted here a short time ago. */
export function isStopped({ accountId }: Entry, now: number): boolean {
  if (stoppedAccounts.size === 0 || accountId === null) return false;
  const until = stoppedAccounts.get(accountId) ?? 0;
  if (until !== 0 && until <= now) stoppedAccounts.delete(accountId);
  return until > now;
}

/** The entry if it can be used without a look at the edge cache. */
export function get<E extends Entry>(key: CacheKey<E>, now: number): E | undefined {
  const memoryEntry = entries.get(key);
  if (memoryEntry === undefined || now >= memoryEntry.freshUntil || memoryEntry.entry.bypassCache) return undefined;
  return isStopped(memoryEntry.entry, now) ? undefined : (memoryEntry.served as E);
}

/** The entry up to a day old, also a tombstone: to compare versions, and to answer when the database fails. */
export function getStale<E extends Entry>(key: CacheKey<E>, now: number): E | undefined {
  const entry = entries.get(key)?.entry as E | undefined;
  return entry !== undefined && now - entry.readAt < STALE_ENTRY_TTL_MS ? entry : undefined;
}

/** Returns true to one caller shortly before the entry stops being fresh. That caller refreshes it in the background. */
export function claimRefresh(key: CacheKey<Entry>, now: number): boolean {
  const memoryEntry = entries.get(key);
  if (memoryEntry === undefined || now < memoryEntry.refreshAt) return false;
  memoryEntry.refreshAt = Number.POSITIVE_INFINITY;
  return true;
}

/** Stores the entry unless it must not replace the present one ({@link canReplace}). Returns the one that is stored then. */
export function set<E extends Entry>(key: CacheKey<E>, entry: E, now: number, knownVersion?: number): E {
  const current = getStale(key, now);
  if (current !== undefined && !canReplace(entry, current, knownVersion)) return current;
  remove(key);
  const size = key.length + countChars(entry);
  const comparedAt = "location" in entry ? (hostsReadAt() ?? entry.readAt) : entry.readAt;
  const freshUntil = Math.min(now + MEMORY_CACHE_FRESH_MS, Math.min(entry.readAt, comparedAt) + ENTRY_SERVED_MS);
  entries.set(key, {
    entry,
    served: "location" in entry ? compareWithHosts(entry) : entry,
    freshUntil,
    refreshAt: freshUntil - MEMORY_CACHE_REFRESH_BEFORE_MS,
    chars: size,
  });
  chars += size;
  while (entries.size > MAX_MEMORY_CACHE_ENTRIES || chars > MAX_MEMORY_CACHE_CHARS)
    remove(entries.keys().next().value as string);
  return entry;
}

/** Stores a stale copy after the database failed, so that not every visitor waits for the database. */
export function setAfterFailure<E extends Entry>(key: CacheKey<E>, entry: E, now: number): void {
  set(key, entry, now);
  const memoryEntry = entries.get(key);
  if (memoryEntry === undefined) return;
  memoryEntry.freshUntil = now + LINK_READ_RETRY_MS;
  memoryEntry.refreshAt = memoryEntry.freshUntil - MEMORY_CACHE_REFRESH_BEFORE_MS;
}

function countChars(entry: Entry): number {
  if ("location" in entry)
    return sumLengths(entry.location, entry.expiredLocation, entry.preview) + (entry.targets?.chars ?? 0);
  const { rootLocation, notFoundLocation, appleAppSiteAssociation, assetLinks, brandName, brandLogo } = entry;
  return sumLengths(rootLocation, notFoundLocation, appleAppSiteAssociation, assetLinks, brandName, brandLogo);
}

function sumLengths(...texts: (string | null)[]): number {
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

function remove(key: string): void {
  const memoryEntry = entries.get(key);
  if (memoryEntry === undefined) return;
  chars -= memoryEntry.chars;
  entries.delete(key);
}

/** For tests, which share the isolate. */
export function clear(): void {
  entries.clear();
  stoppedAccounts.clear();
  chars = 0;
}
