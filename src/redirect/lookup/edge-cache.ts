import { STALE_KEPT_MS } from "../../limits.ts";
import { describeError, log } from "../../lib/log.ts";
import { supersedes, type Cacheable } from "./entry.ts";
import type { CacheKey } from "./cache-key.ts";

// A new name whenever entries change their form: those of an earlier deployment are then not read.
const CACHE_NAME = "links-4";

/** The links and domains that this data centre has seen in the last day. A failing cache is as good as an empty one. */
export async function readCached<E extends Cacheable>(place: CacheKey<E>): Promise<E | undefined> {
  try {
    const response = await (await openCache()).match(keyOf(place));
    return response === undefined ? undefined : await response.json<E>();
  } catch (error) {
    log("warn", "link_cache_failed", describeError(error));
    return undefined;
  }
}

/** Keeps the entry unless a newer version is there, in the sense of {@link supersedes}; returns the newer of the two. */
export async function writeCached<E extends Cacheable>(place: CacheKey<E>, entry: E, asOf?: number): Promise<E> {
  const known = await readCached(place);
  if (known !== undefined && !supersedes(entry, known, asOf)) return known;
  try {
    await (
      await openCache()
    ).put(keyOf(place), Response.json(entry, { headers: { "Cache-Control": `max-age=${STALE_KEPT_MS / 1_000}` } }));
  } catch (error) {
    log("warn", "link_cache_failed", describeError(error));
  }
  return entry;
}

function openCache(): Promise<Cache> {
  return caches.open(CACHE_NAME);
}

function keyOf(place: CacheKey<Cacheable>): string {
  return `https://links.cache/${place}`;
}
