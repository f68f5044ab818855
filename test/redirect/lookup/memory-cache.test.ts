import { expect, it } from "vitest";
import {
  MAX_MEMO_CHARS,
  MAX_MEMO_ENTRIES,
  LINK_READ_RETRY_MS,
  MEMO_FRESH_MS,
  MEMO_REFRESH_AFTER_MS,
  STALE_KEPT_MS,
} from "../../../src/limits.ts";
import type { RedirectEntry } from "../../../src/redirect/lookup/entry.ts";
import {
  claimRefresh,
  extendAfterFailure,
  recall,
  recallStale,
  remember,
} from "../../../src/redirect/lookup/memory-cache.ts";
import { linkCacheKey, domainCacheKey } from "../../../src/redirect/lookup/cache-key.ts";

const NOW = 1_790_000_000_000;
const PLACE = linkCacheKey("", "a");

function entry(fields: Partial<RedirectEntry> = {}): RedirectEntry {
  return {
    id: "00000000-0000-7000-8000-000000000000",
    accountId: 1,
    updatedAt: NOW,
    location: "https://example.com/",
    redirectStatus: 302,
    expiresAt: null,
    expiredLocation: null,
    targets: null,
    passwordTag: null,
    preview: null,
    askDatabase: false,
    readAt: NOW,
    ...fields,
  };
}

it("knows places by domain and slug, without regard to the slug's case", () => {
  expect(linkCacheKey("", "Spring")).toBe(linkCacheKey("", "sPRING"));
  const places = [
    linkCacheKey("", "a"),
    linkCacheKey("own", "a"),
    linkCacheKey("a", "own"),
    linkCacheKey("", "own"),
    linkCacheKey("a.test", "a"),
    domainCacheKey("a"),
    domainCacheKey("a.test"),
    domainCacheKey("own"),
  ];
  expect(new Set(places).size).toBe(places.length);
});

it("recalls an entry for some seconds, and reading it does not make them more", () => {
  const kept = entry();
  remember(PLACE, kept, NOW);
  for (let ms = 0; ms < MEMO_FRESH_MS; ms += 100) expect(recall(PLACE, NOW + ms)).toBe(kept);
  expect(recall(PLACE, NOW + MEMO_FRESH_MS)).toBeUndefined();
});

it("asks one reader to look for a newer version before the entry is too old", () => {
  remember(PLACE, entry(), NOW);
  expect(claimRefresh(PLACE, NOW + MEMO_REFRESH_AFTER_MS - 1)).toBe(false);
  expect(claimRefresh(PLACE, NOW + MEMO_REFRESH_AFTER_MS)).toBe(true);
  expect(claimRefresh(PLACE, NOW + MEMO_REFRESH_AFTER_MS)).toBe(false);
  expect(recall(PLACE, NOW + MEMO_FRESH_MS)).toBeUndefined();
  expect(claimRefresh(linkCacheKey("", "unknown"), NOW)).toBe(false);
});

it("keeps an entry for a day for when the database cannot be asked", () => {
  const kept = entry();
  remember(PLACE, kept, NOW);
  expect(recallStale(PLACE, NOW + STALE_KEPT_MS - 1)).toBe(kept);
  expect(recallStale(PLACE, NOW + STALE_KEPT_MS)).toBeUndefined();
});

it("uses an old entry for some seconds after a failed read", () => {
  const kept = entry();
  const later = NOW + 60_000;
  remember(PLACE, kept, NOW);
  extendAfterFailure(PLACE, kept, later);
  expect(recall(PLACE, later + LINK_READ_RETRY_MS - 1)).toBe(kept);
  expect(recall(PLACE, later + LINK_READ_RETRY_MS)).toBeUndefined();
  expect(recallStale(PLACE, NOW + STALE_KEPT_MS)).toBeUndefined();
});

it("never recalls an entry for which the database is to be asked, but compares with it", () => {
  const kept = entry({ askDatabase: true });
  remember(PLACE, kept, NOW);
  expect(recall(PLACE, NOW)).toBeUndefined();
  expect(recallStale(PLACE, NOW)).toBe(kept);
});

