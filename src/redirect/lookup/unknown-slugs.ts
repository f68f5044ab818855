import { SECOND_MS } from "../../duration.ts";
import { fnv1a } from "../../lib/fnv1a.ts";
import { networkOf, WORKERS_ADDRESS } from "../../lib/ip-network.ts";
import { log } from "../../lib/log.ts";
import { RATE_LIMIT_WINDOW_MS } from "../../limits.ts";
import {
  EMPTY_LOOKUPS_PER_SECOND,
  MAX_REMEMBERED_SEARCHERS,
  REFUSED_LOOKUP_RETRY_SECONDS,
  UNKNOWN_SLUGS_PER_CLIENT,
} from "../limits.ts";

// The bounds of look-ups that find nothing, in this isolate (docs/adr/0036-unknown-slugs-are-bounded.md).

/** Why the database is not asked. */
export interface Refusal {
  /** `search`: the client asked for too many unknown slugs. `flood`: the isolate has made too many look-ups in this second. */
  reason: "search" | "flood";
  /** Whole seconds, at least 1. */
  waitSeconds: number;
}

/** A refusal, or what an admitted caller needs. */
type Admission<A> = ({ refusal?: undefined } & A) | { refusal: Refusal };

/** The unknown slugs that a client asked for lately. */
interface Searcher {
  /** When each was last asked for, Unix milliseconds, by the hash of its cache key. The oldest comes first. */
  slugs: Map<number, number>;
  lastAt: number;
}

/** By client. The one that asked longest ago comes first. */
const searchers = new Map<string, Searcher>();

/** The look-ups of one UTC second that found nothing or are under way. */
interface Second {
  number: number;
  lookups: number;
  byClient: Map<string, number>;
  bySlug: Map<string, number>;
}

let present: Second = startSecond(0);
let lastLogAt = Number.NEGATIVE_INFINITY;

/**
 * Admits or refuses a request for a slug or a domain that no cache has. `key` is its cache key. It counts as unknown until
 * `forget` is called. `undo` takes back this request alone: an earlier one for the same slug still counts.
 */
export function beginSearch(headers: Headers, key: string, now: number): Admission<{ forget(): void; undo(): void }> {
  const client = clientOf(headers);
  const { slugs } = recall(client, now);
  const slug = fnv1a(key);
  const isNew = !slugs.has(slug);
  if (isNew && slugs.size >= UNKNOWN_SLUGS_PER_CLIENT) return { refusal: searchRefusal(slugs, now) };
  slugs.delete(slug);
  slugs.set(slug, now);
  searchers.delete(client);
  searchers.set(client, { slugs, lastAt: now });
  if (searchers.size > MAX_REMEMBERED_SEARCHERS) searchers.delete(searchers.keys().next().value as string);
  const forget = () => {
    slugs.delete(slug);
    // The client may have begun anew meanwhile.
    if (slugs.size === 0 && searchers.get(client)?.slugs === slugs) searchers.delete(client);
  };
  return { forget, undo: () => isNew && forget() };
}

/** Admits or refuses a look-up of such a slug or domain. It counts as one that finds nothing until `found` is called. */
export function countLookup(
  headers: Headers,
  requestId: string,
  key: string,
  now: number,
): Admission<{ found(): void }> {
  const client = clientOf(headers);
  const second = takeLookup(client, key, now);
  if (second === null) {
    logFlood(requestId, now);
    return { refusal: { reason: "flood", waitSeconds: spreadWait(requestId) } };
  }
  return { found: () => count(second, client, key, -1) };
}

/** As `clientName` of the rate limiter, without its library: redirects do not evaluate that. */
function clientOf(headers: Headers): string {
  const address = headers.get("CF-Connecting-IP") ?? "";
  return address === WORKERS_ADDRESS ? `worker:${headers.get("CF-Worker") ?? ""}` : networkOf(address);
}

/** The slugs of the client in the last window. Forgets clients that asked for none in it. */
function recall(client: string, now: number): Searcher {
  const expired = now - RATE_LIMIT_WINDOW_MS;
  for (const [name, { lastAt }] of searchers) {
    if (lastAt > expired) break;
    searchers.delete(name);
  }
  const searcher = searchers.get(client) ?? { slugs: new Map<number, number>(), lastAt: now };
  for (const [slug, at] of searcher.slugs) {
    if (at > expired) break;
    searcher.slugs.delete(slug);
  }
  return searcher;
}

function searchRefusal(slugs: Map<number, number>, now: number): Refusal {
  const oldest = slugs.values().next().value as number;
  return { reason: "search", waitSeconds: Math.max(1, Math.ceil((oldest + RATE_LIMIT_WINDOW_MS - now) / SECOND_MS)) };
}

function startSecond(number: number): Second {
  return { number, lookups: 0, byClient: new Map(), bySlug: new Map() };
}

/**
 * Counts a look-up in the present second, or returns null. A client or a slug gets another one only while those left in the
 * second outnumber those that it has had. So one client alone gets half of them, and a new one always gets one while any are
 * left.
 */
function takeLookup(client: string, key: string, now: number): Second | null {
  const number = Math.floor(now / SECOND_MS);
  // An earlier second comes from a request that waited for the edge cache.
  if (number > present.number) present = startSecond(number);
  const { lookups, byClient, bySlug } = present;
  const had = Math.max(byClient.get(client) ?? 0, bySlug.get(key) ?? 0);
  if (had >= EMPTY_LOOKUPS_PER_SECOND - lookups) return null;
  count(present, client, key, 1);
  return present;
}

function count(second: Second, client: string, key: string, change: 1 | -1): void {
  second.lookups += change;
  for (const [counts, name] of [
    [second.byClient, client],
    [second.bySlug, key],
  ] as const) {
    const counted = (counts.get(name) ?? 0) + change;
    if (counted === 0) counts.delete(name);
    else counts.set(name, counted);
  }
}

/** Between 1 and {@link REFUSED_LOOKUP_RETRY_SECONDS}, by the random request id. */
function spreadWait(requestId: string): number {
  return 1 + (fnv1a(requestId) % REFUSED_LOOKUP_RETRY_SECONDS);
}

/** Logs a flood once a window. */
function logFlood(requestId: string, now: number): void {
  if (now - lastLogAt < RATE_LIMIT_WINDOW_MS) return;
  lastLogAt = now;
  log("warn", "lookups_refused", { requestId, lookupsPerSecond: EMPTY_LOOKUPS_PER_SECOND });
}

/** For tests, which share the isolate. */
export function clear(): void {
  searchers.clear();
  present = startSecond(0);
  lastLogAt = Number.NEGATIVE_INFINITY;
}
