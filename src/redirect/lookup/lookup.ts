import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import { CACHE_FRESH_MS, LINK_READ_TIMEOUT_MS, LINK_READ_TIMEOUT_WITH_COPY_MS, STALE_KEPT_MS } from "../../limits.ts";
import { claimFill, claimLook, noteLook } from "./cache-use.ts";
import { readCached, writeCached } from "./edge-cache.ts";
import { supersedes, toMissing } from "./entry.ts";
import { extendAfterFailure, recallStale, remember } from "./memory-cache.ts";
import type { Entry, CacheKey } from "./cache-key.ts";

/** What is looked for: a link or a domain, and how the database is asked for it. */
export interface Question<E, R> {
  place: CacheKey<E>;
  requestId: string;
  now: number;
  /** Answers a version that is not older than `knownUpdatedAt`, or what has taken its place since. */
  read: (knownUpdatedAt: number | undefined) => Promise<R | null>;
  toEntry: (row: R, readAt: number) => E;
  /** Whether a copy must not be used, although it is not too old. */
  isVoid?: (copy: E) => boolean;
}

export type Answer<E, R> =
  /** `row` only if the database was asked. */
  { outcome: "found"; entry: E; row: R | null } | { outcome: "unknown" } | { outcome: "unavailable" };

/**
 * What memory cannot answer: from the data centre's cache, else from the database, else, where that fails
 * or is slow, the newest copy of the last day. Never throws.
 */
export async function lookUp<E extends Entry, R>(
  ctx: ExecutionContext,
  question: Question<E, R>,
): Promise<Answer<E, R>> {
  const { place, now } = question;
  const remembered = recallStale(place, now);
  const looks = remembered !== undefined || claimLook();
  const cached = looks ? await readCached(place) : undefined;
  const known = newer(remembered, cached);
  const copy = usable(question, known);
  const isFresh = copy !== undefined && copy === cached && now - copy.readAt < CACHE_FRESH_MS;
  if (looks && remembered === undefined) noteLook(isFresh);
  if (isFresh) return { outcome: "found", entry: remember(place, copy, now), row: null };
  const reading = question.read(known?.updatedAt);
  const mayHaveCopy = copy !== undefined || !looks;
  try {
    const row = await withTimeout(reading, mayHaveCopy ? LINK_READ_TIMEOUT_WITH_COPY_MS : LINK_READ_TIMEOUT_MS);
    return answerWith(ctx, question, row, known);
  } catch (error) {
    if (looks) return answerWithout(ctx, question, reading, known, copy, error);
    return lookBelatedly(ctx, question, reading, error);
  }
}

/** The database did not answer yet, and the cache was not asked. */
async function lookBelatedly<E extends Entry, R>(
  ctx: ExecutionContext,
  question: Question<E, R>,
  reading: Promise<R | null>,
  error: unknown,
): Promise<Answer<E, R>> {
  const copy = usable(question, await readCached(question.place));
  if (copy !== undefined) return answerWithout(ctx, question, reading, undefined, copy, error);
  try {
    const row = await withTimeout(reading, LINK_READ_TIMEOUT_MS - LINK_READ_TIMEOUT_WITH_COPY_MS);
    return answerWith(ctx, question, row, undefined);
  } catch (again) {
    return answerWithout(ctx, question, reading, undefined, undefined, again);
  }
}

function answerWith<E extends Entry, R>(
  ctx: ExecutionContext,
  question: Question<E, R>,
  row: R | null,
  known: E | undefined,
): Answer<E, R> {
  const entry = takeIn(ctx, question, row, known);
  return row === null || entry === null ? { outcome: "unknown" } : { outcome: "found", entry, row };
}

/** What the database may still say goes into memory and cache. */
function answerWithout<E extends Entry, R>(
  ctx: ExecutionContext,
  question: Question<E, R>,
  reading: Promise<R | null>,
  known: E | undefined,
  copy: E | undefined,
  error: unknown,
): Answer<E, R> {
  const { place, requestId, now } = question;
  log("warn", "link_read_failed", {
    requestId,
    place,
    served: copy === undefined ? "503" : "copy",
    ...describeError(error),
  });
  ctx.waitUntil(reading.then((row) => void takeIn(ctx, question, row, known)).catch(() => undefined));
  if (copy === undefined) return { outcome: "unavailable" };
  extendAfterFailure(place, copy, now);
  return { outcome: "found", entry: copy, row: null };
}

/** The copy, where it may answer in place of the database. */
function usable<E extends Entry, R>({ isVoid, now }: Question<E, R>, known: E | undefined): E | undefined {
  if (known === undefined || known.askDatabase || isVoid?.(known) === true) return undefined;
  return now - known.readAt < STALE_KEPT_MS ? known : undefined;
}

/** A change made here: this isolate and this data centre answer with it from now on. */
export async function publish<E extends Entry>(place: CacheKey<E>, entry: E, now: number): Promise<void> {
  remember(place, entry, now);
  remember(place, await writeCached(place, entry), now);
}

/**
 * Puts what the database said into memory and cache; returns what visitors get, which may be newer. The
 * database was asked for `known` or newer, so its answer stands against `known` also where it is older:
 * another link may have the slug now, or the database may have been restored.
 */
function takeIn<E extends Entry, R>(
  ctx: ExecutionContext,
  { place, now, toEntry }: Question<E, R>,
  row: R | null,
  known: E | undefined,
): E | null {
  if (row === null) {
    if (known !== undefined && !known.askDatabase) keep(ctx, place, toMissing(known, now), now);
    return null;
  }
  const entry = toEntry(row, now);
  const asOf = Math.max(entry.updatedAt, known?.updatedAt ?? 0);
  const isKept = known !== undefined || claimFill(now);
  const newest = isKept ? keep(ctx, place, entry, now, asOf) : remember(place, entry, now, asOf);
  return newest.askDatabase ? entry : newest;
}

/** Into memory now and into the cache later; where the cache has a newer version by then, that goes into memory. */
function keep<E extends Entry>(ctx: ExecutionContext, place: CacheKey<E>, entry: E, now: number, asOf?: number): E {
  const newest = remember(place, entry, now, asOf);
  if (newest === entry) ctx.waitUntil(writeCached(place, entry, asOf).then((newer) => remember(place, newer, now)));
  return newest;
}

function newer<E extends Entry>(a: E | undefined, b: E | undefined): E | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return supersedes(b, a) ? b : a;
}
