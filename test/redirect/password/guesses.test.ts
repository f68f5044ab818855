import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import {
  PASSWORD_ATTACK_GUESSES,
  PASSWORD_ATTACK_RESOLUTION_MS,
  PASSWORD_GUESSES_PER_ADDRESS,
  RATE_LIMIT_WINDOW_MS,
} from "../../../src/limits.ts";
import type { Link } from "../../../src/links/contract.ts";
import { recordPasswordAttack } from "../../../src/redirect/lookup/store/links.ts";
import { call, createAccount, createLink, jsonOf } from "../../support/api.ts";
import { freshAddress } from "../../support/address.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { cookieOf, guess, guessWith, PASSWORD, visitWith } from "../../support/password.ts";
import {
  PASSWORD_GUESSES_AT_ALL_LINKS,
  PASSWORD_GUESSES_OF_NETWORK_AT_ALL_LINKS,
  PASSWORD_GUESSES_PER_NETWORK,
} from "../../../src/redirect/limits.ts";

let key: string;
beforeEach(async () => {
  ({ key } = await createAccount());
  await createLink(key, { slug: "guessed", password: PASSWORD });
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

/** Addresses that make as many guesses at a link as the limit of an address allows. Each new one costs two Durable Objects. */
function sharedBy(next: () => string): () => string {
  let guesses = 0;
  let address = "";
  return () => (guesses++ % PASSWORD_GUESSES_PER_ADDRESS === 0 ? (address = next()) : address);
}

it("checks at most five guesses of one address a minute under concurrency", async () => {
  const address = freshAddress();
  const guesses = Array.from({ length: 20 }, () => guess("/guessed", "wrong horse", { address }));
  // A right guess among them does not stand out.
  const late = Array.from({ length: 10 }, () => guess("/guessed", PASSWORD, { address }));
  const counts = countByStatus((await Promise.all(guesses)).map(({ status }) => status));
  expect(counts).toEqual({ 403: PASSWORD_GUESSES_PER_ADDRESS, 429: 20 - PASSWORD_GUESSES_PER_ADDRESS });
  expect(countByStatus((await Promise.all(late)).map(({ status }) => status))).toEqual({ 429: 10 });
  const { roundTrips } = await measureD1(() => guessOften(20, () => address));
  expect(roundTrips).toBe(0);
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
  expect(await refused.text()).toContain('<p>Try again in 1 minute.</p><p><a href="/guessed?a=%22%3E">');
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
    for (let n = 0; n < PASSWORD_GUESSES_PER_ADDRESS; n++)
      statuses.push((await guess(`/${slug}`, "wrong horse", { address })).status);
  }
  const refused = slugs.length * PASSWORD_GUESSES_PER_ADDRESS - PASSWORD_GUESSES_AT_ALL_LINKS;
  expect(countByStatus(statuses)).toEqual({ 403: PASSWORD_GUESSES_AT_ALL_LINKS, 429: refused });
});

it("checks at most twenty guesses of one IPv6 /48 at a link, and more at all links", async () => {
  let last = 0;
  const inNetwork = sharedBy(() => `2001:db8:1:${(++last).toString(16)}::1`);
  const refused = 10;
  const counts = await guessOften(PASSWORD_GUESSES_PER_NETWORK + refused, inNetwork);
  expect(counts).toEqual({ 403: PASSWORD_GUESSES_PER_NETWORK, 429: refused });
  expect((await guess("/guessed", PASSWORD, { address: inNetwork() })).status).toBe(429);
  expect((await guess("/guessed", PASSWORD, { address: "2001:db8:2::1" })).status).toBe(303);
  const atOtherLinks = sharedBy(() => `2001:db8:1:${(++last).toString(16)}::1`);
  let left = PASSWORD_GUESSES_OF_NETWORK_AT_ALL_LINKS - PASSWORD_GUESSES_PER_NETWORK;
  for (let link = 0; left > 0; link++) {
    await createLink(key, { slug: `next-${link}`, password: PASSWORD });
    for (let time = 0; time < PASSWORD_GUESSES_PER_NETWORK && left > 0; time++, left--)
      expect((await guess(`/next-${link}`, "wrong horse", { address: atOtherLinks() })).status).toBe(403);
  }
  await createLink(key, { slug: "last", password: PASSWORD });
  expect((await guess("/last", "wrong horse", { address: inNetwork() })).status).toBe(429);
});

it("counts no right guess, however many visitors share an address", async () => {
  const address = freshAddress();
  const guesses = Array.from({ length: 20 }, () => guess("/guessed", PASSWORD, { address }));
  expect(countByStatus((await Promise.all(guesses)).map(({ status }) => status))).toEqual({ 303: 20 });
});

it("logs an attack of many addresses once a minute, shows it to the owner, and turns away nobody who has the password", async () => {
  const start = Date.parse("2030-01-01");
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  const attacks = () => warn.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown);
  const { id } = await createLink(key, { slug: "attacked", password: PASSWORD });
  const attack = (times: number) =>
    measureD1(async () => {
      const addressOf = sharedBy(freshAddress);
      const guesses = Array.from({ length: times }, () => guess("/attacked", "wrong", { address: addressOf() }));
      const counts = countByStatus((await Promise.all(guesses)).map(({ status }) => status));
      expect(counts).toEqual({ 403: times });
    });
  const shown = async () => {
    const one = await call("GET", `/api/links/${id}`, { key });
    const { link } = await jsonOf<{ link: Link }>(one);
    const { links } = await jsonOf<{ links: Link[] }>(await call("GET", "/api/links?slug=attacked", { key }));
    expect(links).toEqual([link]);
    return { at: link.passwordAttackedAt, updatedAt: link.updatedAt, tag: one.headers.get("ETag") };
  };
  const quiet = await shown();
  expect(quiet.at).toBeNull();
  expect((await attack(PASSWORD_ATTACK_GUESSES)).rowsWritten).toBe(0);
  expect([attacks(), await shown()]).toEqual([[], quiet]);
  expect((await attack(20)).rowsWritten).toBe(1);
  expect(attacks()).toMatchObject([{ event: "password_attack", linkId: id, accountId: expect.any(Number) }]);
  expect(await shown()).toEqual({ ...quiet, at: start });
  expect((await guess("/attacked", PASSWORD)).status).toBe(303);
  vi.setSystemTime(start + RATE_LIMIT_WINDOW_MS);
  expect((await attack(PASSWORD_ATTACK_GUESSES + 1)).rowsWritten).toBe(0);
  expect(attacks()).toHaveLength(2);
  expect((await shown()).at).toBe(start);
});

