import { env } from "cloudflare:workers";
import { expect } from "vitest";
import * as memoryCache from "../../../src/redirect/lookup/memory-cache.ts";
import { EMPTY_LOOKUPS_PER_SECOND } from "../../../src/redirect/limits.ts";
import { freshAddress } from "../../support/address.ts";
import { call, createLink } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { insertManyLinks } from "../../support/many-links.ts";

/** What one client, or one slug, gets of the look-ups of a second if it is alone. */
export const HALF = EMPTY_LOOKUPS_PER_SECOND / 2;

let unknown = 0;
export const unknownSlug = () => `unknown-${++unknown}`;

export async function statusOf(path: string, address: string): Promise<number> {
  return (await call("GET", path, { address })).status;
}

/** A request for a path by an address. */
type Visit = [path: string, address: string];

/** Makes all visits at once. Returns how many got each status, and the round trips to the database. */
export async function visitAll(visits: readonly Visit[]) {
  const statuses: Record<number, number> = {};
  const { roundTrips } = await measureD1(() =>
    Promise.all(
      visits.map(async ([path, address]) => {
        const status = await statusOf(path, address);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }),
    ),
  );
  return { statuses, roundTrips };
}

export const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** Visits of different unknown slugs, each by another address. */
export const flood = (count: number, host = ""): Visit[] =>
  times(count, () => [`${host}/${unknownSlug()}`, freshAddress()]);

/** Creates a link that the memory cache has, and one that only the edge cache has. */
export async function cacheLinks(key: string): Promise<void> {
  for (const slug of ["in-memory", "at-the-edge"]) {
    await createLink(key, { slug });
    expect(await statusOf(`/${slug}`, freshAddress())).toBe(302);
  }
  memoryCache.clear();
  expect(await statusOf("/in-memory", freshAddress())).toBe(302);
}

/** Creates links that no cache has. Returns their slugs. */
export async function insertLinks(accountId: number, count: number): Promise<string[]> {
  await insertManyLinks(env.DB, accountId, count);
  const { results } = await env.DB.prepare("SELECT slug FROM links").all<{ slug: string }>();
  return results.map(({ slug }) => slug);
}
