import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import * as memoryCache from "../../src/redirect/lookup/memory-cache.ts";
import { accountId, call, createAccount, createLink, key, startAccount } from "../support/api.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { createLinkAt, insertDomain } from "../support/domains.ts";
import {
  ENTRY_FRESH_MS,
  ENTRY_SERVED_MS,
  MEMORY_CACHE_FRESH_MS,
  MEMORY_CACHE_REFRESH_BEFORE_MS,
} from "../../src/redirect/limits.ts";

beforeEach(async () => {
  await startAccount();
  vi.useFakeTimers({ toFake: ["Date"] });
});

async function visit(path: string): Promise<{ roundTrips: number; rowsRead: number; rowsWritten: number }> {
  const { roundTrips, rowsRead, rowsWritten } = await measureD1(() => call("GET", path));
  return { roundTrips, rowsRead, rowsWritten };
}

const NOTHING = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 };
const ONE_ROW = { roundTrips: 1, rowsRead: 1, rowsWritten: 0 };

it("reads one row in one round trip for a link that no cache has, and nothing while it is in the memory cache", async () => {
  await createLink(key, { slug: "cold", url: "https://example.com/" });
  await createLink(key, { slug: "cold-too" });
  expect(await visit("/cold?a=1")).toEqual(ONE_ROW);
  for (const path of ["/cold", "/COLD/", "/cold?b=2"]) expect(await visit(path)).toEqual(NOTHING);
});

it("reads two rows in one round trip for an alias, and none while it is in the memory cache", async () => {
  const { id } = await createLink(key, { slug: "former" });
  await call("PATCH", `/api/links/${id}`, { key, body: { slug: "present" } });
  memoryCache.clear();
  vi.setSystemTime(Date.now() + ENTRY_FRESH_MS);
  expect(await visit("/present")).toEqual(ONE_ROW);
  expect(await visit("/former")).toEqual({ roundTrips: 1, rowsRead: 2, rowsWritten: 0 });
  expect(await visit("/FORMER")).toEqual(NOTHING);
});

it("uses neither the edge cache nor the database while the link is in the memory cache", async () => {
  await createLink(key, { slug: "hot" });
  await call("GET", "/hot");
  const caching = vi.spyOn(caches, "open").mockRejectedValue(new Error("must not be used"));
  const prepared = vi.spyOn(env.DB, "prepare");
  const sessions = vi.spyOn(env.DB, "withSession");
  expect((await call("GET", "/hot")).status).toBe(302);
  expect([caching.mock.calls, prepared.mock.calls, sessions.mock.calls]).toEqual([[], [], []]);
});

it("reads nothing while the link is fresh in the edge cache", async () => {
  await createLink(key, { slug: "cached" });
  await call("GET", "/cached");
  memoryCache.clear();
  vi.setSystemTime(Date.now() + ENTRY_FRESH_MS - 1);
  expect(await visit("/cached")).toEqual(NOTHING);
  memoryCache.clear();
  vi.setSystemTime(Date.now() + 1);
  expect(await visit("/cached")).toEqual(ONE_ROW);
});

it("reads a link in constant use once in 30 seconds", async () => {
  await createLink(key, { slug: "busy" });
  let roundTrips = 0;
  for (let second = 0; second <= 60; second++) {
    ({ roundTrips } = { roundTrips: roundTrips + (await visit("/busy")).roundTrips });
    vi.setSystemTime(Date.now() + 1_000);
  }
  expect(roundTrips).toBeLessThanOrEqual(1 + 60_000 / ENTRY_FRESH_MS);
});

it("refreshes a link in the memory cache in the background, so that no visitor waits for it", async () => {
  await createLink(key, { slug: "hot" });
  await call("GET", "/hot");
  // The memory cache takes it from the edge cache once more, shortly before it stops being fresh there.
  vi.setSystemTime(Date.now() + ENTRY_FRESH_MS - 1);
  await call("GET", "/hot");
  await env.DB.prepare("UPDATE links SET url = 'https://example.com/new', updated_at = updated_at + 1").run();
  vi.setSystemTime(Date.now() + 1 + ENTRY_SERVED_MS - ENTRY_FRESH_MS - MEMORY_CACHE_REFRESH_BEFORE_MS);
  expect((await call("GET", "/hot")).headers.get("Location")).toBe("https://example.com/");
  expect((await call("GET", "/hot")).headers.get("Location")).toBe("https://example.com/new");
  vi.setSystemTime(Date.now() + MEMORY_CACHE_FRESH_MS - 1);
  expect(await visit("/hot")).toEqual(NOTHING);
});

