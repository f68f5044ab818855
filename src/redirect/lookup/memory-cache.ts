import {
  LINK_READ_RETRY_MS,
  MAX_MEMO_CHARS,
  MAX_MEMO_ENTRIES,
  MEMO_FRESH_MS,
  MEMO_REFRESH_AFTER_MS,
  STALE_KEPT_MS,
} from "../../limits.ts";
import { supersedes } from "./entry.ts";
import type { Entry, CacheKey } from "./cache-key.ts";

interface Remembered {
  entry: Entry;
  /** Set when the entry came in, never by reading it. */
  freshUntil: number;
  refreshAt: number;
  chars: number;
}

/** The links and domains that this isolate has seen lately. Oldest out first; a hot link comes in again every few seconds. */
const memo = new Map<string, Remembered>();
let chars = 0;

/** The entry if it may be used without asking anyone. */
export function recall<E extends Entry>(place: CacheKey<E>, now: number): E | undefined {
  const known = memo.get(place);
  // A place says what kind of entry is there.
  return known !== undefined && now < known.freshUntil && !known.entry.askDatabase ? (known.entry as E) : undefined;
}

/** The entry however old, up to a day: to compare with, and for when the database cannot be asked. */
export function recallStale<E extends Entry>(place: CacheKey<E>, now: number): E | undefined {
  const entry = memo.get(place)?.entry as E | undefined;
  return entry !== undefined && now - entry.readAt < STALE_KEPT_MS ? entry : undefined;
}

/** True once in a while for an entry that will soon be too old: its reader is to look for a newer version. */
export function claimRefresh(place: CacheKey<Entry>, now: number): boolean {
  const known = memo.get(place);
  if (known === undefined || now < known.refreshAt) return false;
  known.refreshAt = Number.POSITIVE_INFINITY;
  return true;
}

/** Takes in an entry unless a newer version is known, in the sense of {@link supersedes}; returns the newer of the two. */
export function remember<E extends Entry>(place: CacheKey<E>, entry: E, now: number, asOf?: number): E {
  const known = recallStale(place, now);
  if (known !== undefined && !supersedes(entry, known, asOf)) return known;
  forget(place);
  const size = place.length + charsOf(entry);
  memo.set(place, { entry, freshUntil: now + MEMO_FRESH_MS, refreshAt: now + MEMO_REFRESH_AFTER_MS, chars: size });
  chars += size;
  while (memo.size > MAX_MEMO_ENTRIES || chars > MAX_MEMO_CHARS) forget(memo.keys().next().value as string);
  return entry;
}

/** After a failed read: the copy at hand is good for a while, so that not every visitor waits for the database. */
export function extendAfterFailure<E extends Entry>(place: CacheKey<E>, entry: E, now: number): void {
  remember(place, entry, now);
  const known = memo.get(place);
  if (known !== undefined) {
    known.freshUntil = now + LINK_READ_RETRY_MS;
    known.refreshAt = now + MEMO_REFRESH_AFTER_MS;
  }
}

function charsOf(entry: Entry): number {
  if ("location" in entry)
    return lengthOf(entry.location, entry.expiredLocation, entry.preview) + (entry.targets?.chars ?? 0);
  const { rootLocation, notFoundLocation, appleAppSiteAssociation, assetLinks } = entry;
  return lengthOf(rootLocation, notFoundLocation, appleAppSiteAssociation, assetLinks);
}

function lengthOf(...texts: (string | null)[]): number {
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

function forget(place: string): void {
  const known = memo.get(place);
  if (known === undefined) return;
  chars -= known.chars;
  memo.delete(place);
}

/** For tests, which share the isolate. */
export function clearMemoryCache(): void {
  memo.clear();
  chars = 0;
}
