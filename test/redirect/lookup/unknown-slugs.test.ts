import { beforeEach, describe, expect, it, vi } from "vitest";
import { RATE_LIMIT_WINDOW_MS } from "../../../src/limits.ts";
import { UNKNOWN_SLUGS_PER_CLIENT } from "../../../src/redirect/limits.ts";
import { accountId, buildRequest, call, key, send, startAccount } from "../../support/api.ts";
import { freshAddress } from "../../support/address.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { insertDomain } from "../../support/domains.ts";
import { cacheLinks, insertLinks, statusOf, times, unknownSlug, visitAll } from "./flood-support.ts";

// Clients that search for slugs. The numbers of look-ups are exact.

const HOST = "go.acme.test";
const START = Date.UTC(2026, 0, 1);

beforeEach(async () => {
  await startAccount();
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(START);
});

function advance(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

/** Asks for as many different unknown slugs as a client may. */
async function search(address: string, count = UNKNOWN_SLUGS_PER_CLIENT): Promise<void> {
  expect((await visitAll(times(count, () => [`/${unknownSlug()}`, address]))).statuses).toEqual({ 404: count });
}

describe("a client that asks for many unknown slugs", () => {
  it("is refused the next one without a look-up, and is let in after Retry-After", async () => {
    const address = freshAddress();
    await search(address);
    advance(1_000);
    const begun = Date.now();
    let waitSeconds = 0;
    const { roundTrips } = await measureD1(async () => {
      const response = await call("GET", `/${unknownSlug()}`, { address, headers: { Accept: "application/json" } });
      expect(response.status).toBe(429);
      waitSeconds = Number(response.headers.get("Retry-After"));
      expect(await response.json()).toEqual({
        error: expect.stringMatching(/^Too many unknown links\..* Try again in \d+ seconds\.$/),
        code: "rate_limited",
      });
    });
    expect(roundTrips).toBe(0);
    expect(waitSeconds).toBeGreaterThanOrEqual(1);
    vi.setSystemTime(begun + waitSeconds * 1_000 - 1_000);
    expect(await statusOf(`/${unknownSlug()}`, address)).toBe(429);
    vi.setSystemTime(begun + waitSeconds * 1_000);
    expect(await statusOf(`/${unknownSlug()}`, address)).toBe(404);
  });

  it("is refused after the same number if it asks for all at once, in each second", async () => {
    const address = freshAddress();
    let found = 0;
    let lookups = 0;
    for (let second = 0; second < 5; second++) {
      const { statuses, statements } = await visitAll(times(200, () => [`/${unknownSlug()}`, address]));
      found += statuses[404] ?? 0;
      lookups += statements.length;
      advance(1_000);
    }
    expect([found, lookups]).toEqual([UNKNOWN_SLUGS_PER_CLIENT, UNKNOWN_SLUGS_PER_CLIENT]);
  });

  it("still gets every link that a cache has, and the slugs that it asked for before", async () => {
    const address = freshAddress();
    expect(await statusOf("/asked-before", address)).toBe(404);
    await search(address, UNKNOWN_SLUGS_PER_CLIENT - 1);
    await cacheLinks(key);
    expect(await statusOf(`/${unknownSlug()}`, address)).toBe(429);
    const { roundTrips } = await measureD1(async () => {
      for (const path of ["/in-memory", "/at-the-edge"]) expect(await statusOf(path, address)).toBe(302);
    });
    expect(roundTrips).toBe(0);
    expect(await statusOf("/asked-before", address)).toBe(404);
  });

  it("is not known to another client, nor after a minute", async () => {
    const address = freshAddress();
    await search(address);
    expect(await statusOf(`/${unknownSlug()}`, address)).toBe(429);
    expect(await statusOf(`/${unknownSlug()}`, freshAddress())).toBe(404);
    advance(RATE_LIMIT_WINDOW_MS);
    expect(await statusOf(`/${unknownSlug()}`, address)).toBe(404);
  });

  it("may ask for one slug as often as it likes, in any case", async () => {
    const address = freshAddress();
    for (let n = 0; n < 2 * UNKNOWN_SLUGS_PER_CLIENT; n++) {
      expect(await statusOf(n % 2 === 0 ? "/mistyped" : "/MisTyped", address)).toBe(404);
    }
    expect(await statusOf(`/${unknownSlug()}`, address)).toBe(404);
  });

  it("does not count links that exist", async () => {
    const slugs = await insertLinks(accountId, 2 * UNKNOWN_SLUGS_PER_CLIENT);
    const address = freshAddress();
    for (const slug of slugs) expect(await statusOf(`/${slug}`, address)).toBe(302);
    expect(await statusOf(`/${unknownSlug()}`, address)).toBe(404);
  });

  it.each([
    ["the /64 of its IPv6 address", (n: number) => ({ "CF-Connecting-IP": `2001:db8:1:2::${n}` })],
    [
      "its zone if it is a Worker",
      () => ({ "CF-Connecting-IP": "2a06:98c0:3600::103", "CF-Worker": "searcher.example" }),
    ],
  ])("is %s", async (_, headers) => {
    for (let n = 0; n < UNKNOWN_SLUGS_PER_CLIENT; n++) {
      expect((await call("GET", `/${unknownSlug()}`, { headers: headers(n) })).status).toBe(404);
    }
    expect((await call("GET", `/${unknownSlug()}`, { headers: headers(1_000) })).status).toBe(429);
    for (const other of [
      { "CF-Connecting-IP": "2001:db8:1:3::1" },
      { "CF-Connecting-IP": "2a06:98c0:3600::103", "CF-Worker": "other.example" },
    ])
      expect((await call("GET", `/${unknownSlug()}`, { headers: other })).status).toBe(404);
  });

  it("is refused at all kinds of requests that look a slug up, also if it says that it is a crawler", async () => {
    await insertDomain(accountId, HOST, { not_found_url: "https://example.com/lost" });
    const address = freshAddress();
    await search(address);
    const crawler = {
      address,
      headers: { "User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" },
    };
    const requests = [
      buildRequest("GET", `/${unknownSlug()}+`, { address }),
      buildRequest("POST", `/${unknownSlug()}`, { address, body: "password=secret" }),
      buildRequest("HEAD", `/${unknownSlug()}`, { address }),
      buildRequest("GET", "/webhooks", { address, headers: { Accept: "application/json" } }),
      buildRequest("GET", `https://${HOST}/${unknownSlug()}`, { address }),
      buildRequest("GET", "https://nobodys.test/", { address }),
      buildRequest("GET", `/${unknownSlug()}`, crawler),
    ];
    const { roundTrips } = await measureD1(async () => {
      for (const request of requests) {
        const response = await send(request);
        expect([request.url, response.status]).toEqual([request.url, 429]);
        expect(response.headers.get("Retry-After")).toMatch(/^[1-9]\d?$/);
        expect(response.headers.get("Cache-Control")).toBe("no-store");
      }
    });
    expect(roundTrips).toBe(0);
  });
});

it("never reads the database for a path that no link can have", async () => {
  const address = freshAddress();
  const paths = ["/.env", "/wp-login.php", "/a/b", "/%00", `/${"x".repeat(65)}`, "/a%20b", "/++"];
  const { roundTrips } = await measureD1(async () => {
    for (let round = 0; round < 20; round++) for (const path of paths) expect(await statusOf(path, address)).toBe(404);
  });
  expect(roundTrips).toBe(0);
  expect(await statusOf(`/${unknownSlug()}`, address)).toBe(404);
});
