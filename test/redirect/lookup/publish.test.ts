import { beforeEach, describe, expect, it, vi } from "vitest";
import * as memoryCache from "../../../src/redirect/lookup/memory-cache.ts";
import { accountId, call, createLink, key, startAccount } from "../../support/api.ts";
import { interceptD1, type D1Interceptor } from "../../support/d1-client.ts";
import { createLinkAt, insertDomain } from "../../support/domains.ts";
import { MAX_BULK_LINKS } from "../../../src/links/limits.ts";

// Two isolates of a data centre look into the edge cache and then write to it, in any order. Here, the write of one change
// is held until another one is complete.

const OLD = "https://example.com/old";
const VERSIONS = "FROM json_each(?1) s";

beforeEach(startAccount);

/** Holds the next `count` writes to the edge cache. */
async function holdWrites(count: number): Promise<{ held: Promise<void>; release: () => void }> {
  const cache = await caches.open("links-1");
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let left = count;
  vi.spyOn(caches, "open").mockResolvedValue({
    match: (...input: Parameters<Cache["match"]>) => cache.match(...input),
    put: async (...input: Parameters<Cache["put"]>) => {
      if (left > 0) {
        if (--left === 0) held.resolve();
        await released.promise;
      }
      return cache.put(...input);
    },
  } as unknown as Cache);
  return { held: held.promise, release: () => released.resolve() };
}

/** Makes the first change, and writes its `writes` copies after the second change is complete. */
async function writeLate(first: () => Promise<Response>, second: () => Promise<unknown>, writes = 1): Promise<void> {
  const { held, release } = await holdWrites(writes);
  const late = first();
  await held;
  await second();
  release();
  expect((await late).status).toBe(200);
}

/** What a visitor gets in an isolate of the data centre that has not seen the link. */
async function locationOf(path: string): Promise<string | number> {
  memoryCache.clear();
  const response = await call("GET", path);
  return response.headers.get("Location") ?? response.status;
}

const change = (id: string, body: object) => call("PATCH", `/api/links/${id}`, { key, body });
const remove = (id: string) => call("DELETE", `/api/links/${id}`, { key });
const restore = (id: string) => call("POST", `/api/links/${id}/restore`, { key });

describe("of two changes whose copies are written in the other order, the newer one is served", () => {
  it.each<[string, (id: string) => Promise<Response>, (id: string) => Promise<unknown>, string | number]>([
    [
      "a destination, another one",
      (id) => change(id, { url: `${OLD}/1` }),
      (id) => change(id, { url: `${OLD}/2` }),
      `${OLD}/2`,
    ],
    ["a destination, a deletion", (id) => change(id, { url: `${OLD}/1` }), remove, 404],
    ["a deletion, a restoration", remove, restore, OLD],
    ["a deletion, a new link", remove, () => createLink(key, { url: `${OLD}/new`, slug: "raced" }), `${OLD}/new`],
    [
      "a destination, another slug",
      (id) => change(id, { url: `${OLD}/1` }),
      (id) => change(id, { slug: "moved", aliases: [] }),
      404,
    ],
    ["a destination, an expiry", (id) => change(id, { url: `${OLD}/1` }), (id) => change(id, { disabled: true }), 410],
    [
      "a limit of visits, none",
      (id) => change(id, { maxClicks: 1 }),
      (id) => change(id, { maxClicks: null, url: `${OLD}/2` }),
      `${OLD}/2`,
    ],
  ])("%s", async (_name, first, second, expected) => {
    const { id } = await createLink(key, { url: OLD, slug: "raced" });
    expect(await locationOf("/raced")).toBe(OLD);
    await writeLate(
      () => first(id),
      () => second(id),
    );
    expect(await locationOf("/raced")).toBe(expected);
  });

  it("at the slug and at an alias, also if another link has got it", async () => {
    const { id } = await createLink(key, { url: OLD, slug: "former" });
    await change(id, { slug: "raced" });
    await writeLate(
      () => change(id, { url: `${OLD}/1` }),
      () => change(id, { url: `${OLD}/2` }),
      2,
    );
    for (const slug of ["raced", "former"]) expect(await locationOf(`/${slug}`)).toBe(`${OLD}/2`);
    const release = async () => {
      await change(id, { aliases: [] });
      await createLink(key, { url: `${OLD}/other`, slug: "FORMER" });
    };
    await writeLate(() => change(id, { url: `${OLD}/3` }), release, 2);
    expect(await locationOf("/former")).toBe(`${OLD}/other`);
    expect(await locationOf("/raced")).toBe(`${OLD}/3`);
  });

  it("at a custom domain, and of the domain itself", async () => {
    const domainId = await insertDomain(accountId, "go.acme.test", { root_url: OLD });
    const { id } = await createLinkAt("go.acme.test", key, { url: OLD, slug: "spring" });
    await writeLate(
      () => change(id, { url: `${OLD}/1` }),
      () => change(id, { url: `${OLD}/2` }),
    );
    expect(await locationOf("https://go.acme.test/spring")).toBe(`${OLD}/2`);
    const changeRoot = (rootUrl: string) => call("PATCH", `/api/domains/${domainId}`, { key, body: { rootUrl } });
    await writeLate(
      () => changeRoot(`${OLD}/1`),
      () => changeRoot(`${OLD}/2`),
    );
    expect(await locationOf("https://go.acme.test/")).toBe(`${OLD}/2`);
    await writeLate(
      () => changeRoot(`${OLD}/3`),
      () => call("DELETE", `/api/domains/${domainId}?force=true`, { key }),
    );
    expect(await locationOf("https://go.acme.test/")).toBe(404);
  });

  it("although a third change was made while the second one was written again", async () => {
    const { id } = await createLink(key, { url: OLD, slug: "raced" });
    const first = await holdWrites(1);
    const late = change(id, { url: `${OLD}/1` });
    await first.held;
    await change(id, { url: `${OLD}/2` });
    const second = await holdWrites(1);
    first.release();
    await second.held;
    await change(id, { url: `${OLD}/3` });
    second.release();
    await late;
    expect(await locationOf("/raced")).toBe(`${OLD}/3`);
  });

  it("of a hundred links changed at once", async () => {
    const ids: string[] = [];
    for (let n = 0; n < MAX_BULK_LINKS; n++) ids.push((await createLink(key, { url: OLD, slug: `raced-${n}` })).id);
    const bulk = (url: string) => call("PATCH", "/api/links/bulk", { key, body: { ids, changes: { url } } });
    await writeLate(
      () => bulk(`${OLD}/1`),
      () => bulk(`${OLD}/2`),
      MAX_BULK_LINKS,
    );
    for (const n of [0, 50, MAX_BULK_LINKS - 1]) expect(await locationOf(`/raced-${n}`)).toBe(`${OLD}/2`);
  });
});

