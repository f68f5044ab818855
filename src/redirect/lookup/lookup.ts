import { describeError, log } from "../../platform/lib/log.ts";
import { withTimeout } from "../../platform/lib/timeout.ts";
import * as edgeCache from "./edge-cache.ts";
import { canReplace } from "./entry.ts";
import * as memoryCache from "./memory-cache.ts";
import type { Entry } from "./cache-key.ts";
import { storeInCaches, type Lookup, type LookupResult } from "./store-in-caches.ts";
import { readNearest } from "./store/links.ts";
import { ENTRY_FRESH_MS, LINK_READ_TIMEOUT_MS, LINK_READ_TIMEOUT_WITH_COPY_MS, STALE_ENTRY_TTL_MS } from "../limits.ts";

/**
 * Reads an entry through the caches: from the edge cache, else from the database. If the database fails or is slow, a
 * copy up to a day old is served. Otherwise an entry is taken from the edge cache for ENTRY_FRESH_MS after its read, and from
 * memory for ENTRY_SERVED_MS. Never throws.
 */
export async function lookUp<E extends Entry, R extends { updated_at: number }>(
  ctx: ExecutionContext,
  lookup: Lookup<E, R>,
): Promise<LookupResult<E, R>> {
  const { key, now } = lookup;
  const remembered = memoryCache.getStale(key, now);
  const edgeCopy = await edgeCache.read(key);
  const known = { newest: newestOf(remembered, edgeCopy?.entry), edgeCopy };
  const copy = usableCopy(lookup, known.newest);
  // The copy is fresh if this or another isolate read it lately and the edge cache has the same version.
  if (copy !== undefined && copy.updatedAt === edgeCopy?.entry.updatedAt && now - copy.readAt < ENTRY_FRESH_MS)
    return serveFresh(lookup, copy);
  if (known.newest === undefined || known.newest.isTombstone === true) {
    // Imported on demand: links that a cache has do not need it.
    const { lookUpUnknown } = await import("./unknown-lookup.ts");
    return lookUpUnknown(ctx, lookup, known);
  }
  const read = readNearest<R>(lookup.db, lookup.query, known.newest.updatedAt);
  const reading = Promise.all([read, lookup.hostsKnown]).then(([row]) => row);
  try {
    const row = await withTimeout(reading, copy === undefined ? LINK_READ_TIMEOUT_MS : LINK_READ_TIMEOUT_WITH_COPY_MS);
    const entry = storeInCaches(ctx, lookup, row, known);
    if (row === null || entry === null || memoryCache.isStopped(entry, now)) return { outcome: "not_found" };
    return { outcome: "found", entry, row };
  } catch (error) {
    const served = copy === undefined ? "503" : "copy";
    log("warn", "link_read_failed", { requestId: lookup.requestId, served, ...describeError(error) });
    // A late answer of the database is stored for later visitors.
    ctx.waitUntil(reading.then((row) => void storeInCaches(ctx, lookup, row, known)).catch(() => undefined));
    if (copy === undefined) return { outcome: "unavailable" };
    memoryCache.setAfterFailure(key, copy, now);
    return { outcome: "found", entry: copy, row: null };
  }
}

async function serveFresh<E extends Entry, R>(lookup: Lookup<E, R>, copy: E): Promise<LookupResult<E, R>> {
  const { key, now, requestId, hostsKnown } = lookup;
  if ((await hostsKnown) !== false) return { outcome: "found", entry: memoryCache.set(key, copy, now), row: null };
  log("warn", "taken_down_hosts_unknown", { requestId });
  memoryCache.setAfterFailure(key, copy, now);
  return { outcome: "found", entry: copy, row: null };
}

function newestOf<E extends Entry>(a: E | undefined, b: E | undefined): E | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return canReplace(b, a) ? b : a;
}

/** The copy if it may be served in place of the database's answer. */
function usableCopy<E extends Entry, R>({ isInvalid, now }: Lookup<E, R>, copy: E | undefined): E | undefined {
  if (copy === undefined || copy.bypassCache || isInvalid?.(copy) === true) return undefined;
  if (memoryCache.isStopped(copy, now)) return undefined;
  return now - copy.readAt < STALE_ENTRY_TTL_MS ? copy : undefined;
}
