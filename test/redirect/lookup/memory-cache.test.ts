import { expect, it } from "vitest";
import { domainCacheKey, linkCacheKey } from "../../../src/redirect/lookup/cache-key.ts";
import type { RedirectEntry } from "../../../src/redirect/lookup/entry.ts";
import * as memoryCache from "../../../src/redirect/lookup/memory-cache.ts";
import {
  ENTRY_FRESH_MS,
  ENTRY_SERVED_MS,
  LINK_READ_RETRY_MS,
  MAX_MEMORY_CACHE_CHARS,
  MAX_MEMORY_CACHE_ENTRIES,
  MEMORY_CACHE_FRESH_MS,
  MEMORY_CACHE_REFRESH_BEFORE_MS,
  STALE_ENTRY_TTL_MS,
} from "../../../src/redirect/limits.ts";

const NOW = 1_790_000_000_000;
const KEY = linkCacheKey("", "a", false);

function entry(fields: Partial<RedirectEntry> = {}): RedirectEntry {
  return {
    id: "00000000-0000-7000-8000-000000000000",
    accountId: 1,
    caseSensitive: false,
    updatedAt: NOW,
    location: "https://example.com/",
    redirectStatus: 302,
    passParameters: true,
    startsAt: 0,
    expiresAt: null,
    expiredLocation: null,
    targets: null,
    passwordTag: null,
    preview: null,
    verdict: 0,
    bypassCache: false,
    readAt: NOW,
    ...fields,
  };
}

