import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { sharedLogName } from "../../src/click-log/click-log-name.ts";
import { clickLogOf } from "../../src/click-log/log/stub.ts";
import type { Link } from "../../src/links/contract.ts";
import { DELETED_ACCOUNT_KEPT_MS } from "../../src/limits.ts";
import { Browser } from "../identity/people/support.ts";
import { call, createAccount, jobContext, jsonOf, runCron, takeSentClicks, takeSentVisits } from "../support/api.ts";
import { clickOn, consume, messageOf } from "../support/clicks.ts";
import { internet } from "../webhooks/support.ts";
import { claim, linksOf, shorten, signInWith, URL_OK } from "./claims-support.ts";
import { finishClickMoves } from "../../src/links/claims/move-clicks.ts";
import { ANONYMOUS_LINK_TTL_MS, CLICK_MOVE_DELAY_MS, MAX_CLAIMS_PER_BROWSER } from "../../src/links/limits.ts";
import { itWithSafety } from "../support/safety.ts";

const COOKIE = "__Host-tern-claims";
/** What a claim changes. */
const CLAIMED = {
  expiresAt: null,
  updatedAt: expect.any(Number) as number,
  createdBy: { type: "user", id: expect.any(String) as string },
  verdict: { state: "allowed", reason: null, since: null },
  visitors: "redirect",
};

beforeEach(() => internet.reset());

