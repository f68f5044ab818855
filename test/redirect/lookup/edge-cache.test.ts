import { beforeEach, expect, it, vi } from "vitest";
import { clearMemoryCache } from "../../../src/redirect/lookup/memory-cache.ts";
import { call, createAccount, createLink } from "../../support/api.ts";
import { insertDomain } from "../../support/domains.ts";

let key: string;
beforeEach(async () => {
  ({ key } = await createAccount());
});

/** Replaces the data centre's cache. */
function stubCache(cache: Partial<Cache>): void {
  const failing = () => Promise.reject(new Error("the cache is down"));
  vi.spyOn(caches, "open").mockResolvedValue({ match: failing, put: failing, delete: failing, ...cache });
}

it("follows, changes and deletes links while the cache fails", async () => {
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

it("follows links while the cache answers with something else", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  stubCache({ match: () => Promise.resolve(new Response("<html>")) });
  await createLink(key, { slug: "odd" });
  expect((await call("GET", "/odd")).status).toBe(302);
});

it("logs a failing cache with neither the query string nor anything of the visitor", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  stubCache({});
  await call("GET", "/some-link?token=query-secret", { headers: { Cookie: "a=cookie-secret" } });
  const lines = warn.mock.calls.map(([line]) => String(line));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ event: "link_cache_failed" });
  expect(lines.join("\n")).not.toContain("secret");
});

it("keeps links for a day and says so to the cache", async () => {
  const put = vi.fn<Cache["put"]>(() => Promise.resolve());
  stubCache({ match: () => Promise.resolve(undefined), put });
  await createLink(key, { slug: "kept" });
  await call("GET", "/kept?token=secret");
  const [[place, response] = []] = put.mock.calls;
  expect(place).toEqual(expect.not.stringContaining("secret"));
  expect(response?.headers.get("Cache-Control")).toBe("max-age=86400");
});

it("does not let a limited or a deleted link be answered from the cache", async () => {
  await createLink(key, { slug: "limited", maxClicks: 1 });
  const { id } = await createLink(key, { slug: "deleted" });
  for (const slug of ["limited", "deleted"]) expect((await call("GET", `/${slug}`)).status).toBe(302);
  await call("DELETE", `/api/links/${id}`, { key });
  for (let visit = 0; visit < 2; visit++) {
    clearMemoryCache();
    expect((await call("GET", "/limited")).status).toBe(410);
    expect((await call("GET", "/deleted")).status).toBe(404);
  }
});

it("keeps entries of this form under this name: another form needs another name", async () => {
  await insertDomain((await createAccount()).accountId, "go.acme.test");
  await createLink(key, { slug: "formed" });
  for (const url of ["/formed", "https://go.acme.test/"]) await call("GET", url);
  const cache = await caches.open("links-4");
  const formOf = async (place: string) => {
    const kept = await cache.match(`https://links.cache/${place}`);
    return Object.keys((await kept?.json<object>()) ?? {}).toSorted();
  };
  expect(await formOf("/formed")).toEqual([
    "accountId",
    "askDatabase",
    "expiredLocation",
    "expiresAt",
    "id",
    "location",
    "passwordTag",
    "preview",
    "readAt",
    "redirectStatus",
    "targets",
    "updatedAt",
  ]);
  expect(await formOf("go.acme.test/")).toEqual([
    "accountId",
    "appleAppSiteAssociation",
    "askDatabase",
    "assetLinks",
    "notFoundLocation",
    "readAt",
    "rootLocation",
    "updatedAt",
  ]);
});
