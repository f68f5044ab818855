import { describeError, log } from "../../platform/lib/log.ts";
import { canReplace, type Cacheable } from "./entry.ts";
import type { CacheKey } from "./cache-key.ts";
import { STALE_ENTRY_TTL_MS } from "../limits.ts";

// Entries in the Cache API, which the isolates of one data centre share. A failing cache is treated as an empty one.

/** The name of the cache. Change it when the form of entries changes, so that entries of an earlier deployment are not read. */
const CACHE_NAME = "links-8";

/** An entry in the edge cache. */
export interface EdgeCopy<E> {
  entry: E;
  /** Whether this isolate wrote it. */
  isOwn: boolean;
}

/** Identifies this isolate. Set by the first write, because Workers have no random numbers before the first request. */
let isolateId = "";

/** The entry, up to a day old. */
export async function read<E extends Cacheable>(key: CacheKey<E>): Promise<EdgeCopy<E> | undefined> {
  try {
    const response = await (await openCache()).match(urlOf(key));
    if (response === undefined) return undefined;
    const { entry, writtenBy } = await response.json<{ entry: E; writtenBy: string }>();
    return { entry, isOwn: writtenBy === isolateId };
  } catch (error) {
    log("warn", "link_cache_failed", describeError(error));
    return undefined;
  }
}

/**
 * Writes the entry unless the cache holds one that it must not replace ({@link canReplace}). Returns the entry that
 * the cache holds then. It reads the cache again right before the write: another isolate may have written a newer
 * version or a tombstone while the database was read.
 */
export async function write<E extends Cacheable>(key: CacheKey<E>, entry: E, knownVersion?: number): Promise<E> {
  const current = (await read(key))?.entry;
  if (current !== undefined && !canReplace(entry, current, knownVersion)) return current;
  if (isolateId === "") isolateId = crypto.randomUUID();
  const headers = { "Cache-Control": `max-age=${STALE_ENTRY_TTL_MS / 1_000}` };
  try {
    await (await openCache()).put(urlOf(key), Response.json({ entry, writtenBy: isolateId }, { headers }));
  } catch (error) {
    log("warn", "link_cache_failed", describeError(error));
  }
  return entry;
}

function openCache(): Promise<Cache> {
  return caches.open(CACHE_NAME);
}

function urlOf(key: CacheKey<Cacheable>): string {
  return `https://links.cache/${key}`;
}
