import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Link } from "#src/links/contract.ts";
import * as memoryCache from "#src/redirect/lookup/memory-cache.ts";
import { ANONYMOUS_BURST_LINKS } from "#src/platform/rate-limit/limits.ts";
import { unpackVerdict } from "#src/redirect/verdict.ts";
import { claim, linksOf, shorten } from "../../links/claims-support.ts";
import { Browser, newEmail, signUp } from "../../identity/people/support.ts";
import { call, createLink, jsonOf, key, runCron, startAccount } from "../../support/api.ts";
import { internet } from "../../webhooks/support.ts";
import { addEntries, screener, setBinding, useScreening } from "./support.ts";

useScreening();

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

beforeEach(startAccount);

async function verdictOf(id: string): Promise<unknown> {
  const { link } = await jsonOf<{ link: { verdict: object } }>(await call("GET", `/api/links/${id}`, { key }));
  return link.verdict;
}

/** Of a link without an account, which no key can read. */
async function stateOf(id: string): Promise<string> {
  const verdict = await env.DB.prepare("SELECT verdict FROM links WHERE id = ?1").bind(id).first<number>("verdict");
  return unpackVerdict(verdict ?? 0).state;
}

async function visit(slug: string): Promise<number> {
  memoryCache.clear();
  return (await call("GET", `/${slug}`)).status;
}

async function removeEntries(): Promise<void> {
  await env.DB.prepare("DELETE FROM screening_rules").run();
  await screener().reload();
}

/** The minutes, up to `days` after the creation, at which the link is screened. */
async function screeningsOf(id: string, since: number, days: number): Promise<number[]> {
  const times: number[] = [];
  for (let now = since; now <= since + days * DAY_MS; now += 10 * MINUTE_MS) {
    const due = await screener().listDue(now, 10);
    if (!due.some((link) => link.id === id)) continue;
    times.push((now - since) / MINUTE_MS);
    await runCron(now);
  }
  return times;
}

const ALLOWED = { state: "allowed", reason: null, since: null };

describe("a link whose destination is blocked later", () => {
  it("is blocked by the cron, with a record, and is free again when nothing blocks it", async () => {
    const now = Date.now();
    const link = await createLink(key, { url: "https://a.evil.dev/", slug: "later" });
    await runCron(now + MINUTE_MS);
    expect(await verdictOf(link.id)).toEqual(ALLOWED);
    await addEntries(["host evil.dev"]);
    await runCron(now + 9 * MINUTE_MS);
    expect(await verdictOf(link.id)).toEqual(ALLOWED);
    const at = now + 11 * MINUTE_MS;
    await runCron(at);
    expect(await verdictOf(link.id)).toEqual({ state: "blocked", reason: "phishing", since: at });
    expect(await visit("later")).toBe(410);
    const entries = await env.DB.prepare("SELECT operator_id, action, subject, details FROM operator_entries").all();
    expect(entries.results).toEqual([
      {
        operator_id: null,
        action: "screening.verdict",
        subject: "https://tern.test/later",
        details: JSON.stringify({ state: "blocked", reason: "phishing", since: null, source: "own" }),
      },
    ]);
    await removeEntries();
    await runCron(now + 2 * HOUR_MS);
    expect(await verdictOf(link.id)).toMatchObject({ state: "allowed", reason: null });
    expect(await visit("later")).toBe(302);
  });

  it("is screened at once when it gets a new destination", async () => {
    const now = Date.now();
    const link = await createLink(key, { url: "https://evil.dev/", slug: "moved" });
    await addEntries(["host evil.dev"]);
    await runCron(now + MINUTE_MS);
    expect(await verdictOf(link.id)).toMatchObject({ state: "blocked" });
    const changed = await call("PATCH", `/api/links/${link.id}`, { key, body: { url: "https://example.com/" } });
    expect(changed.status).toBe(200);
    await runCron(Date.now() + MINUTE_MS);
    expect(await verdictOf(link.id)).toMatchObject({ state: "allowed" });
  });

  it("stays blocked while a takedown is in force, and keeps a block of others", async () => {
    const now = Date.now();
    const link = await createLink(key, { url: "https://evil.dev/", slug: "taken" });
    await addEntries(["host evil.dev"]);
    await runCron(now + MINUTE_MS);
    await env.DB.prepare("INSERT INTO takedowns VALUES ('t', 'link', ?1, '', 0, 0, NULL, 0, 'operator', NULL, NULL, 0)")
      .bind(link.id)
      .run();
    await removeEntries();
    await runCron(now + 11 * MINUTE_MS);
    expect(await verdictOf(link.id)).toMatchObject({ state: "blocked" });
    await env.DB.prepare("UPDATE takedowns SET reversed_at = 1").run();
    await runCron(now + 2 * HOUR_MS);
    expect(await verdictOf(link.id)).toMatchObject({ state: "allowed" });
  });

  it("is not blocked while the Screener fails, and is screened when it works", async () => {
    const now = Date.now();
    const link = await createLink(key, { url: "https://evil.dev/", slug: "failing" });
    await addEntries(["host evil.dev"]);
    const listDue = async () => screener().listDue(now + MINUTE_MS, 10);
    const judge = vi.fn(() => Promise.reject(new Error("overloaded")));
    const failing = { getByName: () => ({ listDue, judge, refresh: async () => 0 }) };
    await runCron(now + MINUTE_MS, { SCREENER: failing } as unknown as Partial<Env>);
    expect(judge).toHaveBeenCalled();
    expect(await verdictOf(link.id)).toEqual(ALLOWED);
    await runCron(now + 2 * MINUTE_MS);
    expect(await verdictOf(link.id)).toMatchObject({ state: "blocked" });
  });
});

