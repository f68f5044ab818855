import * as edgeCache from "./edge-cache.ts";
import { toMissing } from "./entry.ts";
import * as memoryCache from "./memory-cache.ts";
import type { CacheKey, Entry } from "./cache-key.ts";
import type { Query } from "./store/links.ts";
import { EDGE_COPY_IN_USE_MS, EDGE_COPY_REWRITE_AFTER_MS } from "../limits.ts";

/** A link or a domain to find, and how the database is read for it. */
export interface Lookup<E, R> {
  /** Where the caches may have it. */
  key: CacheKey<E>;
  /** The key that the entry belongs to; undefined: `key`. */
  keyOf?: (entry: E) => CacheKey<E>;
  requestId: string;
  /** Of the request. They say which client asks. */
  headers: Headers;
  now: number;
  db: D1Database;
  query: Query;
  toEntry: (row: R, readAt: number) => E;
  /** Whether a copy must not be used although it is young enough. */
  isInvalid?: (copy: E) => boolean;
  /** Of a link: resolves once this isolate knows which hosts are taken down, with false if the database fails. */
  hostsKnown?: Promise<boolean>;
}

export type LookupResult<E, R> =
  /** `row` is null if the entry comes from a cache. */
  { outcome: "found"; entry: E; row: R | null } | { outcome: "not_found" } | FailedLookup;

/** It is not known whether there is such a link or domain. */
export type FailedLookup =
  | { outcome: "unavailable" }
  /** The database was not asked: the client searches for slugs, or too many look-ups wait. `waitSeconds` is whole and at least 1. */
  | { outcome: "refused"; reason: "search" | "flood"; waitSeconds: number };

/** What the caches held before the database was read. */
export interface Known<E> {
  /** The newest version of both caches. */
  newest: E | undefined;
  edgeCopy: edgeCache.EdgeCopy<E> | undefined;
}

/**
 * Stores what the database returned in both caches. Returns the entry that visitors get, which can be newer, or null if
 * there is none. The database's response replaces the newest known version even if it is older: another link may have
 * the slug now, or the database may have been restored.
 */
export function storeInCaches<E extends Entry, R>(
  ctx: ExecutionContext,
  { key: searched, keyOf, now, toEntry }: Lookup<E, R>,
  row: R | null,
  known: Known<E>,
): E | null {
  const entry = row === null ? null : toEntry(row, now);
  const key = entry === null ? searched : (keyOf?.(entry) ?? searched);
  const { newest } = known;
  if (newest !== undefined && !newest.bypassCache && (entry === null || key !== searched))
    storeInBoth(ctx, searched, toMissing(newest, now), now);
  if (entry === null) return null;
  if (key !== searched) {
    storeInBoth(ctx, key, entry, now);
    return entry;
  }
  const knownVersion = Math.max(entry.updatedAt, newest?.updatedAt ?? 0);
  const stored = shouldWrite(entry, known)
    ? storeInBoth(ctx, key, entry, now, knownVersion)
    : memoryCache.set(key, entry, now, knownVersion);
  return stored.bypassCache ? entry : stored;
}

/**
 * Whether the edge cache needs the entry. An unchanged copy is replaced only if other isolates use the link, so that
 * they find a fresh one, or if it is old, so that one is there when the database fails.
 */
function shouldWrite<E extends Entry>(entry: E, { newest, edgeCopy }: Known<E>): boolean {
  if (newest === undefined || edgeCopy === undefined) return true;
  const { entry: copied, isOwn } = edgeCopy;
  if (copied.updatedAt !== entry.updatedAt || copied.bypassCache !== entry.bypassCache) return true;
  if (entry.readAt - copied.readAt >= EDGE_COPY_REWRITE_AFTER_MS) return true;
  return !isOwn && !entry.bypassCache && entry.readAt - newest.readAt < EDGE_COPY_IN_USE_MS;
}

/** Stores the entry in memory now and in the edge cache later. A newer version found there replaces it in memory. */
function storeInBoth<E extends Entry>(
  ctx: ExecutionContext,
  key: CacheKey<E>,
  entry: E,
  now: number,
  knownVersion?: number,
): E {
  const stored = memoryCache.set(key, entry, now, knownVersion);
  if (stored === entry)
    ctx.waitUntil(edgeCache.write(key, entry, knownVersion).then((kept) => void memoryCache.set(key, kept, now)));
  return stored;
}
