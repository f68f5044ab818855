import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import * as memoryCache from "../../../src/redirect/lookup/memory-cache.ts";
import { buildRequest, call, createAccount, createLink, send } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import {
  EDGE_COPY_IN_USE_MS,
  EDGE_COPY_REWRITE_AFTER_MS,
  ENTRY_FRESH_MS,
  LINK_READ_TIMEOUT_WITH_COPY_MS,
  MEMORY_CACHE_FRESH_MS,
} from "../../../src/redirect/limits.ts";

let key: string;
beforeEach(async () => {
  ({ key } = await createAccount());
  vi.useFakeTimers({ toFake: ["Date"] });
});

function advance(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

const failing = new Proxy(env.DB, {
  get: () => () => {
    throw new Error("D1 is down");
  },
});

async function locationOf(path: string, bindings: Partial<Env> = {}): Promise<string | number> {
  const response = await send(buildRequest("GET", path), bindings);
  return response.headers.get("Location") ?? response.status;
}

/** The database and edge cache operations of a request. */
async function operationsOf(path: string, bindings: Partial<Env> = {}) {
  const operations = { looks: 0, reads: 0, writes: 0 };
  const open = caches.open.bind(caches);
  const opened = vi.spyOn(caches, "open").mockImplementation(async (name) => {
    const cache = await open(name);
    return {
      match: (...input: Parameters<Cache["match"]>) => (operations.looks++, cache.match(...input)),
      put: (...input: Parameters<Cache["put"]>) => (operations.writes++, cache.put(...input)),
    } as unknown as Cache;
  });
  const { roundTrips } = await measureD1(() => send(buildRequest("GET", path), bindings));
  opened.mockRestore();
  return { ...operations, reads: roundTrips };
}

/** Has the edge copy look like one that another isolate wrote. */
async function disownCopy(slug: string): Promise<void> {
  const cache = await caches.open("links-8");
  const url = `https://links.cache//${slug}`;
  const copy = await (await cache.match(url))?.json<object>();
  const headers = { "Cache-Control": "max-age=86400" };
  await cache.put(url, Response.json({ ...copy, writtenBy: "another isolate" }, { headers }));
}

describe("a link that the memory cache does not have", () => {
  it("is looked up in the edge cache, read from the database and written to the edge cache", async () => {
    for (const slug of ["one", "two"]) {
      await createLink(key, { slug });
      // The second look comes right before the write: another isolate may have changed the link meanwhile.
      expect(await operationsOf(`/${slug}`)).toEqual({ looks: 2, reads: 1, writes: 1 });
      memoryCache.clear();
      expect(await operationsOf(`/${slug}`)).toEqual({ looks: 1, reads: 0, writes: 0 });
    }
  });

  it("is read and written again if the edge cache has lost it, although this isolate read it lately", async () => {
    await createLink(key, { slug: "lost" });
    await call("GET", "/lost");
    await (await caches.open("links-8")).delete("https://links.cache//lost");
    advance(MEMORY_CACHE_FRESH_MS);
    expect(await operationsOf("/lost")).toEqual({ looks: 2, reads: 1, writes: 1 });
  });

  it("is served from the edge cache while the database fails", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await createLink(key, { slug: "printed", url: "https://example.com/printed" });
    await call("GET", "/printed");
    memoryCache.clear();
    advance(ENTRY_FRESH_MS);
    expect(await locationOf("/printed", { DB: failing })).toBe("https://example.com/printed");
    expect(warn.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown)).toEqual([
      expect.objectContaining({ event: "link_read_failed", served: "copy" }),
    ]);
    expect(await locationOf("/never-seen", { DB: failing })).toBe(503);
  });

  it("is not found after it was deleted in this data centre, although the replica still has it", async () => {
    const { id } = await createLink(key, { slug: "deleted", url: "https://example.com/old" });
    const { results } = await env.DB.prepare("SELECT * FROM links").all();
    const lagging = {
      prepare: (sql: string) => env.DB.prepare(sql),
      withSession: () => ({
        prepare: () => ({ bind: () => ({ all: async () => ({ results, meta: { served_by_primary: false } }) }) }),
      }),
    } as unknown as D1Database;
    expect(await locationOf("/deleted", { DB: lagging })).toBe("https://example.com/old");
    await call("DELETE", `/api/links/${id}`, { key });
    memoryCache.clear();
    expect(await locationOf("/deleted", { DB: lagging })).toBe(404);
  });

  it("is served from a stale copy if the database is slow, and waited for without a copy", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await createLink(key, { slug: "printed", url: "https://example.com/printed" });
    await createLink(key, { slug: "new", url: "https://example.com/new" });
    await call("GET", "/printed");
    memoryCache.clear();
    advance(ENTRY_FRESH_MS);
    const DB = slowDatabase(LINK_READ_TIMEOUT_WITH_COPY_MS + 200);
    const locations = await Promise.all(["/printed", "/new"].map((path) => locationOf(path, { DB })));
    expect(locations).toEqual(["https://example.com/printed", "https://example.com/new"]);
  });
});

