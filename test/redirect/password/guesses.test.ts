import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import {
  PASSWORD_GUESSES_AT_ALL_LINKS,
  PASSWORD_GUESSES_PER_ADDRESS,
  PASSWORD_GUESSES_PER_LINK,
  RATE_LIMIT_WINDOW_MS,
} from "../../../src/limits.ts";
import { call, createAccount, createLink } from "../../support/api.ts";
import { freshAddress } from "../../support/address.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { cheapen, cookieOf, guess, guessWith, PASSWORD, visitWith } from "../../support/password.ts";

let key: string;
beforeEach(async () => {
  ({ key } = await createAccount());
  await createLink(key, { slug: "guessed", password: PASSWORD });
  await cheapen("guessed");
});

/** The number of responses by status. */
function countByStatus(statuses: number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function guessOften(times: number, addressOf: () => string): Promise<Record<number, number>> {
  const guesses = Array.from({ length: times }, () => guess("/guessed", "wrong horse", { address: addressOf() }));
  return countByStatus((await Promise.all(guesses)).map(({ status }) => status));
}

it("checks at most five guesses of one address a minute under concurrency", async () => {
  const address = freshAddress();
  const measured = await measureD1(async () => {
    const counts = await guessOften(40, () => address);
    expect(counts).toEqual({ 403: PASSWORD_GUESSES_PER_ADDRESS, 429: 40 - PASSWORD_GUESSES_PER_ADDRESS });
  });
  expect(measured.roundTrips).toBeLessThanOrEqual(40 + PASSWORD_GUESSES_PER_ADDRESS);
  expect((await guess("/guessed", PASSWORD, { address })).status).toBe(429);
  expect((await guess("/guessed", PASSWORD)).status).toBe(303);
});

it("says when to try again, and is right about it", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2030-01-01") });
  const address = freshAddress();
  for (let time = 0; time < PASSWORD_GUESSES_PER_ADDRESS; time++) await guess("/guessed", "wrong horse", { address });
  const refused = await guess("/guessed?a=%22%3E", PASSWORD, { address });
  expect(refused.status).toBe(429);
  expect(refused.headers.get("Retry-After")).toBe(String(RATE_LIMIT_WINDOW_MS / 1_000));
  expect(await refused.text()).toContain('<p>Try again in 60 seconds.</p><p><a href="/guessed?a=%22%3E">');
  const asJson = await guess("/guessed", PASSWORD, { address, headers: { Accept: "application/json" } });
  expect([asJson.status, await asJson.json()]).toMatchObject([429, { code: "rate_limited" }]);
  vi.setSystemTime(Date.now() + RATE_LIMIT_WINDOW_MS);
  expect((await guess("/guessed", PASSWORD, { address })).status).toBe(303);
});

it("counts guesses for each link separately, and apart from API calls", async () => {
  await createLink(key, { slug: "other", password: PASSWORD });
  const address = freshAddress();
  for (let time = 0; time <= PASSWORD_GUESSES_PER_ADDRESS; time++) await guess("/guessed", "wrong horse", { address });
  expect((await guess("/other", PASSWORD, { address })).status).toBe(303);
  expect((await call("GET", "/api/links", { key, address })).headers.get("X-RateLimit-Remaining")).toBe("29");
});

it("checks at most thirty guesses of one address at all links together", async () => {
  const address = freshAddress();
  const slugs = Array.from({ length: 7 }, (_, n) => `guessed-${n}`);
  const statuses: number[] = [];
  for (const slug of slugs) {
    await createLink(key, { slug, password: PASSWORD });
    await cheapen(slug);
    for (let n = 0; n < PASSWORD_GUESSES_PER_ADDRESS; n++)
      statuses.push((await guess(`/${slug}`, "wrong horse", { address })).status);
  }
  const refused = slugs.length * PASSWORD_GUESSES_PER_ADDRESS - PASSWORD_GUESSES_AT_ALL_LINKS;
  expect(countByStatus(statuses)).toEqual({ 403: PASSWORD_GUESSES_AT_ALL_LINKS, 429: refused });
});

