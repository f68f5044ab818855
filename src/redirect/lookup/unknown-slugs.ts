import { RATE_LIMIT_WINDOW_MS, SECOND_MS } from "../../limits.ts";
import { fnv1a } from "../../platform/lib/fnv1a.ts";
import { networkOf, WORKERS_ADDRESS } from "../../platform/lib/ip-network.ts";
import { MAX_REMEMBERED_SEARCHERS, UNKNOWN_SLUGS_PER_CLIENT } from "../limits.ts";

// The bound of a client's unknown slugs, in this isolate (docs/adr/0036-unknown-slugs-are-bounded.md).

/** What an admitted request needs, or after how many whole seconds a refused client may ask again. */
type Search = { waitSeconds?: undefined; forget(): void; undo(): void } | { waitSeconds: number };

/** The unknown slugs that a client asked for lately. */
interface Searcher {
  /** When each was last asked for, Unix milliseconds, by the hash of its cache key. The oldest comes first. */
  slugs: Map<number, number>;
  lastAt: number;
}

/** By client. The one that asked longest ago comes first. */
const searchers = new Map<string, Searcher>();

/**
 * Admits or refuses a request for a slug or a domain that no cache has. `key` is its cache key. It counts as unknown until
 * `forget` is called. `undo` takes back this request alone: an earlier one for the same slug still counts.
 */
export function beginSearch(headers: Headers, key: string, now: number): Search {
  const client = clientOf(headers);
  const { slugs } = recall(client, now);
  const slug = fnv1a(key);
  const isNew = !slugs.has(slug);
  if (isNew && slugs.size >= UNKNOWN_SLUGS_PER_CLIENT) return { waitSeconds: waitOf(slugs, now) };
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

/** Whole seconds until the oldest slug is forgotten, at least 1. */
function waitOf(slugs: Map<number, number>, now: number): number {
  const oldest = slugs.values().next().value as number;
  return Math.max(1, Math.ceil((oldest + RATE_LIMIT_WINDOW_MS - now) / SECOND_MS));
}

/** For tests, which share the isolate. */
export function clear(): void {
  searchers.clear();
}
