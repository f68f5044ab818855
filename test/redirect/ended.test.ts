import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { call, createLink, jsonOf, key, startAccount } from "../support/api.ts";

const HOUR_MS = 3_600_000;

beforeEach(startAccount);

/** Stops the clock. Returns a function that advances it. */
function startClock(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ["Date"] });
  return (ms) => vi.setSystemTime(Date.now() + ms);
}

function visitsOf(slug: string): Promise<number | null> {
  return env.DB.prepare("SELECT visits FROM links WHERE slug = ?1").bind(slug).first<number>("visits");
}

/** The statuses of parallel requests, in ascending order. */
async function statusesOf(path: string, count: number): Promise<number[]> {
  const statuses = await Promise.all(Array.from({ length: count }, async () => (await call("GET", path)).status));
  return statuses.sort((a, b) => a - b);
}

it("expires a link at its expiresAt to the millisecond, from the database and from the memory cache", async () => {
  const advance = startClock();
  const expiresAt = Date.now() + HOUR_MS;
  for (const slug of ["seen", "unseen"]) await createLink(key, { slug, expiresAt });
  advance(HOUR_MS - 1);
  expect((await call("GET", "/seen")).status).toBe(302);
  advance(1);
  for (const slug of ["seen", "unseen"]) {
    const response = await call("GET", `/${slug}`);
    expect(response.status).toBe(410);
    expect(response.headers.get("Location")).toBeNull();
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  }
});

it("redirects visitors of an expired link to its expiredUrl, with their parameters", async () => {
  const advance = startClock();
  const fields = { expiresAt: Date.now() + HOUR_MS, expiredUrl: "https://example.com/over?a=1", redirectStatus: 301 };
  await createLink(key, { slug: "over", ...fields });
  advance(HOUR_MS);
  for (let visit = 0; visit < 2; visit++) {
    const response = await call("GET", "/over?a=2&b=3");
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe("https://example.com/over?a=1&b=3");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("X-Request-Id")).not.toBeNull();
  }
});

it("redirects to an expired link's destination again after its expiry is moved", async () => {
  const advance = startClock();
  const { id } = await createLink(key, { slug: "moved", expiresAt: Date.now() + HOUR_MS });
  advance(HOUR_MS);
  expect((await call("GET", "/moved")).status).toBe(410);
  await call("PATCH", `/api/links/${id}`, { key, body: { expiresAt: Date.now() + HOUR_MS } });
  expect((await call("GET", "/moved")).status).toBe(302);
});

it("allows exactly maxClicks visits under concurrency", async () => {
  await createLink(key, { slug: "seven", maxClicks: 7 });
  const statuses = await statusesOf("/seven", 40);
  expect(statuses.filter((status) => status === 302)).toHaveLength(7);
  expect(statuses.filter((status) => status === 410)).toHaveLength(33);
  expect(await visitsOf("seven")).toBe(7);
});

it("lists a link as expired after its last visit, and not before", async () => {
  await createLink(key, { slug: "two", maxClicks: 2 });
  const expired = async () => {
    const response = await call("GET", "/api/links?status=expired", { key });
    return (await jsonOf<{ links: { slug: string }[] }>(response)).links.map(({ slug }) => slug);
  };
  await call("GET", "/two");
  expect(await expired()).toEqual([]);
  await call("GET", "/two");
  expect(await expired()).toEqual(["two"]);
});

it("redirects visitors of a used-up link to its expiredUrl", async () => {
  await createLink(key, { slug: "used", maxClicks: 1, expiredUrl: "https://example.com/used-up" });
  expect((await call("GET", "/used")).headers.get("Location")).toBe("https://example.com/");
  expect((await call("GET", "/used")).headers.get("Location")).toBe("https://example.com/used-up");
});

it.each<[string, string, Record<string, string>]>([
  ["HEAD", "HEAD", {}],
  ["a prefetch", "GET", { "Sec-Purpose": "prefetch" }],
  ["a prerendering", "GET", { "Sec-Purpose": "prefetch;prerender" }],
  ["an older browser's prefetch", "GET", { Purpose: "prefetch" }],
  ["a prefetch of an older Firefox", "GET", { "X-Moz": "prefetch" }],
  ["a link preview", "GET", { "User-Agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" }],
  ["a crawler", "GET", { "User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" }],
  ["nobody at all", "GET", { "User-Agent": "" }],
])("uses no visit for %s, and responds as to a visitor", async (_, method, headers) => {
  await createLink(key, { slug: "limited", maxClicks: 2, expiredUrl: "https://example.com/over" });
  const look = async () => (await call(method, "/limited", { headers })).headers.get("Location");
  for (let time = 0; time < 3; time++) expect(await look()).toBe("https://example.com/");
  expect(await visitsOf("limited")).toBe(0);
  expect(await statusesOf("/limited", 2)).toEqual([302, 302]);
  expect(await look()).toBe("https://example.com/over");
  expect(await visitsOf("limited")).toBe(2);
});

it("counts no visits of a link without a limit, nor after the limit is removed", async () => {
  const { id } = await createLink(key, { slug: "free", maxClicks: 1 });
  expect(await statusesOf("/free", 1)).toEqual([302]);
  await call("PATCH", `/api/links/${id}`, { key, body: { maxClicks: null } });
  expect(await statusesOf("/free", 5)).toEqual([302, 302, 302, 302, 302]);
  expect(await visitsOf("free")).toBe(1);
});

it("applies a new limit at once to a link that is in the memory cache without one", async () => {
  const { id } = await createLink(key, { slug: "late-limit" });
  expect(await statusesOf("/late-limit", 3)).toEqual([302, 302, 302]);
  await call("PATCH", `/api/links/${id}`, { key, body: { maxClicks: 1 } });
  expect(await statusesOf("/late-limit", 3)).toEqual([302, 410, 410]);
});

it("counts earlier visits towards a raised limit", async () => {
  const { id } = await createLink(key, { slug: "raised", maxClicks: 1 });
  expect(await statusesOf("/raised", 2)).toEqual([302, 410]);
  await call("PATCH", `/api/links/${id}`, { key, body: { maxClicks: 3 } });
  expect(await statusesOf("/raised", 4)).toEqual([302, 302, 410, 410]);
});

it("uses no visits of an expired link, so that they are left when its expiry is moved", async () => {
  const advance = startClock();
  const { id } = await createLink(key, { slug: "both", maxClicks: 2, expiresAt: Date.now() + HOUR_MS });
  advance(HOUR_MS);
  expect(await statusesOf("/both", 3)).toEqual([410, 410, 410]);
  await call("PATCH", `/api/links/${id}`, { key, body: { expiresAt: null } });
  expect(await statusesOf("/both", 3)).toEqual([302, 302, 410]);
});
