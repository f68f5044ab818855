import { fnv1a } from "../../platform/lib/fnv1a.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { withTimeout } from "../../platform/lib/timeout.ts";
import type { Entry } from "./cache-key.ts";
import { storeInCaches, type Known, type Lookup, type LookupResult } from "./store-in-caches.ts";
import * as memoryCache from "./memory-cache.ts";
import { QueueFullError, readInQueue } from "./read-queue.ts";
import { shareRead } from "./shared-reads.ts";
import { readNearest } from "./store/links.ts";
import { beginSearch } from "./unknown-slugs.ts";
import { LINK_READ_TIMEOUT_MS, REFUSED_LOOKUP_RETRY_SECONDS } from "../limits.ts";

/** Looks up what no cache has: unless the client searches for slugs, and in one read for all who want it now. Never throws. */
export async function lookUpUnknown<E extends Entry, R extends { updated_at: number }>(
  ctx: ExecutionContext,
  lookup: Lookup<E, R>,
  known: Known<E>,
): Promise<LookupResult<E, R>> {
  const { key, requestId, headers, now, db, query, hostsKnown } = lookup;
  const search = beginSearch(headers, key, now);
  if (search.waitSeconds !== undefined)
    return { outcome: "refused", reason: "search", waitSeconds: search.waitSeconds };
  const until = Date.now() + LINK_READ_TIMEOUT_MS;
  const start = () => {
    const version = known.newest?.updatedAt;
    const read = readNearest<R>(db, query, version, readInQueue.bind(null, ctx, until));
    const reading = Promise.all([read, hostsKnown]).then(([row]) => {
      const entry = storeInCaches(ctx, lookup, row, known);
      return row === null || entry === null ? null : { entry, row };
    });
    // The read goes on if this visitor leaves or waits too long: others may wait for it, and later ones find it in the caches.
    ctx.waitUntil(reading.catch(() => undefined));
    return reading;
  };
  try {
    // Requests that know different tombstones do not share a read: one that knows a newer tombstone must not get an older link.
    const found = await withTimeout(
      shareRead(`${key} ${known.newest?.updatedAt ?? ""}`, now, start),
      LINK_READ_TIMEOUT_MS,
    );
    if (found === null) return { outcome: "not_found" };
    search.forget();
    if (memoryCache.isStopped(found.entry, now)) return { outcome: "not_found" };
    return { outcome: "found", ...found };
  } catch (error) {
    search.undo();
    if (error instanceof QueueFullError)
      return { outcome: "refused", reason: "flood", waitSeconds: spreadWait(requestId) };
    log("warn", "link_read_failed", { requestId, served: "503", ...describeError(error) });
    return { outcome: "unavailable" };
  }
}

/** Between 1 and {@link REFUSED_LOOKUP_RETRY_SECONDS}, by the random request id. */
function spreadWait(requestId: string): number {
  return 1 + (fnv1a(requestId) % REFUSED_LOOKUP_RETRY_SECONDS);
}