const count = (sql: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${sql}`).first<number>("n");

/** Visits the link and stores its clicks, as the queue would. */
async function visit(link: Link, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await call("GET", link.shortUrl);
  await consume(takeSentClicks());
}

const totalOf = async (browser: Browser, link: Link) =>
  ((await browser.get(`/api/links/${link.id}/clicks?interval=7d`)).body["clicks"] as { total: number }).total;

describe("a link that was shortened without a key on the service's own page", () => {
  it("is moved into the account with its clicks, no longer expires, and counts", async () => {
    const browser = new Browser();
    const links = [await shorten(browser), await shorten(browser)];
    const [first, second] = links as [Link, Link];
    await visit(first, 3);
    const { account } = await signInWith(browser);
    const { key } = await createAccount();
    expect((await call("GET", `/api/links/${first.id}`, { key })).status).toBe(403);

    const reply = await claim(browser);
    expect(reply.status).toBe(200);
    expect(linksOf(reply)).toEqual([
      { ...second, ...CLAIMED },
      { ...first, ...CLAIMED, clicks: 3, lastClickedAt: expect.any(Number) },
    ]);
    expect(browser.cookies.has(COOKIE)).toBe(false);
    const usage = (await browser.get("/api/usage")).body["usage"] as Record<string, { used: number }>;
    expect(usage["links"]?.used).toBe(2);
    expect(usage["linkBytes"]?.used).toBeGreaterThan(0);
    expect(await totalOf(browser, first)).toBe(3);

    // The redirect that follows belongs to the account, also from the caches.
    await call("GET", first.shortUrl);
    expect(takeSentVisits().map(([, id, owner]) => [id, owner])).toEqual([[first.id, account]]);
    expect(linksOf(await claim(browser))).toEqual([]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ANONYMOUS_LINK_TTL_MS + 1 });
    await runCron(Date.now());
    expect((await call("GET", first.shortUrl)).headers.get("Location")).toBe(URL_OK);
    vi.useRealTimers();
  });

  it("keeps clicks that arrive after the claim, each once, and leaves nothing behind", async () => {
    const browser = new Browser();
    const link = await shorten(browser);
    const early = messageOf([clickOn(link.id, null), clickOn(link.id, null, { ip: "203.0.113.2" })]);
    await consume([early]);
    const { account } = await signInWith(browser);
    expect(linksOf(await claim(browser))).toMatchObject([{ clicks: 2 }]);
    // A cache that did not know of the claim, a redelivery, and a click of the account's own ClickLog.
    await consume([early, messageOf([clickOn(link.id, null, { userAgent: "curl/8.5.0" })])]);
    await consume([messageOf([clickOn(link.id, account)])]);
    expect(await totalOf(browser, link)).toBe(4);

    const now = Date.now() + CLICK_MOVE_DELAY_MS;
    expect(await finishClickMoves(jobContext(now - 60_000))).toBe(0);
    expect(await finishClickMoves(jobContext(now))).toBe(1);
    expect(await totalOf(browser, link)).toBe(4);
    const listed = (await browser.get("/api/links")).body["links"] as Link[];
    expect(listed).toMatchObject([{ id: link.id, clicks: 4 }]);
    expect(await count("link_claims")).toBe(0);
    const former = env.CLICK_LOG.getByName(sharedLogName(link.id));
    expect((await former.exportClicks(null)).rows).toEqual([]);
    await runInDurableObject(clickLogOf(env, account), (_, { storage }) =>
      expect([...storage.kv.list({ prefix: "adopted:" })]).toEqual([]),
    );
  });

  it("has its late clicks moved into a deleted account, but not into one that can no longer be restored", async () => {
    for (const [age, moved] of [
      [DELETED_ACCOUNT_KEPT_MS - 1, 1],
      [DELETED_ACCOUNT_KEPT_MS, 0],
    ] as const) {
      const browser = new Browser();
      const link = await shorten(browser);
      const { account } = await signInWith(browser);
      await claim(browser);
      // As if the claim could not reach this ClickLog.
      const former = env.CLICK_LOG.getByName(sharedLogName(link.id));
      await runInDurableObject(former, (_, { storage }) => storage.kv.delete(`moved:${link.id}`));
      await evictDurableObject(former);
      await consume([messageOf([clickOn(link.id, null)])]);
      const deletedAt = Date.now();
      await env.DB.prepare("UPDATE accounts SET deleted_at = ?2 WHERE id = ?1").bind(account, deletedAt).run();
      expect(await finishClickMoves(jobContext(deletedAt + age))).toBe(1);
      expect((await clickLogOf(env, account).exportClicks(null)).rows).toHaveLength(moved);
      expect((await former.exportClicks(null)).rows).toEqual([]);
      expect(await count("link_claims")).toBe(0);
    }
  });

  it("is claimed once by 40 requests at once, with one event for each link", async () => {
    const browser = new Browser();
    for (let n = 0; n < 3; n++) await shorten(browser);
    const { account } = await signInWith(browser);
    const body = { url: "https://hooks.receiver.dev/in", events: ["link.create"] };
    expect(await browser.send("POST", "/api/webhooks", { body })).toMatchObject({ status: 201 });
    const claims = Array.from({ length: 40 }, async () => {
      const parallel = new Browser();
      for (const [name, value] of browser.cookies) parallel.cookies.set(name, value);
      return claim(parallel);
    });
    const replies = await Promise.all(claims);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(replies.map((reply) => linksOf(reply).length).filter((length) => length > 0)).toEqual([3]);
    expect(await count(`links WHERE account_id = ${account}`)).toBe(3);
    expect(
      await env.DB.prepare("SELECT links FROM account_usage WHERE account_id = ?1").bind(account).first("links"),
    ).toBe(3);
    expect(await count("deliveries WHERE type = 'link.create'")).toBe(3);
  });

  it("belongs to one of two persons who claim it at once", async () => {
    const browser = new Browser();
    const link = await shorten(browser);
    const persons = await Promise.all(
      [1, 2].map(async () => {
        const own = new Browser();
        own.cookies.set(COOKIE, browser.cookies.get(COOKIE) ?? "");
        return { own, account: (await signInWith(own)).account };
      }),
    );
    const replies = await Promise.all(persons.map(({ own }) => claim(own)));
    const winner = replies.findIndex((reply) => linksOf(reply).length === 1);
    expect(replies.flatMap(linksOf).map(({ id }) => id)).toEqual([link.id]);
    const owner = await env.DB.prepare("SELECT account_id FROM links WHERE id = ?1").bind(link.id).first("account_id");
    expect(owner).toBe(persons[winner]?.account);
  });

  itWithSafety("stays as it is if the quota refuses it, and can be claimed later", async () => {
    const browser = new Browser();
    const link = await shorten(browser);
    await shorten(browser);
    const { account } = await signInWith(browser);
    const setQuota = (links: number | null) =>
      env.DB.prepare("UPDATE account_usage SET max_links = ?2 WHERE account_id = ?1").bind(account, links).run();
    await setQuota(1);
    expect(await claim(browser)).toMatchObject({ status: 403, body: { code: "quota_exceeded" } });
    expect(await count("links WHERE account_id IS NULL AND expires_at IS NOT NULL")).toBe(2);
    expect((await call("GET", link.shortUrl)).status).toBe(200);
    await setQuota(null);
    expect(linksOf(await claim(browser))).toHaveLength(2);
  });
});

describe("nobody else", () => {
  it("can claim a link: not another browser, not a viewer, not a stranger to the account, not an API key", async () => {
    const browser = new Browser();
    await shorten(browser);
    const other = new Browser();
    await shorten(other);
    await signInWith(other);
    for (const wrong of [undefined, "x".repeat(43), "' OR 1=1", browser.session]) {
      const thief = new Browser();
      await signInWith(thief);
      if (wrong !== undefined) thief.cookies.set(COOKIE, wrong);
      expect([(await claim(thief)).status, await count("links WHERE account_id IS NOT NULL")]).toEqual([200, 0]);
    }
    expect((await claim(browser)).status).toBe(401);
    const { uuid, account } = await signInWith(browser);
    expect((await claim(other, { "X-Account-Id": uuid })).status).toBe(403);
    await env.DB.prepare(
      "INSERT INTO memberships SELECT ?1, personal_user_id, 'viewer', 0 FROM accounts WHERE personal_user_id IS NOT NULL AND id <> ?1",
    )
      .bind(account)
      .run();
    const viewer = await claim(other, { "X-Account-Id": uuid });
    expect(viewer.body.details).toMatchObject([{ code: "lacks_permission", allowed: ["links:write"] }]);
    const { key } = await createAccount();
    const cookie = { Cookie: `${COOKIE}=${browser.cookies.get(COOKIE)}` };
    expect((await call("POST", "/api/account/claims", { key, headers: cookie })).status).toBe(401);
    expect((await claim(browser, { Origin: "https://evil.test" })).status).toBe(403);
    expect(linksOf(await claim(browser))).toHaveLength(1);
  });

  it("gets a cookie: programs and other sites see no difference, and a session needs none", async () => {
    const headers = [{}, { Origin: "https://page.example" }, { Origin: "null" }, { "Sec-Fetch-Site": "cross-site" }];
    for (const each of headers) {
      const response = await call("POST", "/api/shorten", { body: { url: URL_OK }, headers: each });
      expect([response.status, response.headers.has("Set-Cookie")]).toEqual([201, false]);
      await jsonOf(response);
    }
    const browser = new Browser();
    await signInWith(browser);
    await shorten(browser);
    expect(browser.cookies.has(COOKIE)).toBe(false);
    expect(await count("link_claims")).toBe(0);
  });
});

it("a link that has expired or is gone cannot be claimed, and its claim ends after 30 days", async () => {
  const browser = new Browser();
  const [expired, gone, kept] = [await shorten(browser), await shorten(browser), await shorten(browser)];
  await env.DB.prepare("UPDATE links SET expires_at = 1 WHERE id = ?1").bind(expired.id).run();
  await env.DB.prepare("DELETE FROM links WHERE id = ?1").bind(gone.id).run();
  await signInWith(browser);
  expect(linksOf(await claim(browser)).map(({ id }) => id)).toEqual([kept.id]);
  expect(await count("link_claims WHERE claimed_by IS NULL")).toBe(2);
  await runCron(Date.now() + ANONYMOUS_LINK_TTL_MS + 1_000);
  expect(await count("link_claims")).toBe(0);
});

it("a browser can claim a bounded number of links, which are one cookie", async () => {
  const browser = new Browser();
  const first = await shorten(browser);
  const secret = browser.cookies.get(COOKIE);
  await shorten(browser);
  expect(browser.cookies.get(COOKIE)).toBe(secret);
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO link_claims (link_seq, link_id, hash, created_at) SELECT i, 'x' || i, hash, created_at FROM n, link_claims
     WHERE link_id = ?2`,
  )
    .bind(MAX_CLAIMS_PER_BROWSER - 2, first.id)
    .run();
  await shorten(browser);
  expect(await count("link_claims")).toBe(MAX_CLAIMS_PER_BROWSER);
  await signInWith(browser);
  expect(linksOf(await claim(browser))).toHaveLength(2);
});
