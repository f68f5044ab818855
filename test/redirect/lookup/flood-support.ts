import { env } from "cloudflare:workers";
import { setImmediate } from "node:timers";
import { expect, vi } from "vitest";
import * as memoryCache from "../../../src/redirect/lookup/memory-cache.ts";
import { freshAddress } from "../../support/address.ts";
import { call, createLink } from "../../support/api.ts";
import { interceptD1 } from "../../support/d1-client.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { insertManyLinks } from "../../support/many-links.ts";

let unknown = 0;
export const unknownSlug = () => `unknown-${++unknown}`;

export async function statusOf(path: string, address: string): Promise<number> {
  return (await call("GET", path, { address })).status;
}

/** A request for a path by an address. */
export type Visit = [path: string, address: string];

/** Makes all visits at once. Returns how many got each status, and what the database did. */
export async function visitAll(visits: readonly Visit[]) {
  const statuses: Record<number, number> = {};
  const measured = await measureD1(() =>
    Promise.all(
      visits.map(async ([path, address]) => {
        const status = await statusOf(path, address);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }),
    ),
  );
  return { statuses, ...measured };
}

const LOOKUP = /FROM (links|domains) WHERE domain = \?1/;

/** As {@link visitAll}, and no read of the database ends before all have looked into the edge cache. */
export async function visitTogether(visits: readonly Visit[]) {
  const arrived = Promise.withResolvers<void>();
  let looks = 0;
  const open = caches.open.bind(caches);
  const opened = vi.spyOn(caches, "open").mockImplementation(async (name) => {
    const cache = await open(name);
    const match = cache.match.bind(cache);
    cache.match = async (...input) => {
      const found = await match(...input);
      if (++looks === visits.length) setImmediate(arrived.resolve);
      return found;
    };
    return cache;
  });
  let result: Awaited<ReturnType<typeof visitAll>> | undefined;
  await interceptD1(
    async (sql, send) => {
      if (LOOKUP.test(String(sql))) await arrived.promise;
      return send();
    },
    async () => void (result = await visitAll(visits)),
  );
  opened.mockRestore();
  return result as Awaited<ReturnType<typeof visitAll>>;
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
