import { describeError, log } from "../lib/log.ts";
import { withTimeout } from "../lib/timeout.ts";
import { CACHE_FRESH_MS, LINK_READ_TIMEOUT_MS, LINK_READ_TIMEOUT_WITH_COPY_MS, STALE_KEPT_MS } from "../limits.ts";
import { deleteCached, readCached, writeCached } from "./cache.ts";
import { supersedes, toEntry, type RedirectEntry, type RedirectRow } from "./entry.ts";
import { extendAfterFailure, forget, placeOf, recallStale, remember } from "./memo.ts";
import { claimVisit, findLinkBySlug } from "./store.ts";

export type Resolution =
  | { outcome: "found"; entry: RedirectEntry }
  | { outcome: "used_up"; entry: RedirectEntry }
  | { outcome: "unknown" }
  | { outcome: "unavailable" };

interface Visit {
  domain: string;
  slug: string;
  now: number;
  /** Whether it takes one of the visits of a link that has a limit. */
  counts: boolean;
}

/**
 * The link of a visit that memory cannot answer: from the data centre's cache, else from the database,
 * else, where that fails or is slow, from the newest copy of the last day. Never throws.
 */
export async function resolveLink(env: Env, ctx: ExecutionContext, visit: Visit): Promise<Resolution> {
  const { domain, slug, now } = visit;
  const place = placeOf(domain, slug);
  const cached = await readCached(place);
  const known = newer(recallStale(place, now), cached);
  if (cached !== undefined && known === cached && !cached.askDatabase && now - cached.readAt < CACHE_FRESH_MS) {
    return { outcome: "found", entry: remember(place, cached, now) };
  }
  const copy = known !== undefined && !known.askDatabase && now - known.readAt < STALE_KEPT_MS ? known : undefined;
  const reading = findLinkBySlug(env.DB, domain, slug, known?.updatedAt);
  try {
    const row = await withTimeout(reading, copy === undefined ? LINK_READ_TIMEOUT_MS : LINK_READ_TIMEOUT_WITH_COPY_MS);
    const entry = takeIn(ctx, place, row, now);
    if (row === null || entry === null) return { outcome: "unknown" };
    return row.max_clicks === null ? { outcome: "found", entry } : await visitLimited(env, row, visit);
  } catch (error) {
    log("warn", "link_read_failed", { served: copy === undefined ? "503" : "copy", ...describeError(error) });
    ctx.waitUntil(reading.then((row) => void takeIn(ctx, place, row, now)).catch(() => undefined));
    if (copy === undefined) return { outcome: "unavailable" };
    extendAfterFailure(place, copy, now);
    return { outcome: "found", entry: copy };
  }
}

/** A change made here: this isolate and this data centre answer with it from now on. */
export async function publishEntry(domain: string, slug: string, entry: RedirectEntry, now: number): Promise<void> {
  const place = placeOf(domain, slug);
  remember(place, entry, now);
  await writeCached(place, entry);
}

/** Puts what the database said into memory and cache; returns what visitors get, which may be newer. */
function takeIn(ctx: ExecutionContext, place: string, row: RedirectRow | null, now: number): RedirectEntry | null {
  if (row === null) {
    forget(place);
    ctx.waitUntil(deleteCached(place));
    return null;
  }
  const entry = toEntry(row, now);
  const newest = remember(place, entry, now);
  if (newest === entry) ctx.waitUntil(writeCached(place, entry));
  return newest.askDatabase ? entry : newest;
}

async function visitLimited(env: Env, row: RedirectRow, visit: Visit): Promise<Resolution> {
  const used = () => ({ outcome: "used_up", entry: toEntry(row, visit.now) }) as const;
  if (!visit.counts)
    return row.visits >= (row.max_clicks ?? Infinity) ? used() : { outcome: "found", entry: toEntry(row, visit.now) };
  const claimed = await claimVisit(env.DB, row.id, visit.domain, visit.slug);
  return claimed === null ? used() : { outcome: "found", entry: toEntry(claimed, visit.now) };
}

function newer(a: RedirectEntry | undefined, b: RedirectEntry | undefined): RedirectEntry | undefined {
  return b !== undefined && supersedes(b, a) ? b : a;
}
