import {
  LINK_READ_RETRY_MS,
  MAX_MEMO_CHARS,
  MAX_MEMO_ENTRIES,
  MEMO_FRESH_MS,
  MEMO_REFRESH_AFTER_MS,
  STALE_KEPT_MS,
} from "../limits.ts";
import { supersedes, type RedirectEntry } from "./entry.ts";

interface Remembered {
  entry: RedirectEntry;
  /** Set when the entry came in, never by reading it. */
  freshUntil: number;
  refreshAt: number;
  chars: number;
}

/** The links that this isolate has seen lately. Oldest out first; a hot link comes in again every few seconds. */
const memo = new Map<string, Remembered>();
let chars = 0;

/** A link's place in memory and cache. `domain` is '' for the service's own. */
export function placeOf(domain: string, slug: string): string {
  return `${domain}/${slug.toLowerCase()}`;
}

/** The entry if it may be used without asking anyone. */
export function recall(place: string, now: number): RedirectEntry | undefined {
  const known = memo.get(place);
  return known !== undefined && now < known.freshUntil && !known.entry.askDatabase ? known.entry : undefined;
}

/** The entry however old, up to a day: to compare with, and for when the database cannot be asked. */
export function recallStale(place: string, now: number): RedirectEntry | undefined {
  const entry = memo.get(place)?.entry;
  return entry !== undefined && now - entry.readAt < STALE_KEPT_MS ? entry : undefined;
}

/** True once in a while for an entry that will soon be too old: its reader is to look for a newer version. */
export function claimRefresh(place: string, now: number): boolean {
  const known = memo.get(place);
  if (known === undefined || now < known.refreshAt) return false;
  known.refreshAt = Number.POSITIVE_INFINITY;
  return true;
}

/** Takes in an entry unless a newer version is known, in the sense of {@link supersedes}; returns the newer of the two. */
export function remember(place: string, entry: RedirectEntry, now: number, asOf?: number): RedirectEntry {
  const known = recallStale(place, now);
  if (known !== undefined && !supersedes(entry, known, asOf)) return known;
  forget(place);
  const size = place.length + entry.location.length + (entry.expiredLocation?.length ?? 0);
  memo.set(place, { entry, freshUntil: now + MEMO_FRESH_MS, refreshAt: now + MEMO_REFRESH_AFTER_MS, chars: size });
  chars += size;
  while (memo.size > MAX_MEMO_ENTRIES || chars > MAX_MEMO_CHARS) forget(memo.keys().next().value as string);
  return entry;
}

/** After a failed read: the copy at hand is good for a while, so that not every visitor waits for the database. */
export function extendAfterFailure(place: string, entry: RedirectEntry, now: number): void {
  remember(place, entry, now);
  const known = memo.get(place);
  if (known !== undefined) {
    known.freshUntil = now + LINK_READ_RETRY_MS;
    known.refreshAt = now + MEMO_REFRESH_AFTER_MS;
  }
}

function forget(place: string): void {
  const known = memo.get(place);
  if (known === undefined) return;
  chars -= known.chars;
  memo.delete(place);
}

/** For tests, which share the isolate. */
export function clearMemo(): void {
  memo.clear();
  chars = 0;
}