it("stores the time of an attack once an hour, and keeps it when the link is deleted and restored", async () => {
  const now = Date.parse("2030-01-01");
  const { id } = await createLink(key, { slug: "attacked", password: PASSWORD });
  const find = env.DB.prepare("SELECT password_hash FROM links WHERE id = ?1").bind(id);
  const hash = (await find.first<string>("password_hash")) ?? "";
  const record = async (at: number) => (await measureD1(() => recordPasswordAttack(env.DB, id, hash, at))).rowsWritten;
  expect([await record(now), await record(now + PASSWORD_ATTACK_RESOLUTION_MS - 1)]).toEqual([1, 0]);
  expect(await record(now + PASSWORD_ATTACK_RESOLUTION_MS)).toBe(1);
  await call("DELETE", `/api/links/${id}`, { key });
  const restored = await call("POST", `/api/links/${id}/restore`, { key });
  const { link } = await jsonOf<{ link: Link }>(restored);
  expect(link.passwordAttackedAt).toBe(now + PASSWORD_ATTACK_RESOLUTION_MS);
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
  for (let time = 1; time < PASSWORD_GUESSES_PER_ADDRESS; time++) await guess("/guessed", "wrong horse", { address });
  expect(await cost(() => guess("/guessed", "wrong horse", { address }))).toEqual(nothing);
});

it("keeps the password's hash out of the caches", async () => {
  const hash = (await env.DB.prepare("SELECT password_hash FROM links").first<string>("password_hash")) ?? "";
  const key = hash.split(".").at(-1) ?? "";
  await call("GET", "/guessed");
  const cache = await caches.open("links-8");
  const kept = (await (await cache.match("https://links.cache//guessed"))?.text()) ?? "";
  expect(kept).toContain('"passwordTag":"');
  expect(kept).not.toContain(key);
});
