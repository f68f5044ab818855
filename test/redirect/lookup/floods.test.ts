import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  EMPTY_LOOKUPS_PER_SECOND,
  MEMORY_CACHE_FRESH_MS,
  REFUSED_LOOKUP_RETRY_SECONDS,
} from "../../../src/redirect/limits.ts";
import { accountId, buildRequest, call, createLink, key, send, startAccount } from "../../support/api.ts";
import { freshAddress } from "../../support/address.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { createLinkAt, insertDomain } from "../../support/domains.ts";
import { cacheLinks, flood, HALF, insertLinks, statusOf, times, unknownSlug, visitAll } from "./flood-support.ts";

// Floods of unknown slugs. The numbers of look-ups are exact.

const HOST = "go.acme.test";
const START = Date.UTC(2026, 0, 1);

let warnings: string[];
beforeEach(async () => {
  await startAccount();
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(START);
  warnings = [];
  vi.spyOn(console, "warn").mockImplementation((line: string) => void warnings.push(line));
});

function advance(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

describe("a flood of unknown slugs, one from each address", () => {
  it("causes a bounded number of look-ups a second, the others get 503", async () => {
    for (let second = 0; second < 3; second++) {
      const { statuses, roundTrips } = await visitAll(flood(300));
      expect(statuses).toEqual({ 404: EMPTY_LOOKUPS_PER_SECOND, 503: 300 - EMPTY_LOOKUPS_PER_SECOND });
      expect(roundTrips).toBe(EMPTY_LOOKUPS_PER_SECOND);
      advance(1_000);
    }
  });

  it("counts the primary's look-up as part of that at the replica", async () => {
    let reads = 0;
    const read = { all: async () => (reads++, { results: [], meta: { served_by_primary: false } }) };
    const primary = { first: async () => (reads++, null) };
    const DB = {
      withSession: () => ({ prepare: () => ({ bind: () => read }) }),
      prepare: () => ({ bind: () => primary }),
    } as unknown as D1Database;
    await Promise.all(flood(300).map(([path, address]) => send(buildRequest("GET", path, { address }), { DB })));
    expect(reads).toBe(2 * EMPTY_LOOKUPS_PER_SECOND);
  });

  it("shows a page that tries again by itself, and never another site", async () => {
    await insertDomain(accountId, HOST, { not_found_url: "https://example.com/lost" });
    expect((await call("GET", `https://${HOST}/${unknownSlug()}`)).headers.get("Location")).toBe(
      "https://example.com/lost",
    );
    await visitAll(flood(EMPTY_LOOKUPS_PER_SECOND));
    for (const url of [`/${unknownSlug()}`, `https://${HOST}/${unknownSlug()}`, `/${unknownSlug()}+`]) {
      const page = await call("GET", url, { headers: { Accept: "text/html" } });
      expect(page.status).toBe(503);
      const wait = page.headers.get("Retry-After") ?? "";
      expect(Number(wait)).toBeGreaterThanOrEqual(1);
      expect(Number(wait)).toBeLessThanOrEqual(REFUSED_LOOKUP_RETRY_SECONDS);
      expect(page.headers.get("Location")).toBeNull();
      const html = await page.text();
      expect(html).toContain(`<meta http-equiv="refresh" content="${wait}">`);
      expect(html).toContain("This page tries again by itself.");
    }
    const form = await call("POST", `/${unknownSlug()}`, { body: "password=secret", headers: { Accept: "text/html" } });
    expect(form.status).toBe(503);
    expect(await form.text()).not.toContain("refresh");
    const json = await call("GET", `/${unknownSlug()}`, { headers: { Accept: "application/json" } });
    expect(await json.json()).toEqual({ error: expect.any(String), code: "unavailable" });
    expect(warnings.filter((line) => line.includes("lookups_refused"))).toHaveLength(1);
  });

  it("does not touch links that a cache has, with a limit of visits too", async () => {
    await createLink(key, { slug: "limited", maxClicks: 5 });
    expect(await statusOf("/limited", freshAddress())).toBe(302);
    await cacheLinks(key);
    const cached = ["/in-memory", "/at-the-edge", "/limited"].map((path): [string, string] => [path, freshAddress()]);
    const { statuses } = await visitAll([...flood(300), ...cached]);
    expect(statuses).toEqual({ 302: 3, 404: EMPTY_LOOKUPS_PER_SECOND, 503: 300 - EMPTY_LOOKUPS_PER_SECOND });
  });

  it("never has a link be taken for missing: it is found as soon as it is looked up", async () => {
    await createLink(key, { slug: "known" });
    await visitAll(flood(300));
    expect(await statusOf("/known", freshAddress())).toBe(503);
    advance(1_000);
    expect(await statusOf("/known", freshAddress())).toBe(302);
    advance(MEMORY_CACHE_FRESH_MS);
    await visitAll(flood(300));
    expect(await statusOf("/known", freshAddress())).toBe(302);
  });

  it("is bounded at a custom domain and at hosts that are no domain", async () => {
    await insertDomain(accountId, HOST, { not_found_url: "https://example.com/lost" });
    await call("GET", `https://${HOST}/${unknownSlug()}`);
    advance(1_000);
    const atDomain = await visitAll(flood(300, `https://${HOST}`));
    expect(atDomain).toEqual({
      statuses: { 302: EMPTY_LOOKUPS_PER_SECOND, 503: 300 - EMPTY_LOOKUPS_PER_SECOND },
      roundTrips: EMPTY_LOOKUPS_PER_SECOND,
    });
    advance(1_000);
    const elsewhere = await visitAll(times(300, (n) => [`https://host-${n}.test/`, freshAddress()]));
    expect(elsewhere.roundTrips).toBe(EMPTY_LOOKUPS_PER_SECOND);
  });

  it("is bounded for a deleted link", async () => {
    const { id } = await createLink(key, { slug: "deleted" });
    await call("DELETE", `/api/links/${id}`, { key });
    const statuses: number[] = [];
    const { roundTrips } = await measureD1(async () => {
      for (let n = 0; n < 2 * HALF; n++) statuses.push(await statusOf("/deleted", freshAddress()));
    });
    expect(statuses).toEqual([...times(HALF, () => 404), ...times(HALF, () => 503)]);
    expect(roundTrips).toBe(HALF);
  });
});

describe("fairness", () => {
  it("leaves half of the look-ups to others if one address asks for many slugs", async () => {
    await createLink(key, { slug: "known" });
    const greedy = freshAddress();
    const alone = await visitAll(times(300, () => [`/${unknownSlug()}`, greedy]));
    expect(alone.statuses).toEqual({ 404: HALF, 503: 300 - HALF });
    expect(await statusOf("/known", freshAddress())).toBe(302);
    expect((await visitAll(flood(300))).statuses[404]).toBe(HALF);
  });

  it("leaves look-ups to others if many addresses ask for many slugs", async () => {
    await createLink(key, { slug: "known" });
    const greedy = times(9, freshAddress);
    const { roundTrips } = await visitAll(times(900, (n) => [`/${unknownSlug()}`, greedy[n % greedy.length] ?? ""]));
    // Each has as many as are left: a tenth.
    expect(roundTrips).toBe(EMPTY_LOOKUPS_PER_SECOND * 0.9);
    expect(await statusOf("/known", freshAddress())).toBe(302);
  });

  it("leaves half of the look-ups to other slugs if many addresses ask for one slug", async () => {
    await createLink(key, { slug: "known" });
    const statuses: number[] = [];
    for (let n = 0; n < 2 * HALF; n++) statuses.push(await statusOf("/mistyped", freshAddress()));
    expect(statuses).toEqual([...times(HALF, () => 404), ...times(HALF, () => 503)]);
    expect(await statusOf("/known", freshAddress())).toBe(302);
  });

  it("makes two look-ups for all who ask for one slug at once: the second is for those who came after the first", async () => {
    expect(await visitAll(times(300, () => ["/mistyped", freshAddress()]))).toEqual({
      statuses: { 404: 300 },
      roundTrips: 2,
    });
    await createLink(key, { slug: "known" });
    expect(await visitAll(times(300, () => ["/known", freshAddress()]))).toEqual({
      statuses: { 302: 300 },
      roundTrips: 1,
    });
  });

  it("looks up any number of links that exist, one after the other", async () => {
    const slugs = await insertLinks(accountId, 3 * EMPTY_LOOKUPS_PER_SECOND);
    const address = freshAddress();
    for (const slug of slugs) expect(await statusOf(`/${slug}`, address)).toBe(302);
  });
});

it("finds a link that was created right after it was asked for, also beside a flood", async () => {
  const address = freshAddress();
  expect(await statusOf("/later", address)).toBe(404);
  await createLink(key, { slug: "later" });
  expect(await statusOf("/later", address)).toBe(302);
  await insertDomain(accountId, HOST);
  expect(await statusOf(`https://${HOST}/later`, address)).toBe(404);
  await visitAll(flood(300));
  await createLinkAt(HOST, key, { slug: "later" });
  expect(await statusOf(`https://${HOST}/later`, address)).toBe(503);
  advance(1_000);
  expect(await statusOf(`https://${HOST}/later`, address)).toBe(302);
});