it("checks at most a hundred guesses of all addresses together, and lets in visitors with the cookie", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2030-01-01") });
  const cookie = cookieOf(await guess("/guessed", PASSWORD));
  const more = 20;
  const counts = await guessOften(PASSWORD_GUESSES_PER_LINK + more, freshAddress);
  expect(counts).toEqual({ 403: PASSWORD_GUESSES_PER_LINK - 1, 429: more + 1 });
  expect((await visitWith("/guessed", cookie)).status).toBe(302);
  // Further guesses from many addresses do not prolong it.
  vi.setSystemTime(Date.now() + 10_000);
  expect(await guessOften(more, freshAddress)).toEqual({ 429: more });
  vi.setSystemTime(Date.now() + RATE_LIMIT_WINDOW_MS - 10_000);
  expect((await guess("/guessed", PASSWORD)).status).toBe(303);
});

it.each([
  ["rejects", { getByName: () => ({ take: () => Promise.reject(new Error("Network connection lost.")) }) }, 503],
  [
    "is overloaded",
    { getByName: () => ({ take: () => Promise.reject(Object.assign(new Error("busy"), { overloaded: true })) }) },
    429,
  ],
])("checks no guess while the limiter %s", async (_, limiter, status) => {
  vi.spyOn(console, "warn").mockReturnValue();
  const bindings = { RATE_LIMITER: limiter as unknown as Env["RATE_LIMITER"] };
  const response = await guessWith("/guessed", PASSWORD, bindings);
  expect(response.status).toBe(status);
  expect(response.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  expect(response.headers.get("Set-Cookie")).toBeNull();
});

it("responds 503 to a guess while the database is down, and lets in visitors with the cookie", async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  const cookie = cookieOf(await guess("/guessed", PASSWORD));
  const DB = {
    prepare: () => {
      throw new Error("D1_ERROR");
    },
  } as unknown as D1Database;
  expect((await guessWith("/guessed", PASSWORD, { DB })).status).toBe(503);
  expect((await visitWith("/guessed", cookie)).status).toBe(302);
});

it("reads nothing to show the form or to follow with the cookie, and one row to check a guess", async () => {
  await createLink(key, { slug: "another", password: PASSWORD });
  await call("GET", "/guessed");
  const address = freshAddress();
  const cost = async (run: () => Promise<unknown>) => {
    const { roundTrips, rowsRead, rowsWritten } = await measureD1(run);
    return { roundTrips, rowsRead, rowsWritten };
  };
  const nothing = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 };
  expect(await cost(() => call("GET", "/guessed"))).toEqual(nothing);
  let cookie = "";
  const guessed = await cost(async () => {
    cookie = cookieOf(await guess("/guessed", PASSWORD, { address }));
  });
  expect(guessed).toEqual({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
  expect(await cost(() => guess("/guessed", "wrong horse", { address }))).toEqual(guessed);
  expect(await cost(() => visitWith("/guessed", cookie))).toEqual(nothing);
  for (let time = 2; time < PASSWORD_GUESSES_PER_ADDRESS; time++) await guess("/guessed", "wrong horse", { address });
  expect(await cost(() => guess("/guessed", "wrong horse", { address }))).toEqual(nothing);
});

it("keeps the password's hash out of the caches", async () => {
  const hash = (await env.DB.prepare("SELECT password_hash FROM links").first<string>("password_hash")) ?? "";
  const key = hash.split("$").at(-1) ?? "";
  await call("GET", "/guessed");
  const cache = await caches.open("links-1");
  const kept = (await (await cache.match("https://links.cache//guessed"))?.text()) ?? "";
  expect(kept).toContain('"passwordTag":"');
  expect(kept).not.toContain(key);
});