it.each([
  ["an older version", { updatedAt: NOW - 1, readAt: NOW + 1_000 }, false],
  ["the same version read earlier", { readAt: NOW - 1 }, false],
  ["the same version read later", { readAt: NOW + 1 }, true],
  ["a newer version, whenever read", { updatedAt: NOW + 1, readAt: NOW - 1_000 }, true],
])("decides whether %s takes the place of what it has", (_, fields, taken) => {
  const known = entry();
  const other = entry(fields);
  remember(PLACE, known, NOW);
  expect(remember(PLACE, other, NOW)).toBe(taken ? other : known);
  expect(recall(PLACE, NOW)).toBe(taken ? other : known);
});

it("takes an older version in place of one that the database was asked for, and of none newer", () => {
  const known = entry({ updatedAt: NOW + 100 });
  const restored = entry({ id: "another", updatedAt: NOW + 50, readAt: NOW + 60_000 });
  remember(PLACE, known, NOW);
  expect(remember(PLACE, restored, NOW + 60_000, known.updatedAt - 1)).toBe(known);
  expect(remember(PLACE, restored, NOW + 60_000, known.updatedAt)).toBe(restored);
});

it("compares with no entry that is older than a day", () => {
  remember(PLACE, entry({ updatedAt: NOW + 100 }), NOW);
  const late = entry({ readAt: NOW + STALE_KEPT_MS });
  expect(remember(PLACE, late, NOW + STALE_KEPT_MS)).toBe(late);
});

it("does not become fresh again by an older version that comes in", () => {
  remember(PLACE, entry(), NOW);
  remember(PLACE, entry({ updatedAt: NOW - 1 }), NOW + MEMO_FRESH_MS);
  expect(recall(PLACE, NOW + MEMO_FRESH_MS)).toBeUndefined();
});

it("holds a bounded number of entries: the one that came in first goes first", () => {
  for (let n = 0; n < MAX_MEMO_ENTRIES; n++) remember(linkCacheKey("", `${n}`), entry(), NOW);
  expect(recall(linkCacheKey("", "0"), NOW)).toBeDefined();
  remember(linkCacheKey("", "0"), entry(), NOW);
  remember(linkCacheKey("", "one-more"), entry(), NOW);
  expect(recall(linkCacheKey("", "1"), NOW)).toBeUndefined();
  for (const slug of ["0", "2", `${MAX_MEMO_ENTRIES - 1}`, "one-more"])
    expect(recall(linkCacheKey("", slug), NOW)).toBeDefined();
});

it("holds a bounded number of characters, in places, destinations, expired destinations and targets", () => {
  const chars = MAX_MEMO_CHARS / 64;
  const targets = { rules: [], geo: {}, chars: chars / 4 };
  const long = { location: "l".repeat(chars / 2), expiredLocation: "e".repeat(chars / 4 - 4), targets };
  for (let n = 100; n < 164; n++) remember(linkCacheKey("", `${n}`), entry(long), NOW);
  expect(recall(linkCacheKey("", "100"), NOW)).toBeDefined();
  remember(linkCacheKey("", "s"), entry({ location: "" }), NOW);
  expect(recall(linkCacheKey("", "100"), NOW)).toBeUndefined();
  expect(recall(linkCacheKey("", "101"), NOW)).toBeDefined();
});

it("counts the characters of a domain's files too", () => {
  const files = { appleAppSiteAssociation: "a".repeat(MAX_MEMO_CHARS / 2), assetLinks: "g".repeat(MAX_MEMO_CHARS / 4) };
  const locations = { rootLocation: "r".repeat(MAX_MEMO_CHARS / 8), notFoundLocation: "n".repeat(MAX_MEMO_CHARS / 8) };
  const { updatedAt, readAt, askDatabase } = entry();
  remember(PLACE, entry(), NOW);
  const domain = { accountId: 1, ...files, ...locations, assetLinks: null, updatedAt, readAt, askDatabase };
  remember(domainCacheKey("a.test"), domain, NOW);
  expect(recall(PLACE, NOW)).toBeDefined();
  remember(domainCacheKey("a.test"), { ...domain, ...files }, NOW);
  expect(recall(PLACE, NOW)).toBeUndefined();
});

it("counts the characters of an entry that is replaced no longer", () => {
  const long = { location: "l".repeat(MAX_MEMO_CHARS / 2) };
  remember(linkCacheKey("", "kept"), entry(), NOW);
  for (let time = 0; time < 10; time++) remember(PLACE, entry({ ...long, readAt: NOW + time }), NOW);
  expect(recall(linkCacheKey("", "kept"), NOW)).toBeDefined();
});