it("serves a change although a redirect that read the link before writes its copy after it", async () => {
  const { id } = await createLink(key, { url: OLD, slug: "raced" });
  const { held, release } = await holdWrites(1);
  const visit = call("GET", "/raced");
  await held;
  const releaseBeforeTheVersionIsRead: D1Interceptor = async (sql, send) => {
    if (String(sql).includes(VERSIONS)) {
      release();
      await visit;
    }
    return send();
  };
  await interceptD1(releaseBeforeTheVersionIsRead, () => change(id, { url: `${OLD}/1` }));
  expect((await visit).headers.get("Location")).toBe(OLD);
  expect(await locationOf("/raced")).toBe(`${OLD}/1`);
});

it("reads two rows for each changed slug after the response, and three for each alias or deleted slug, in one statement", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 10; n++) ids.push((await createLink(key, { slug: `counted-${n}` })).id);
  const [id = ""] = ids;
  const bulk = (method: string, body: object) => call(method, "/api/links/bulk", { key, body: { ids, ...body } });
  // Redirects do not know titles.
  expect(await rowsOfVersions(() => change(id, { title: "x" }))).toEqual([]);
  expect(await rowsOfVersions(() => change(id, { redirectStatus: 301 }))).toEqual([2]);
  expect(await rowsOfVersions(() => bulk("PATCH", { changes: { redirectStatus: 307 } }))).toEqual([20]);
  expect(await rowsOfVersions(() => change(id, { slug: "new-slug" }))).toEqual([2 + 3]);
  expect(await rowsOfVersions(() => change(id, { slug: "newest-slug" }))).toEqual([2 + 3 + 3]);
  expect(await rowsOfVersions(() => createLink(key, { slug: "created" }))).toEqual([]);
  expect(await rowsOfVersions(() => bulk("DELETE", {}))).toEqual([3 * 12]);
});

/** The rows that each statement read that reads versions. */
async function rowsOfVersions(run: () => Promise<unknown>): Promise<number[]> {
  const rows: number[] = [];
  const count: D1Interceptor = async (sql, send) => {
    const output = await send();
    const [result] = [output].flat() as { meta?: { rows_read?: number } }[];
    if (String(sql).includes(VERSIONS)) rows.push(result?.meta?.rows_read ?? 0);
    return output;
  };
  await interceptD1(count, run);
  return rows;
}

it("makes a change although the version cannot be read afterwards", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const { id } = await createLink(key, { url: OLD, slug: "raced" });
  const fail: D1Interceptor = (sql, send) =>
    String(sql).includes(VERSIONS) ? Promise.reject(new Error("D1 is down")) : send();
  await interceptD1(fail, async () => expect((await change(id, { url: `${OLD}/1` })).status).toBe(200));
  expect(await locationOf("/raced")).toBe(`${OLD}/1`);
  expect(warn.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown)).toEqual([
    expect.objectContaining({ event: "publication_not_confirmed", error: "Error: D1 is down" }),
  ]);
});
