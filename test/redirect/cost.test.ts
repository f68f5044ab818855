import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { CACHE_FRESH_MS, MEMO_FRESH_MS, MEMO_REFRESH_AFTER_MS } from "../../src/limits.ts";
import { clearMemoryCache } from "../../src/redirect/lookup/memory-cache.ts";
import { call, createAccount, createLink } from "../support/api.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { createLinkAt, insertDomain } from "../support/domains.ts";

let accountId: number;
let key: string;
beforeEach(async () => {
  ({ accountId, key } = await createAccount());
  vi.useFakeTimers({ toFake: ["Date"] });
});

async function visit(path: string): Promise<{ roundTrips: number; rowsRead: number; rowsWritten: number }> {
  const { roundTrips, rowsRead, rowsWritten } = await measureD1(() => call("GET", path));
  return { roundTrips, rowsRead, rowsWritten };
}

const NOTHING = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 };
const ONE_ROW = { roundTrips: 1, rowsRead: 1, rowsWritten: 0 };

it("reads one row in one round trip for a link that nobody has visited, and nothing while it is in memory", async () => {
  await createLink(key, { slug: "cold", url: "https://example.com/" });
  await createLink(key, { slug: "cold-too" });
  expect(await visit("/cold?a=1")).toEqual(ONE_ROW);
  for (const path of ["/cold", "/COLD/", "/cold?b=2"]) expect(await visit(path)).toEqual(NOTHING);
});

it("waits for nothing at all when the link is in memory", async () => {
  await createLink(key, { slug: "hot" });
  await call("GET", "/hot");
  const caching = vi.spyOn(caches, "open").mockRejectedValue(new Error("not to be asked"));
  const prepared = vi.spyOn(env.DB, "prepare");
  const sessions = vi.spyOn(env.DB, "withSession");
  expect((await call("GET", "/hot")).status).toBe(302);
  expect([caching.mock.calls, prepared.mock.calls, sessions.mock.calls]).toEqual([[], [], []]);
});

it("reads nothing where the data centre's cache has the link", async () => {
  await createLink(key, { slug: "cached" });
  await call("GET", "/cached");
  clearMemoryCache();
  vi.setSystemTime(Date.now() + CACHE_FRESH_MS - 1);
  expect(await visit("/cached")).toEqual(NOTHING);
  clearMemoryCache();
  vi.setSystemTime(Date.now() + 1);
  expect(await visit("/cached")).toEqual(ONE_ROW);
});

it("reads a link that is always visited once in half a minute", async () => {
  await createLink(key, { slug: "busy" });
  let roundTrips = 0;
  for (let second = 0; second <= 60; second++) {
    ({ roundTrips } = { roundTrips: roundTrips + (await visit("/busy")).roundTrips });
    vi.setSystemTime(Date.now() + 1_000);
  }
  expect(roundTrips).toBeLessThanOrEqual(1 + 60_000 / CACHE_FRESH_MS);
});

it("looks for a newer version of a hot link behind a visitor's back, who does not wait for it", async () => {
  await createLink(key, { slug: "hot" });
  await call("GET", "/hot");
  // Memory takes it from the cache once more, shortly before the cache is too old.
  vi.setSystemTime(Date.now() + CACHE_FRESH_MS - MEMO_REFRESH_AFTER_MS);
  await call("GET", "/hot");
  await env.DB.prepare("UPDATE links SET url = 'https://example.com/new', updated_at = updated_at + 1").run();
  vi.setSystemTime(Date.now() + MEMO_REFRESH_AFTER_MS);
  expect((await call("GET", "/hot")).headers.get("Location")).toBe("https://example.com/");
  expect((await call("GET", "/hot")).headers.get("Location")).toBe("https://example.com/new");
  vi.setSystemTime(Date.now() + MEMO_FRESH_MS - 1);
  expect(await visit("/hot")).toEqual(NOTHING);
});

it("reads at most one row for an unknown slug, each time", async () => {
  for (let time = 0; time < 2; time++) {
    const { roundTrips, rowsRead, rowsWritten } = await visit("/unknown");
    expect({ roundTrips, rowsWritten }).toEqual({ roundTrips: 1, rowsWritten: 0 });
    expect(rowsRead).toBeLessThanOrEqual(1);
  }
});

it("asks nobody about what cannot be a link", async () => {
  for (const path of ["/", "/robots.txt", "/favicon.ico", "/a.b", "/a/b", "/%"])
    expect(await visit(path)).toEqual(NOTHING);
});

it("takes a visit of a limited link with two round trips, whatever else is stored", async () => {
  await createLink(key, { slug: "limited", maxClicks: 2 });
  await createLink(key, { slug: "limited-too", maxClicks: 2 });
  const { roundTrips, rowsRead, rowsWritten } = await visit("/limited");
  expect(roundTrips).toBe(2);
  expect(rowsRead).toBeLessThanOrEqual(5);
  expect(rowsWritten).toBe(1);
});

it("follows a link of a custom domain with one round trip, and none while it is in memory", async () => {
  await insertDomain(accountId, "go.acme.test");
  // Those of others who try for the same domain are not read.
  for (let other = 0; other < 5; other++)
    await insertDomain((await createAccount()).accountId, "go.acme.test", { status: "pending" });
  for (const slug of ["cold", "cold-too"]) await createLinkAt("go.acme.test", key, { slug });
  // The link and its domain.
  expect(await visit("https://go.acme.test/cold")).toEqual({ roundTrips: 1, rowsRead: 2, rowsWritten: 0 });
  expect(await visit("https://go.acme.test:8787/cold?a=1")).toEqual(NOTHING);
});

it("reads a custom domain's settings once, whatever is asked that is not a link", async () => {
  await insertDomain(accountId, "go.acme.test", { not_found_url: "https://example.com/lost" });
  expect(await visit("https://go.acme.test/")).toEqual({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
  for (const path of ["/", "/robots.txt", "/favicon.ico", "/a.b", "/.well-known/assetlinks.json"])
    expect(await visit(`https://go.acme.test${path}`)).toEqual(NOTHING);
  clearMemoryCache();
  expect(await visit("https://go.acme.test/")).toEqual(NOTHING);
});

it("asks for an unknown slug of a custom domain once, and beside it for the domain if that is not known", async () => {
  await insertDomain(accountId, "go.acme.test");
  const unknown = "https://go.acme.test/unknown";
  expect(await visit(unknown)).toEqual({ roundTrips: 2, rowsRead: 1, rowsWritten: 0 });
  for (let time = 0; time < 2; time++)
    expect(await visit(unknown)).toEqual({ roundTrips: 1, rowsRead: 0, rowsWritten: 0 });
  // A host that nobody has verified: each time, since what is not there is not kept.
  for (let time = 0; time < 2; time++) {
    expect(await visit("https://nobodys.test/")).toEqual({ roundTrips: 1, rowsRead: 0, rowsWritten: 0 });
    expect(await visit("https://nobodys.test/unknown")).toEqual({ roundTrips: 2, rowsRead: 0, rowsWritten: 0 });
  }
});
