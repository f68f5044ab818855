import { beforeEach, expect, it, vi } from "vitest";
import type { RedirectEntry } from "../../../src/redirect/lookup/entry.ts";
import * as memoryCache from "../../../src/redirect/lookup/memory-cache.ts";
import { call, createAccount, createLink, key, startAccount } from "../../support/api.ts";
import { insertDomain } from "../../support/domains.ts";

beforeEach(startAccount);

/** Replaces the edge cache. */
function stubCache(cache: Partial<Cache>): void {
  const failing = () => Promise.reject(new Error("the cache is down"));
  vi.spyOn(caches, "open").mockResolvedValue({ match: failing, put: failing, delete: failing, ...cache });
}

it("serves, changes and deletes links while the edge cache fails", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  stubCache({});
  const { id } = await createLink(key, { slug: "uncached", url: "https://example.com/old" });
  expect((await call("GET", "/uncached")).headers.get("Location")).toBe("https://example.com/old");
  const changed = await call("PATCH", `/api/links/${id}`, { key, body: { url: "https://example.com/new" } });
  expect(changed.status).toBe(200);
  expect((await call("GET", "/uncached")).headers.get("Location")).toBe("https://example.com/new");
  expect((await call("DELETE", `/api/links/${id}`, { key })).status).toBe(200);
  expect((await call("GET", "/uncached")).status).toBe(404);
});

it("serves links while the edge cache returns unreadable entries", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  stubCache({ match: () => Promise.resolve(new Response("<html>")) });
  await createLink(key, { slug: "odd" });
  expect((await call("GET", "/odd")).status).toBe(302);
});

it("logs a failing edge cache without the query string and without anything of the visitor", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  stubCache({});
  await call("GET", "/some-link?token=query-secret", { headers: { Cookie: "a=cookie-secret" } });
  const lines = warn.mock.calls.map(([line]) => String(line));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ event: "link_cache_failed" });
  expect(lines.join("\n")).not.toContain("secret");
});

it("writes links with a max-age of a day", async () => {
  const put = vi.fn<Cache["put"]>(() => Promise.resolve());
  stubCache({ match: () => Promise.resolve(undefined), put });
  await createLink(key, { slug: "kept" });
  await call("GET", "/kept?token=secret");
  const [[url, response] = []] = put.mock.calls;
  expect(url).toEqual(expect.not.stringContaining("secret"));
  expect(response?.headers.get("Cache-Control")).toBe("max-age=86400");
});

it("serves neither a limited nor a deleted link from the edge cache", async () => {
  await createLink(key, { slug: "limited", maxClicks: 1 });
  const { id } = await createLink(key, { slug: "deleted" });
  for (const slug of ["limited", "deleted"]) expect((await call("GET", `/${slug}`)).status).toBe(302);
  await call("DELETE", `/api/links/${id}`, { key });
  for (let visit = 0; visit < 2; visit++) {
    memoryCache.clear();
    expect((await call("GET", "/limited")).status).toBe(410);
    expect((await call("GET", "/deleted")).status).toBe(404);
  }
});

it("writes entries of this form under this cache name: another form needs another name", async () => {
  await insertDomain((await createAccount()).accountId, "go.acme.test");
  await createLink(key, { slug: "formed" });
  for (const url of ["/formed", "https://go.acme.test/"]) await call("GET", url);
  const cache = await caches.open("links-8");
  const formOf = async (key: string) => {
    const copy = await (await cache.match(`https://links.cache/${key}`))?.json<{ entry: object }>();
    expect(copy).toEqual({ entry: expect.any(Object), writtenBy: expect.stringMatching(/./) });
    return Object.keys(copy?.entry ?? {}).toSorted();
  };
  expect(await formOf("/formed")).toEqual([
    "accountId",
    "bypassCache",
    "caseSensitive",
    "expiredLocation",
    "expiresAt",
    "id",
    "location",
    "passParameters",
    "passwordTag",
    "preview",
    "readAt",
    "redirectStatus",
    "startsAt",
    "targets",
    "updatedAt",
    "verdict",
  ]);
  expect(await formOf("go.acme.test/")).toEqual([
    "accountId",
    "appleAppSiteAssociation",
    "assetLinks",
    "brandColor",
    "brandLogo",
    "brandName",
    "bypassCache",
    "nestedSlugs",
    "notFoundLocation",
    "pathForwarding",
    "readAt",
    "rootLocation",
    "updatedAt",
  ]);
});

it("keeps no targets of a deleted link", async () => {
  const targets = { geo: { DE: "https://example.com/de" }, rules: [{ os: ["iOS"], url: "https://example.com/ios" }] };
  const { id } = await createLink(key, { slug: "deleted", ...targets });
  await call("GET", "/deleted");
  const entry = async () => {
    const copy = await (await caches.open("links-8")).match("https://links.cache//deleted");
    return (await copy?.json<{ entry: RedirectEntry }>())?.entry;
  };
  expect((await entry())?.targets).not.toBeNull();
  await call("DELETE", `/api/links/${id}`, { key });
  expect(await entry()).toMatchObject({ id, isTombstone: true, targets: null, preview: null });
});