describe("a resolver that blocks", () => {
  beforeEach(() => internet.reset());

  it("makes a link that is screened show its destination first, and is not asked by the request", async () => {
    const now = Date.now();
    setBinding("SCREENING", "https://blocking.test/dns-query");
    await internet.addresses({ "evil.dev": [["0.0.0.0"], ["1.2.3.4"]] });
    const link = await createLink(key, { url: "https://evil.dev/", slug: "warned" });
    expect(await internet.lookUps("evil.dev")).toEqual([]);
    await runCron(now + MINUTE_MS);
    expect(await verdictOf(link.id)).toEqual({ state: "warned", reason: "malware", since: now + MINUTE_MS });
    expect(await visit("warned")).toBe(200);
    await internet.addresses({ "evil.dev": "broken" });
    await runCron(now + 11 * MINUTE_MS);
    expect(await verdictOf(link.id)).toMatchObject({ state: "warned" });
    await internet.addresses({ "evil.dev": ["1.2.3.4"] });
    await runCron(now + 2 * HOUR_MS);
    expect(await verdictOf(link.id)).toMatchObject({ state: "allowed" });
    await addEntries(["host evil.dev", "allow"]);
    const asked = (await internet.lookUps("evil.dev")).length;
    await runCron(now + 5 * HOUR_MS);
    expect(await internet.lookUps("evil.dev")).toHaveLength(asked);
  });
});

it("links are screened at 0 and 10 minutes, 1, 4 and 24 hours, then less and less often without clicks", async () => {
  const link = await createLink(key, { url: "https://example.com/" });
  const [{ since } = { since: 0 }] = await screener().listDue(Date.now() + 1, 1);
  const hours = (await screeningsOf(link.id, since, 9)).map((minutes) => minutes / 60);
  expect(hours).toEqual([0, 1 / 6, 1, 4, 24, 48, 96, 192]);
});

