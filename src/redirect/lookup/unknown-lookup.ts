import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import type { Entry } from "./cache-key.ts";
import { storeInCaches, type Known, type Lookup, type LookupResult } from "./lookup.ts";
import * as memoryCache from "./memory-cache.ts";
import { shareRead } from "./shared-reads.ts";
import { beginSearch, countLookup, type Refusal } from "./unknown-slugs.ts";
import { LINK_READ_TIMEOUT_MS } from "../limits.ts";

/** Looks up what no cache has: within the bounds of unknown-slugs.ts, and in one read for all who want it now. Never throws. */
export async function lookUpUnknown<E extends Entry, R>(
  ctx: ExecutionContext,
  lookup: Lookup<E, R>,
  known: Known<E>,
): Promise<LookupResult<E, R>> {
  const { key, requestId, headers, now } = lookup;
  const search = beginSearch(headers, key, now);
  if (search.refusal !== undefined) return { outcome: "refused", refusal: search.refusal };
  let refusal: Refusal | undefined;
  const start = () => {
    const counted = countLookup(headers, requestId, key, now);
    if (counted.refusal !== undefined) {
      ({ refusal } = counted);
      return undefined;
    }
    const reading = lookup.read(known.newest).then((row) => {
      const entry = storeInCaches(ctx, lookup, row, known);
      if (row === null || entry === null) return null;
      counted.found();
      return { entry, row };
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
    if (found === undefined) {
      search.undo();
      return { outcome: "refused", refusal: refusal as Refusal };
    }
    search.forget();
    if (memoryCache.isStopped(found.entry, now)) return { outcome: "not_found" };
    return { outcome: "found", ...found };
  } catch (error) {
    search.undo();
    log("warn", "link_read_failed", { requestId, served: "503", ...describeError(error) });
    return { outcome: "unavailable" };
  }
}