it("has one key for each domain and slug, whatever the case of the slug unless the domain is case-sensitive", () => {
  expect(linkCacheKey("", "Spring", false)).toBe(linkCacheKey("", "sPRING", false));
  expect(linkCacheKey("a.test", "Spring", true)).not.toBe(linkCacheKey("a.test", "sPRING", true));
  const keys = [
    linkCacheKey("", "a", false),
    linkCacheKey("own", "a", false),
    linkCacheKey("a", "own", false),
    linkCacheKey("", "own", false),
    linkCacheKey("a.test", "a", false),
    domainCacheKey("a"),
    domainCacheKey("a.test"),
    domainCacheKey("own"),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

it("returns an entry for 5 seconds, and reading it does not extend them", () => {
  const kept = entry();
  memoryCache.set(KEY, kept, NOW);
  for (let ms = 0; ms < MEMORY_CACHE_FRESH_MS; ms += 100) expect(memoryCache.get(KEY, NOW + ms)).toBe(kept);
  expect(memoryCache.get(KEY, NOW + MEMORY_CACHE_FRESH_MS)).toBeUndefined();
});

it("returns no entry 32 seconds after its read, however late it came from the edge cache", () => {
  const readAt = NOW - ENTRY_FRESH_MS + 1;
  memoryCache.set(KEY, entry({ readAt }), NOW);
  const end = readAt + ENTRY_SERVED_MS;
  expect(memoryCache.get(KEY, end - 1)).toBeDefined();
  expect(memoryCache.get(KEY, end)).toBeUndefined();
  expect(memoryCache.claimRefresh(KEY, end - MEMORY_CACHE_REFRESH_BEFORE_MS - 1)).toBe(false);
  expect(memoryCache.claimRefresh(KEY, end - MEMORY_CACHE_REFRESH_BEFORE_MS)).toBe(true);
});

it("tells one reader to refresh an entry before it stops being fresh", () => {
  memoryCache.set(KEY, entry(), NOW);
  const refreshAt = NOW + MEMORY_CACHE_FRESH_MS - MEMORY_CACHE_REFRESH_BEFORE_MS;
  expect(memoryCache.claimRefresh(KEY, refreshAt - 1)).toBe(false);
  expect(memoryCache.claimRefresh(KEY, refreshAt)).toBe(true);
  expect(memoryCache.claimRefresh(KEY, refreshAt)).toBe(false);
  expect(memoryCache.get(KEY, NOW + MEMORY_CACHE_FRESH_MS)).toBeUndefined();
  expect(memoryCache.claimRefresh(linkCacheKey("", "unknown", false), NOW)).toBe(false);
});

it("keeps a stale entry for a day, to answer when the database fails", () => {
  const kept = entry();
  memoryCache.set(KEY, kept, NOW);
  expect(memoryCache.getStale(KEY, NOW + STALE_ENTRY_TTL_MS - 1)).toBe(kept);
  expect(memoryCache.getStale(KEY, NOW + STALE_ENTRY_TTL_MS)).toBeUndefined();
});

it("returns a stale entry for some seconds after a failed read", () => {
  const kept = entry();
  const later = NOW + 60_000;
  memoryCache.set(KEY, kept, NOW);
  memoryCache.setAfterFailure(KEY, kept, later);
  expect(memoryCache.get(KEY, later + LINK_READ_RETRY_MS - 1)).toBe(kept);
  expect(memoryCache.get(KEY, later + LINK_READ_RETRY_MS)).toBeUndefined();
  expect(memoryCache.getStale(KEY, NOW + STALE_ENTRY_TTL_MS)).toBeUndefined();
});

it("never returns an entry that bypasses the cache, but keeps it to compare versions", () => {
  const kept = entry({ bypassCache: true });
  memoryCache.set(KEY, kept, NOW);
  expect(memoryCache.get(KEY, NOW)).toBeUndefined();
  expect(memoryCache.getStale(KEY, NOW)).toBe(kept);
});

it.each([
  ["an older version", { updatedAt: NOW - 1, readAt: NOW + 1_000 }, false],
  ["the same version read earlier", { readAt: NOW - 1 }, false],
  ["the same version read later", { readAt: NOW + 1 }, true],
  ["a newer version, whenever read", { updatedAt: NOW + 1, readAt: NOW - 1_000 }, true],
])("decides whether %s replaces the present entry", (_, fields, taken) => {
  const known = entry();
  const other = entry(fields);
  memoryCache.set(KEY, known, NOW);
  expect(memoryCache.set(KEY, other, NOW)).toBe(taken ? other : known);
  expect(memoryCache.get(KEY, NOW)).toBe(taken ? other : known);
});

it("lets an older version replace one that was known when the database was read, and no newer one", () => {
  const known = entry({ updatedAt: NOW + 100 });
  const restored = entry({ id: "another", updatedAt: NOW + 50, readAt: NOW + 60_000 });
  memoryCache.set(KEY, known, NOW);
  expect(memoryCache.set(KEY, restored, NOW + 60_000, known.updatedAt - 1)).toBe(known);
  expect(memoryCache.set(KEY, restored, NOW + 60_000, known.updatedAt)).toBe(restored);
});

it("ignores an entry older than a day when it compares versions", () => {
  memoryCache.set(KEY, entry({ updatedAt: NOW + 100 }), NOW);
  const late = entry({ readAt: NOW + STALE_ENTRY_TTL_MS });
  expect(memoryCache.set(KEY, late, NOW + STALE_ENTRY_TTL_MS)).toBe(late);
});

it("does not become fresh again when an older version is set", () => {
  memoryCache.set(KEY, entry(), NOW);
  memoryCache.set(KEY, entry({ updatedAt: NOW - 1 }), NOW + MEMORY_CACHE_FRESH_MS);
  expect(memoryCache.get(KEY, NOW + MEMORY_CACHE_FRESH_MS)).toBeUndefined();
});

it("holds a bounded number of entries and evicts the one that was set longest ago", () => {
  for (let n = 0; n < MAX_MEMORY_CACHE_ENTRIES; n++) memoryCache.set(linkCacheKey("", `${n}`, false), entry(), NOW);
  expect(memoryCache.get(linkCacheKey("", "0", false), NOW)).toBeDefined();
  memoryCache.set(linkCacheKey("", "0", false), entry(), NOW);
  memoryCache.set(linkCacheKey("", "one-more", false), entry(), NOW);
  expect(memoryCache.get(linkCacheKey("", "1", false), NOW)).toBeUndefined();
  for (const slug of ["0", "2", `${MAX_MEMORY_CACHE_ENTRIES - 1}`, "one-more"])
    expect(memoryCache.get(linkCacheKey("", slug, false), NOW)).toBeDefined();
});

it("holds a bounded number of characters, counted in keys, destinations, expired destinations and targets", () => {
  const chars = MAX_MEMORY_CACHE_CHARS / 64;
  const targets = { rules: [], geo: {}, chars: chars / 4 };
  const long = { location: "l".repeat(chars / 2), expiredLocation: "e".repeat(chars / 4 - 4), targets };
  for (let n = 100; n < 164; n++) memoryCache.set(linkCacheKey("", `${n}`, false), entry(long), NOW);
  expect(memoryCache.get(linkCacheKey("", "100", false), NOW)).toBeDefined();
  memoryCache.set(linkCacheKey("", "s", false), entry({ location: "" }), NOW);
  expect(memoryCache.get(linkCacheKey("", "100", false), NOW)).toBeUndefined();
  expect(memoryCache.get(linkCacheKey("", "101", false), NOW)).toBeDefined();
});

it("counts the characters of a domain's files", () => {
  const files = {
    appleAppSiteAssociation: "a".repeat(MAX_MEMORY_CACHE_CHARS / 2),
    assetLinks: "g".repeat(MAX_MEMORY_CACHE_CHARS / 4),
  };
  const locations = {
    rootLocation: "r".repeat(MAX_MEMORY_CACHE_CHARS / 8),
    notFoundLocation: "n".repeat(MAX_MEMORY_CACHE_CHARS / 8),
  };
  const { updatedAt, readAt, bypassCache } = entry();
  memoryCache.set(KEY, entry(), NOW);
  const brand = { pathForwarding: false, nestedSlugs: false, brandName: null, brandLogo: null, brandColor: null };
  const domain = { accountId: 1, ...files, ...locations, ...brand, assetLinks: null, updatedAt, readAt, bypassCache };
  memoryCache.set(domainCacheKey("a.test"), domain, NOW);
  expect(memoryCache.get(KEY, NOW)).toBeDefined();
  memoryCache.set(domainCacheKey("a.test"), { ...domain, ...files }, NOW);
  expect(memoryCache.get(KEY, NOW)).toBeUndefined();
});

it("no longer counts the characters of a replaced entry", () => {
  const long = { location: "l".repeat(MAX_MEMORY_CACHE_CHARS / 2) };
  memoryCache.set(linkCacheKey("", "kept", false), entry(), NOW);
  for (let time = 0; time < 10; time++) memoryCache.set(KEY, entry({ ...long, readAt: NOW + time }), NOW);
  expect(memoryCache.get(linkCacheKey("", "kept", false), NOW)).toBeDefined();
});

it("keeps a link in use through a flood of new links", () => {
  const inUse = linkCacheKey("", "in-use", false);
  memoryCache.set(inUse, entry(), NOW);
  for (let n = 0; n < 3 * MAX_MEMORY_CACHE_ENTRIES; n++) {
    memoryCache.set(linkCacheKey("", `new-${n}`, false), entry(), NOW);
    // A link in use is refreshed every few seconds.
    if (n % (MAX_MEMORY_CACHE_ENTRIES / 2) === 0) memoryCache.set(inUse, entry(), NOW);
  }
  expect(memoryCache.get(inUse, NOW)).toBeDefined();
  expect(memoryCache.get(linkCacheKey("", "new-0", false), NOW)).toBeUndefined();
});
