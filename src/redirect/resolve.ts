import { describeError, log } from "../lib/log.ts";
import { withTimeout } from "../lib/timeout.ts";
import { CACHE_FRESH_MS, LINK_READ_TIMEOUT_MS, LINK_READ_TIMEOUT_WITH_COPY_MS, STALE_KEPT_MS } from "../limits.ts";
import { readCached, writeCached } from "./cache.ts";
import { supersedes, toEntry, toMissing, type RedirectEntry, type RedirectRow } from "./entry.ts";
import { extendAfterFailure, placeOf, recallStale, remember } from "./memo.ts";
import { claimVisit, findLinkBySlug } from "./store.ts";

export type Resolution =
  | { outcome: "found"; entry: RedirectEntry }
  | { outcome: "used_up"; entry: RedirectEntry }
  | { outcome: "unknown" }
  | { outcome: "unavailable" };

export interface LinkQuestion {
  requestId: string;
  domain: string;
  slug: string;
  now: number;
  /** Whether it takes one of the visits of a link that has a limit. */
  counts(): Promise<boolean>;
}

/**
 * The link of a visit that memory cannot answer: from the data centre's cache, else from the database,
 * else, where that fails or is slow, from the newest copy of the last day. Never throws.
 */
export async function resolveLink(env: Env, ctx: ExecutionContext, asked: LinkQuestion): Promise<Resolution> {
  const { domain, slug, now } = asked;
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
    const entry = takeIn(ctx, place, row, known, now);
    if (row === null || entry === null) return { outcome: "unknown" };
    return row.max_clicks === null ? { outcome: "found", entry } : await visitLimited(env, row, asked);
  } catch (error) {
    const served = copy === undefined ? "503" : "copy";
    log("warn", "link_read_failed", { requestId: asked.requestId, place, served, ...describeError(error) });
    ctx.waitUntil(reading.then((row) => void takeIn(ctx, place, row, known, now)).catch(() => undefined));
    if (copy === undefined) return { outcome: "unavailable" };
    extendAfterFailure(place, copy, now);
    return { outcome: "found", entry: copy };
  }
}

/** A change made here: this isolate and this data centre answer with it from now on. */
export async function publishEntry(domain: string, slug: string, entry: RedirectEntry, now: number): Promise<void> {
  const place = placeOf(domain, slug);
  remember(place, entry, now);
  remember(place, await writeCached(place, entry), now);
}

/**
 * Puts what the database said into memory and cache; returns what visitors get, which may be newer. The
 * database was asked for `known` or newer, so its answer stands against `known` also where it is older:
 * another link may have the slug now, or the database may have been restored.
 */
function takeIn(
  ctx: ExecutionContext,
  place: string,
  row: RedirectRow | null,
  known: RedirectEntry | undefined,
  now: number,
): RedirectEntry | null {
  if (row === null) {
    if (known !== undefined && !known.askDatabase) keep(ctx, place, toMissing(known, now), now);
    return null;
  }
  const entry = toEntry(row, now);
  const newest = keep(ctx, place, entry, now, Math.max(entry.updatedAt, known?.updatedAt ?? 0));
  return newest.askDatabase ? entry : newest;
}

/** Into memory now and into the cache later; where the cache has a newer version by then, that goes into memory. */
function keep(ctx: ExecutionContext, place: string, entry: RedirectEntry, now: number, asOf?: number): RedirectEntry {
  const newest = remember(place, entry, now, asOf);
  if (newest === entry) ctx.waitUntil(writeCached(place, entry, asOf).then((newer) => remember(place, newer, now)));
  return newest;
}

async function visitLimited(env: Env, row: RedirectRow, asked: LinkQuestion): Promise<Resolution> {
  const { domain, slug, now } = asked;
  const entry = toEntry(row, now);
  if (entry.expiresAt !== null && entry.expiresAt <= now) return { outcome: "found", entry };
  if (!(await asked.counts())) {
    const used = row.max_clicks !== null && row.visits >= row.max_clicks;
    return { outcome: used ? "used_up" : "found", entry };
  }
  const claimed = await withTimeout(claimVisit(env.DB, domain, slug, now), LINK_READ_TIMEOUT_MS);
  return claimed === null ? { outcome: "used_up", entry } : { outcome: "found", entry: toEntry(claimed, now) };
}

function newer(a: RedirectEntry | undefined, b: RedirectEntry | undefined): RedirectEntry | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return supersedes(b, a) ? b : a;
}