it("reads at most one row for an unknown slug, each time", async () => {
  for (let time = 0; time < 2; time++) {
    const { roundTrips, rowsRead, rowsWritten } = await visit("/unknown");
    expect({ roundTrips, rowsWritten }).toEqual({ roundTrips: 1, rowsWritten: 0 });
    expect(rowsRead).toBeLessThanOrEqual(1);
  }
});

it("reads nothing for a path that cannot be a link, and once whether the home page has an owner", async () => {
  expect(await visit("/")).toEqual({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
  for (const path of ["/", "/robots.txt", "/favicon.ico", "/a.b", "/a/b", "/%"])
    expect(await visit(path)).toEqual(NOTHING);
});

it("uses a visit of a limited link with two round trips, whatever else is stored", async () => {
  await createLink(key, { slug: "limited", maxClicks: 2 });
  await createLink(key, { slug: "limited-too", maxClicks: 2 });
  const { roundTrips, rowsRead, rowsWritten } = await visit("/limited");
  expect(roundTrips).toBe(2);
  expect(rowsRead).toBeLessThanOrEqual(5);
  expect(rowsWritten).toBe(1);
});

it("reads a link of a custom domain in one round trip, and nothing while it is in the memory cache", async () => {
  await insertDomain(accountId, "go.acme.test");
  // Rows of other accounts that claim the same domain are not read.
  for (let other = 0; other < 5; other++)
    await insertDomain((await createAccount()).accountId, "go.acme.test", { status: "pending" });
  for (const slug of ["cold", "cold-too"]) await createLinkAt("go.acme.test", key, { slug });
  // One row for the link and one for its domain.
  expect(await visit("https://go.acme.test/cold")).toEqual({ roundTrips: 1, rowsRead: 2, rowsWritten: 0 });
  expect(await visit("https://go.acme.test:8787/cold?a=1")).toEqual(NOTHING);
});

it("reads a link of a custom domain in any case from the same copy", async () => {
  await insertDomain(accountId, "go.acme.test");
  await createLinkAt("go.acme.test", key, { slug: "Cold" });
  expect(await visit("https://go.acme.test/COLD")).toEqual({ roundTrips: 1, rowsRead: 2, rowsWritten: 0 });
  for (const path of ["cold", "Cold", "COLD"]) expect(await visit(`https://go.acme.test/${path}`)).toEqual(NOTHING);
  memoryCache.clear();
  for (const path of ["coLD", "cold", "COLD"]) expect(await visit(`https://go.acme.test/${path}`)).toEqual(NOTHING);
});

it("reads as many rows for a link of a case-sensitive domain as at another domain", async () => {
  await insertDomain(accountId, "go.acme.test", { case_sensitive: 1 });
  for (const slug of ["abC", "ABC", "abc"]) await createLinkAt("go.acme.test", key, { slug });
  for (const path of ["abC", "ABC", "abc"]) {
    const url = `https://go.acme.test/${path}`;
    expect(await visit(url)).toEqual({ roundTrips: 1, rowsRead: 2, rowsWritten: 0 });
    expect(await visit(url)).toEqual(NOTHING);
    memoryCache.clear();
    expect(await visit(url)).toEqual(NOTHING);
  }
  vi.setSystemTime(Date.now() + ENTRY_FRESH_MS);
  memoryCache.clear();
  expect(await visit("https://go.acme.test/ABC")).toEqual({ roundTrips: 1, rowsRead: 2, rowsWritten: 0 });
});

it("reads a custom domain's settings once for all its paths that are not links", async () => {
  await insertDomain(accountId, "go.acme.test", { not_found_url: "https://example.com/lost" });
  expect(await visit("https://go.acme.test/")).toEqual({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
  for (const path of ["/", "/robots.txt", "/favicon.ico", "/a.b", "/.well-known/assetlinks.json"])
    expect(await visit(`https://go.acme.test${path}`)).toEqual(NOTHING);
  memoryCache.clear();
  expect(await visit("https://go.acme.test/")).toEqual(NOTHING);
});

it("reads an unknown slug of a custom domain once, and the domain if it is not in the memory cache", async () => {
  await insertDomain(accountId, "go.acme.test");
  const unknown = "https://go.acme.test/unknown";
  expect(await visit(unknown)).toEqual({ roundTrips: 2, rowsRead: 1, rowsWritten: 0 });
  for (let time = 0; time < 2; time++)
    expect(await visit(unknown)).toEqual({ roundTrips: 1, rowsRead: 0, rowsWritten: 0 });
  // A host that is not verified is read each time: misses are not cached.
  for (let time = 0; time < 2; time++) {
    expect(await visit("https://nobodys.test/")).toEqual({ roundTrips: 1, rowsRead: 0, rowsWritten: 0 });
    expect(await visit("https://nobodys.test/unknown")).toEqual({ roundTrips: 2, rowsRead: 0, rowsWritten: 0 });
  }
});