it("a link that is clicked is screened daily, and one that is deleted no more", async () => {
  const { id } = await createLink(key, { url: "https://example.com/" });
  const [{ since } = { since: 0 }] = await screener().listDue(Date.now() + 1, 1);
  const screen = async (day: number, clicks: number) => {
    const [due] = await screener().listDue(since + day * DAY_MS, 1);
    if (due === undefined) return false;
    await screener().recordScreened(
      [{ id, since, isGone: false, clicks, former: null, until: null }],
      since + day * DAY_MS,
    );
    return true;
  };
  for (const day of [0, 1 / 144, 1 / 24, 1 / 6, 1]) expect(await screen(day, day === 1 ? 1 : 0)).toBe(true);
  expect(await screen(2, 2)).toBe(true);
  expect(await screen(3, 3)).toBe(true);
  expect([await screen(4, 3), await screen(5, 3), await screen(6, 3)]).toEqual([true, true, false]);
  await call("DELETE", `/api/links/${id}`, { key });
  await runCron(since + 40 * DAY_MS);
  expect(await screener().listDue(since + 400 * DAY_MS, 1)).toEqual([]);
});

it("links of every way in are screened again", async () => {
  await call("POST", "/api/shorten", { body: { url: "https://example.com/" } });
  const links = [{ url: "https://example.com/1" }, { url: "https://example.com/2" }];
  await call("POST", "/api/links/bulk", { key, body: { links } });
  const { results } = await env.DB.prepare("SELECT id FROM links ORDER BY id").all<{ id: string }>();
  const due = await screener().listDue(Date.now() + 1, 10);
  expect(due.map(({ id }) => id).toSorted()).toEqual(results.map(({ id }) => id));
});

it("lets a link without an account redirect if it finds nothing wrong, until an account without trust claims it", async () => {
  const now = Date.now();
  await internet.addresses({ "example.com": ["1.2.3.4"] });
  const visitor = new Browser();
  const link = await shorten(visitor);
  await runCron(now + MINUTE_MS);
  expect(await stateOf(link.id)).toBe("pending");
  setBinding("SCREENING", "https://blocking.test/dns-query");
  await runCron(now + 11 * MINUTE_MS);
  expect(await stateOf(link.id)).toBe("allowed");
  expect((await call("GET", link.shortUrl)).status).toBe(302);
  const { browser } = await signUp(newEmail(), { SIGN_UP: "open" });
  for (const [name, value] of visitor.cookies) browser.cookies.set(name, value);
  expect(linksOf(await claim(browser)).map(({ verdict }) => verdict.state)).toEqual(["pending"]);
});

it("does not let a link of a burst redirect, but blocks it, and gives it the same verdict back", async () => {
  const now = Date.now();
  await internet.addresses({ "example.com": ["1.2.3.4"] });
  setBinding("SCREENING", "https://blocking.test/dns-query");
  const shortenAt = (n: number) =>
    call("POST", "/api/shorten", { body: { url: "https://example.com/" }, address: `198.51.100.${n}` });
  for (let n = 0; n < ANONYMOUS_BURST_LINKS; n++) await shortenAt(n);
  const { link } = await jsonOf<{ link: Link }>(await shortenAt(ANONYMOUS_BURST_LINKS));
  const verdict = () =>
    env.DB.prepare("SELECT verdict FROM links WHERE id = ?1").bind(link.id).first<number>("verdict");
  const before = await verdict();
  await runCron(now + MINUTE_MS);
  expect([unpackVerdict(before ?? 0).state, await verdict()]).toEqual(["pending", before]);
  await addEntries(["host example.com"]);
  await runCron(now + 11 * MINUTE_MS);
  expect(await stateOf(link.id)).toBe("blocked");
  await removeEntries();
  await runCron(now + 2 * HOUR_MS);
  expect(unpackVerdict((await verdict()) ?? 0)).toMatchObject({ state: "pending", reason: "policy" });
  await runCron(now + 5 * HOUR_MS);
  expect(await stateOf(link.id)).toBe("pending");
});
