import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { clickLogOf } from "../../../src/clicks/click-log/stub.ts";
import { databaseOf } from "../../../src/database/databases.ts";
import { finishClaim } from "../../../src/links/claims/claim-elsewhere.ts";
import { hashClaimSecret } from "../../../src/links/claims/cookie.ts";
import { finishClickMoves } from "../../../src/links/claims/move-clicks.ts";
import { handOver, markLinks, readMarked, storeClaimed } from "../../../src/links/claims/store/elsewhere.ts";
import type { Link } from "../../../src/links/contract.ts";
import { CLICK_MOVE_DELAY_MS, UNFINISHED_CLAIM_MS } from "../../../src/links/limits.ts";
import { DELETED_ACCOUNT_KEPT_MS } from "../../../src/limits.ts";
import { newId } from "../../../src/lib/uuid.ts";
import { Browser } from "../../people/support.ts";
import { call, jobContext, takeSentClicks } from "../../support/api.ts";
import { clickOn, consume, messageOf } from "../../support/clicks.ts";
import {
  createPlacedAccounts,
  databases,
  entriesOf,
  holdersOf,
  useDatabases,
} from "../../support/several-databases.ts";
import { internet } from "../../webhooks/support.ts";
import { claim, linksOf, shorten, signInWith } from "../claims-support.ts";

const COOKIE = "__Host-tern-claims";

beforeEach(async () => {
  await internet.reset();
  useDatabases();
  await createPlacedAccounts();
});

/** Signs in a person whose account is in the second database, and has a copy there. */
async function signInElsewhere(browser: Browser): Promise<number> {
  for (;;) {
    const { account } = await signInWith(browser);
    if ((account - 1) % 3 !== 1) continue;
    await databaseOf(env, account);
    return account;
  }
}

function copyOf(browser: Browser): Browser {
  const copy = new Browser();
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  return copy;
}

const secondContext = (now = Date.now()) => ({ ...jobContext(now), db: databases()[1] });
const holders = async (links: readonly Link[]) => Promise.all(links.map(({ slug }) => holdersOf(slug)));
const count = (db: D1Database, sql: string) => db.prepare(`SELECT count(*) AS n FROM ${sql}`).first<number>("n");

async function markedClaim(browser: Browser, accountId: number) {
  const hash = await hashClaimSecret(browser.cookies.get(COOKIE) ?? "");
  return { id: newId(Date.now()), hash, accountId, userId: newId(Date.now()), country: null };
}

it("moves links and their clicks into the database of the account, and redirects lead there", async () => {
  const browser = new Browser();
  const links = [await shorten(browser), await shorten(browser)];
  const [first, second] = links as [Link, Link];
  for (let n = 0; n < 3; n++) await call("GET", first.shortUrl);
  await consume(takeSentClicks());
  const account = await signInElsewhere(browser);
  const reply = await claim(browser);
  expect(reply.status).toBe(200);
  expect(linksOf(reply)).toMatchObject([
    { id: second.id, expiresAt: null, clicks: 0 },
    { id: first.id, expiresAt: null, clicks: 3 },
  ]);
  expect(browser.cookies.has(COOKIE)).toBe(false);
  expect(await holders(links)).toEqual([[1], [1]]);
  expect(await entriesOf()).toEqual(links.map(({ slug }) => slug.toLowerCase()).toSorted());
  const usage = (await browser.get("/api/usage")).body["usage"] as Record<string, { used: number }>;
  expect(usage["links"]?.used).toBe(2);
  const found = (await browser.get("/api/links?search=example.com")).body["links"] as Link[];
  expect(found.map(({ id }) => id)).toEqual([second.id, first.id]);
  for (const { shortUrl } of links) expect((await call("GET", shortUrl)).headers.get("Location")).toBe(first.url);
  // A click from a cache that did not know of the claim.
  await consume([messageOf([clickOn(second.id, null)])]);
  while ((await finishClickMoves(jobContext(Date.now() + CLICK_MOVE_DELAY_MS))) > 0);
  expect(await clickLogOf(env, account).countersOf([second.id])).toMatchObject([{ clicks: 1 }]);
  expect(await count(env.DB, "link_claims")).toBe(0);
});

it("lets one of 40 requests claim links, with one event for each", async () => {
  const browser = new Browser();
  const links = [await shorten(browser), await shorten(browser), await shorten(browser)];
  const account = await signInElsewhere(browser);
  const body = { url: "https://hooks.receiver.dev/in", events: ["link.create"] };
  expect(await browser.send("POST", "/api/webhooks", { body })).toMatchObject({ status: 201 });
  const replies = await Promise.all(Array.from({ length: 40 }, () => claim(copyOf(browser))));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(replies.map((reply) => linksOf(reply).length).filter((length) => length > 0)).toEqual([3]);
  expect(await holders(links)).toEqual([[1], [1], [1]]);
  const second = databases()[1];
  expect(await count(second, `account_usage WHERE account_id = ${account} AND links = 3`)).toBe(1);
  expect(await count(second, "deliveries WHERE type = 'link.create'")).toBe(3);
  expect(await count(second, "audit_entries WHERE action = 'links.claim'")).toBe(1);
});