describe("an unchanged link that is no longer fresh", () => {
  const REVALIDATED = { looks: 1, reads: 1, writes: 0 };
  const REWRITTEN = { looks: 2, reads: 1, writes: 1 };

  beforeEach(async () => {
    await createLink(key, { slug: "seen" });
    await call("GET", "/seen");
  });

  it("costs a look and a read, less than one that is new to the data centre", async () => {
    for (const forgotten of [false, true]) {
      if (forgotten) memoryCache.clear();
      advance(ENTRY_FRESH_MS);
      expect(await operationsOf("/seen")).toEqual(REVALIDATED);
    }
  });

  it("is read once in 30 seconds by an isolate that uses it, although its copy in the edge cache is older", async () => {
    advance(ENTRY_FRESH_MS);
    expect(await operationsOf("/seen")).toEqual(REVALIDATED);
    advance(ENTRY_FRESH_MS - 1);
    expect(await operationsOf("/seen")).toEqual({ looks: 1, reads: 0, writes: 0 });
    advance(1 + MEMORY_CACHE_FRESH_MS);
    expect(await operationsOf("/seen")).toEqual(REVALIDATED);
  });

  it("is written again if another isolate uses it too, so that it finds a fresh copy", async () => {
    await disownCopy("seen");
    advance(EDGE_COPY_IN_USE_MS - 1);
    expect(await operationsOf("/seen")).toEqual(REWRITTEN);
    memoryCache.clear();
    expect(await operationsOf("/seen")).toEqual({ looks: 1, reads: 0, writes: 0 });
  });

  it("is not written again if nobody has used it for minutes", async () => {
    await disownCopy("seen");
    advance(EDGE_COPY_IN_USE_MS);
    expect(await operationsOf("/seen")).toEqual(REVALIDATED);
    // From now on it is in use.
    advance(ENTRY_FRESH_MS);
    expect(await operationsOf("/seen")).toEqual(REWRITTEN);
  });

  it("is written again after an hour, so that a copy is there for a day after a visit", async () => {
    advance(EDGE_COPY_REWRITE_AFTER_MS - 1);
    expect(await operationsOf("/seen")).toEqual(REVALIDATED);
    advance(ENTRY_FRESH_MS);
    expect(await operationsOf("/seen")).toEqual(REWRITTEN);
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    memoryCache.clear();
    advance(23 * EDGE_COPY_REWRITE_AFTER_MS);
    expect(await locationOf("/seen", { DB: failing })).toBe("https://example.com/");
  });

  it("is read by an isolate that only has its old copy in the edge cache", async () => {
    advance(ENTRY_FRESH_MS);
    await operationsOf("/seen");
    await env.DB.prepare("UPDATE links SET url = 'https://example.com/new', updated_at = updated_at + 1").run();
    memoryCache.clear();
    expect(await locationOf("/seen")).toBe("https://example.com/new");
  });
});

it("does not overwrite a change that another isolate published during the read", async () => {
  await createLink(key, { slug: "raced", url: "https://example.com/old" });
  await call("GET", "/raced");
  await disownCopy("raced");
  advance(ENTRY_FRESH_MS);
  const cache = await caches.open("links-8");
  const url = "https://links.cache//raced";
  const copy = await (await cache.match(url))?.json<{ entry: { updatedAt: number } }>();
  if (copy === undefined) throw new Error("no copy");
  const entry = { ...copy.entry, updatedAt: copy.entry.updatedAt + 1, bypassCache: true };
  const publish = () =>
    cache.put(url, Response.json({ ...copy, entry }, { headers: { "Cache-Control": "max-age=86400" } }));
  const DB = slowDatabase(0, publish);
  expect(await locationOf("/raced", { DB })).toBe("https://example.com/old");
  expect(await (await cache.match(url))?.json()).toMatchObject({ entry });
  // The tombstone is in memory too: the database is read again.
  expect((await measureD1(() => call("GET", "/raced"))).roundTrips).toBe(1);
});

/** A database whose reads take `ms`, and after which `then` runs. */
function slowDatabase(ms: number, then: () => Promise<unknown> = async () => undefined): D1Database {
  const late = async <T>(read: () => Promise<T>) => {
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    const result = await read();
    await then();
    return result;
  };
  const prepare = (session: Pick<D1Database, "prepare">) => (sql: string) => ({
    bind: (...values: unknown[]) => {
      const bound = session.prepare(sql).bind(...values);
      return { first: () => late(() => bound.first()), all: () => late(() => bound.all()) };
    },
  });
  return {
    prepare: prepare(env.DB),
    withSession: () => ({ prepare: prepare(env.DB.withSession("first-unconstrained")) }),
  } as unknown as D1Database;
}
