import { STALE_KEPT_MS } from "../limits.ts";
import { describeError, log } from "../lib/log.ts";
import { supersedes, type RedirectEntry } from "./entry.ts";

/** The links that this data centre has seen in the last day. A failing cache is as good as an empty one. */
export async function readCached(place: string): Promise<RedirectEntry | undefined> {
  try {
    const response = await (await openCache()).match(keyOf(place));
    return response === undefined ? undefined : await response.json<RedirectEntry>();
  } catch (error) {
    log("warn", "link_cache_failed", describeError(error));
    return undefined;
  }
}

/** Keeps the entry unless a newer version of the link is there. */
export async function writeCached(place: string, entry: RedirectEntry): Promise<void> {
  const known = await readCached(place);
  if (!supersedes(entry, known)) return;
  try {
    await (
      await openCache()
    ).put(keyOf(place), Response.json(entry, { headers: { "Cache-Control": `max-age=${STALE_KEPT_MS / 1_000}` } }));
  } catch (error) {
    log("warn", "link_cache_failed", describeError(error));
  }
}

export async function deleteCached(place: string): Promise<void> {
  try {
    await (await openCache()).delete(keyOf(place));
  } catch (error) {
    log("warn", "link_cache_failed", describeError(error));
  }
}

function openCache(): Promise<Cache> {
  return caches.open("links");
}

function keyOf(place: string): string {
  return `https://links.cache/${place.startsWith("/") ? "own" : ""}${place}`;
}