it("gives a link to one of the accounts of three databases that claim it at once", async () => {
  const browser = new Browser();
  const link = await shorten(browser);
  const persons = [];
  for (let n = 0; n < 3; n++) {
    const own = copyOf(browser);
    persons.push({ own, number: ((await signInWith(own)).account - 1) % 3 });
  }
  const replies = await Promise.all(persons.map(({ own }) => claim(own)));
  const winners = persons.filter((_, n) => linksOf(replies[n] as (typeof replies)[number]).length === 1);
  expect(winners).toHaveLength(1);
  expect(await holdersOf(link.slug)).toEqual([winners[0]?.number]);
});

it("leaves links that a quota refuses as they are, to be claimed later", async () => {
  const browser = new Browser();
  const links = [await shorten(browser), await shorten(browser)];
  const account = await signInElsewhere(browser);
  const setQuota = (max: number | null) =>
    env.DB.prepare("UPDATE account_usage SET max_links = ?2 WHERE account_id = ?1").bind(account, max).run();
  await setQuota(1);
  expect(await claim(browser)).toMatchObject({ status: 403, body: { code: "quota_exceeded" } });
  expect([await holders(links), await entriesOf()]).toEqual([[[0], [0]], []]);
  for (const { shortUrl } of links) expect((await call("GET", shortUrl)).status).toBe(200);
  await setQuota(null);
  expect(linksOf(await claim(browser))).toHaveLength(2);
  expect(await holders(links)).toEqual([[1], [1]]);
});

it("is finished by the cron after a crash between any two steps", async () => {
  for (const steps of [1, 2, 3]) {
    const browser = new Browser();
    const link = await shorten(browser);
    await consume([messageOf([clickOn(link.id, null)])]);
    const accountId = await signInElsewhere(browser);
    const started = await markedClaim(browser, accountId);
    const context = secondContext();
    await markLinks(env.DB, started, context.now);
    const marked = await readMarked(env.DB, started);
    if (steps >= 2) expect(await storeClaimed(context, started, marked)).toBe(true);
    if (steps >= 3) await handOver(env.DB, started, marked, 1, context.now);
    expect((await call("GET", link.shortUrl)).status).toBe(steps === 3 ? 302 : 200);
    expect(linksOf(await claim(copyOf(browser)))).toEqual([]);
    await finishClickMoves(jobContext(context.now + UNFINISHED_CLAIM_MS));
    expect(await holdersOf(link.slug)).toEqual([1]);
    await finishClickMoves(jobContext(context.now + UNFINISHED_CLAIM_MS + CLICK_MOVE_DELAY_MS));
    expect(await clickLogOf(env, accountId).countersOf([link.id])).toMatchObject([{ clicks: 1 }]);
    expect(await count(databases()[1], `account_usage WHERE account_id = ${accountId} AND links = 1`)).toBe(1);
    expect(await count(env.DB, "link_claims")).toBe(0);
    expect((await browser.get(`/api/links/${link.id}`)).status).toBe(200);
  }
});

it("stores nothing for a request that comes late, after its claim was given up", async () => {
  const browser = new Browser();
  const link = await shorten(browser);
  const accountId = await signInElsewhere(browser);
  const late = await markedClaim(browser, accountId);
  const context = secondContext();
  await markLinks(env.DB, late, context.now);
  const marked = await readMarked(env.DB, late);
  const setQuota = (max: number | null) =>
    databases()[1].prepare("UPDATE account_usage SET max_links = ?2 WHERE account_id = ?1").bind(accountId, max).run();
  await setQuota(0);
  expect(await finishClaim(context, late)).toMatchObject({ ids: [link.id], isRefused: true });
  await setQuota(null);
  expect(await storeClaimed(context, late, marked)).toBe(false);
  expect(await holdersOf(link.slug)).toEqual([0]);
  expect(linksOf(await claim(browser))).toHaveLength(1);
});

it("keeps a verdict that the link got while it was moved", async () => {
  const browser = new Browser();
  const link = await shorten(browser);
  const accountId = await signInElsewhere(browser);
  const started = await markedClaim(browser, accountId);
  const context = secondContext();
  await markLinks(env.DB, started, context.now);
  const marked = await readMarked(env.DB, started);
  await storeClaimed(context, started, marked);
  const blocked = 2 ** 6 * 3 + 1;
  await env.DB.prepare("UPDATE links SET verdict = ?1, updated_at = updated_at + 1").bind(blocked).run();
  await handOver(env.DB, started, marked, 1, context.now);
  expect(await holdersOf(link.slug)).toEqual([0, 1]);
  await finishClaim(context, started);
  expect(await holdersOf(link.slug)).toEqual([1]);
  expect(await databases()[1].prepare("SELECT verdict FROM links").first("verdict")).toBe(blocked);
});

it("is deleted if its account is gone before it was moved", async () => {
  const browser = new Browser();
  const link = await shorten(browser);
  const accountId = await signInElsewhere(browser);
  const context = secondContext();
  await markLinks(env.DB, await markedClaim(browser, accountId), context.now);
  const deletedAt = context.now - DELETED_ACCOUNT_KEPT_MS;
  await env.DB.prepare("UPDATE accounts SET deleted_at = ?2 WHERE id = ?1").bind(accountId, deletedAt).run();
  await finishClickMoves(jobContext(context.now + UNFINISHED_CLAIM_MS));
  expect(await holdersOf(link.slug)).toEqual([]);
  expect(await count(env.DB, "link_claims")).toBe(0);
});
