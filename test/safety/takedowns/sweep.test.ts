import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MARKED_LINKS_PER_BATCH, SWEPT_AGAIN_MS, TAKEDOWN_MAIL_LEASE_MS } from "#src/safety/limits.ts";
import { noteAccounts } from "#src/safety/takedowns/store/sweep.ts";
import { sweepHosts } from "#src/safety/takedowns/sweep.ts";
import * as memoryCache from "#src/redirect/lookup/memory-cache.ts";
import { findTakenDownHosts, forgetTakenDownHosts } from "#src/redirect/lookup/taken-down-hosts.ts";
import { TAKEN_DOWN_HOSTS_TTL_MS } from "#src/redirect/limits.ts";
import { stopClock } from "../../identity/people/factors.ts";
import { PEOPLE, signUp, takeMails, type Browser } from "../../identity/people/support.ts";
import { call, createAccount, createLink, jobContext, runCron } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { internet } from "../../webhooks/support.ts";
import { makeOperator, send, takeDown } from "../support.ts";

let operator: { browser: Browser };
let key: string;

beforeEach(async () => {
  await internet.reset();
  stopClock();
  operator = await makeOperator();
  ({ key } = await createAccount());
});
afterEach(() => vi.useRealTimers());

const takeDownHost = (value = "evil.dev", body = {}) => takeDown(operator, { kind: "host", value, ...body });

async function reverse(id: string): Promise<void> {
  expect((await send(operator, "DELETE", `/api/admin/takedowns/${id}`)).status).toBe(200);
}

/** The time after which every copy is read again. */
const WAIT_MS = 36_000;
async function visit(slug: string): Promise<number> {
  vi.setSystemTime(Date.now() + WAIT_MS);
  memoryCache.clear();
  return (await call("GET", `/${slug}`)).status;
}

const GOOD = "https://example.com/";
const BAD = "https://evil.dev/";

const CAUGHT: [fields: object][] = [
  [{ url: "https://evil.dev" }],
  [{ url: "http://evil.dev:8080/bank" }],
  [{ url: "https://a.b.EVIL.dev?x" }],
  [{ url: "https://evil.dev./" }],
  [{ url: "https://%65vil.dev/" }],
  [{ url: "https://ｅvil。dev/" }],
  [{ url: GOOD, expiredUrl: BAD }],
  [{ url: GOOD, ios: BAD }],
  [{ url: GOOD, android: "https://%65vil.dev/app" }],
  [{ url: GOOD, geo: { DE: BAD } }],
  [{ url: GOOD, rules: [{ url: "https://ＥＶＩＬ.dev", countries: ["DE"] }] }],
];

describe("a takedown of a host", () => {
  it("stops all links to it and its subdomains, in each field and spelling, until it is reversed", async () => {
    const slugs = CAUGHT.map((_, index) => `bad-${index}`);
    for (const [index, [fields]] of CAUGHT.entries()) await createLink(key, { slug: `bad-${index}`, ...fields });
    const others = ["https://notevil.dev/", "https://evil.dev.example.com/", "https://example.com/evil.dev/é%20"];
    for (const [index, url] of others.entries()) await createLink(key, { slug: `good-${index}`, url });
    const { id } = await takeDownHost();
    for (const slug of slugs) expect([slug, await visit(slug)]).toEqual([slug, 410]);
    for (const index of others.keys()) expect(await visit(`good-${index}`)).toBe(302);
    const { takedowns } = (await send(operator, "GET", "/api/admin/takedowns")).body;
    expect(takedowns).toMatchObject([{ id, kind: "host", value: "evil.dev", links: CAUGHT.length }]);
    await reverse(id);
    for (const slug of slugs) expect([slug, await visit(slug)]).toEqual([slug, 302]);
  });

  it("is shown with the hosts that it covers, and in the record", async () => {
    await createLink(key, { url: "https://login.evil.dev/" });
    await createLink(key, { url: GOOD });
    const { id } = await takeDownHost(" Evil.dev ");
    const { hosts } = (await send(operator, "GET", "/api/admin/hosts")).body;
    expect(hosts).toMatchObject([
      { host: "example.com", takedownId: null },
      { host: "login.evil.dev", takedownId: id },
    ]);
    const { entries } = (await send(operator, "GET", "/api/admin/audit")).body;
    expect(entries).toMatchObject([{ action: "takedown.create", subject: "evil.dev", details: { kind: "host" } }]);
  });

  it("refuses what is no host of one owner", async () => {
    for (const value of ["https://evil.dev/", "dev", "co.uk", "github.io", "evil", "a b.dev"]) {
      const body = { kind: "host", reason: "phishing", value };
      const reply = await send(operator, "POST", "/api/admin/takedowns", body);
      expect([value, reply.status, reply.body]).toMatchObject([value, 400, { details: [{ path: "value" }] }]);
    }
  });

  it("takes new links of the host again once it is reversed", async () => {
    const { id } = await takeDownHost();
    expect((await call("POST", "/api/links", { key, body: { url: BAD } })).status).toBe(400);
    await reverse(id);
    expect((await call("POST", "/api/links", { key, body: { url: BAD } })).status).toBe(201);
  });

  it("stays with a link that is changed, deleted and restored", async () => {
    const { id } = await createLink(key, { slug: "bank", url: BAD });
    await takeDownHost();
    const changed = await call("PATCH", `/api/links/${id}`, { key, body: { url: GOOD } });
    expect(await changed.json()).toMatchObject({ link: { verdict: { state: "blocked", reason: "phishing" } } });
    expect(await visit("bank")).toBe(410);
    await call("DELETE", `/api/links/${id}`, { key });
    expect((await call("POST", `/api/links/${id}/restore`, { key })).status).toBe(200);
    expect(await visit("bank")).toBe(410);
  });

  it("finds links that a call stored which had begun before it", async () => {
    await takeDownHost();
    const takenDownAt = Date.now();
    // Another isolate does not know of it yet.
    await env.DB.prepare("UPDATE takedowns SET reversed_at = 1").run();
    forgetTakenDownHosts();
    await createLink(key, { slug: "late", url: BAD });
    await env.DB.prepare("UPDATE takedowns SET reversed_at = NULL").run();
    expect(await visit("late")).toBe(302);
    await runCron(takenDownAt + SWEPT_AGAIN_MS - 1);
    expect(await visit("late")).toBe(410);
    const countSweeps = () => env.DB.prepare("SELECT count(*) FROM host_sweeps").first("count(*)");
    expect(await countSweeps()).toBe(1);
    await runCron(takenDownAt + SWEPT_AGAIN_MS);
    expect(await countSweeps()).toBe(0);
  });

  it("finds each of many links once, whichever runs look for them", async () => {
    const many = 2 * MARKED_LINKS_PER_BATCH + 1;
    await env.DB.prepare(
      `INSERT INTO links (seq, id, domain, slug, url, status, redirect_status, created_at, updated_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       SELECT i, printf('00000000-0000-7000-8000-%012x', i), '', 'many-' || i, 'https://evil.dev/' || i, 'active', 302, 1, 1 FROM n`,
    )
      .bind(many)
      .run();
    await env.DB.prepare(
      `INSERT INTO takedowns (id, kind, target, shown, imposed, created_at, created_by)
       VALUES ('t', 'host', 'evil.dev', 'evil.dev', 1, 1, 'u')`,
    ).run();
    const runs = [1, 2, 3].map(() => sweepHosts(jobContext(Date.now())));
    await Promise.all(runs);
    // What one run left to another that stopped is for the next one.
    await sweepHosts(jobContext(Date.now()));
    const found = "SELECT count(*) FROM links WHERE host_takedowns = '[\"t\"]'";
    expect(await env.DB.prepare(found).first("count(*)")).toBe(many);
    expect(await env.DB.prepare("SELECT found_links FROM takedowns").first("found_links")).toBe(many);
  });
});

it("the list of hosts is read for a new link, once in ten seconds", async () => {
  await createLink(key);
  const createAnew = async () => {
    forgetTakenDownHosts();
    await createLink(key);
  };
  const [first, second] = [await measureD1(createAnew), await measureD1(() => createLink(key))];
  expect(first.roundTrips).toBe(second.roundTrips + 1);
  const readAfter = (ms: number) => measureD1(() => findTakenDownHosts({ env, now: Date.now() + ms }));
  expect((await readAfter(TAKEN_DOWN_HOSTS_TTL_MS - 1)).roundTrips).toBe(0);
  expect((await readAfter(TAKEN_DOWN_HOSTS_TTL_MS)).roundTrips).toBe(1);
});

it("takedowns that cover the same link are reversed one by one", async () => {
  await createLink(key, { slug: "bank", url: "https://login.evil.dev/", expiredUrl: "https://other.dev/" });
  const takedowns = [
    await takeDownHost("evil.dev", { reason: "spam" }),
    await takeDown(operator, { kind: "link", value: "tern.test/bank" }),
    await takeDownHost("login.evil.dev"),
    await takeDownHost("other.dev"),
  ];
  for (const { id } of takedowns) {
    expect(await visit("bank")).toBe(410);
    await reverse(id);
  }
  expect(await visit("bank")).toBe(302);
});

it("is found by the filter of lists for blocked links, in each order, until it is reversed", async () => {
  const links = [
    { slug: "one", url: BAD, tags: ["a"] },
    { slug: "two", url: "https://login.evil.dev/" },
    { slug: "good", url: GOOD, tags: ["a"] },
  ];
  for (const link of links) {
    await createLink(key, link);
    vi.setSystemTime(Date.now() + 1);
  }
  const slugs = async (query: string) => {
    const response = await call("GET", `/api/links?${query}`, { key });
    const { links: found } = await response.json<{ links: { slug: string }[] }>();
    return found.map(({ slug }) => slug);
  };
  const { id } = await takeDownHost();
  expect(await slugs("verdict=blocked")).toEqual(["two", "one"]);
  expect(await slugs("verdict=blocked&order=asc&limit=1")).toEqual(["one"]);
  expect(await slugs("verdict=blocked&sort=clicks")).toEqual(["two", "one"]);
  expect(await slugs("verdict=blocked&tag=a")).toEqual(["one"]);
  expect(await slugs("verdict=blocked&search=login")).toEqual(["two"]);
  expect(await slugs("verdict=allowed")).toEqual(["good"]);
  expect(await slugs("verdict=!blocked&tag=a")).toEqual(["good"]);
  expect(await slugs("verdict=warned")).toEqual([]);
  await reverse(id);
  expect(await slugs("verdict=blocked")).toEqual([]);
  expect(await slugs("verdict=allowed")).toEqual(["good", "two", "one"]);
});

it("tells owners of a takedown whose call or sweep died before their mail", async () => {
  const ann = await signUp();
  await ann.browser.post("/api/links", { url: BAD });
  await takeMails();
  const { id } = await takeDownHost();
  await takeMails();
  // As a run leaves it that noted the account and died.
  const now = Date.now();
  await env.DB.batch([
    env.DB.prepare("UPDATE links SET host_takedowns = NULL"),
    env.DB.prepare("DELETE FROM takedown_accounts"),
    env.DB.prepare("DELETE FROM mails"),
  ]);
  const { accountId } = (await env.DB.prepare("SELECT account_id AS accountId FROM links WHERE url = ?1")
    .bind(BAD)
    .first<{ accountId: number }>()) as { accountId: number };
  await noteAccounts(env.DB, id, [accountId], now);
  await runCron(now + 1, PEOPLE);
  expect((await takeMails()).map(({ to, subject }) => [to, subject])).toEqual([
    [ann.email, "Something of yours was taken down"],
  ]);
  await runCron(now + TAKEDOWN_MAIL_LEASE_MS + 2, PEOPLE);
  expect(await takeMails()).toEqual([]);
});

it("each owner is told of a host's takedown once, and appeals for the own account", async () => {
  const [ann, bea, eve] = [await signUp(), await signUp(), await signUp()];
  for (const { browser } of [ann, ann, bea]) expect((await browser.post("/api/links", { url: BAD })).status).toBe(201);
  await takeMails();
  const { id } = await takeDownHost("evil.dev", { statement: "It asks for passwords." });
  await runCron(Date.now() + SWEPT_AGAIN_MS);
  const mails = await takeMails();
  expect(mails.map(({ to }) => to).toSorted()).toEqual([ann.email, bea.email].toSorted());
  const reason = "Each of your short links that leads to evil.dev was taken down because of phishing.";
  expect(mails[0]?.text).toContain(`${reason} It asks for passwords.`);

  const listOwn = async ({ browser }: { browser: Browser }) =>
    (await browser.get("/api/account/takedowns")).body["takedowns"];
  expect(await listOwn(ann)).toMatchObject([{ takedown: { id, links: null, createdBy: null }, appeal: null }]);
  expect(await listOwn(eve)).toEqual([]);
  const path = `/api/account/takedowns/${id}/appeal`;
  const appeal = ({ browser }: { browser: Browser }, mine: string) => browser.post(path, { statement: mine });
  expect((await appeal(eve, "Eve")).status).toBe(404);
  expect([(await appeal(ann, "Ann")).status, (await appeal(bea, "Bea")).status]).toEqual([201, 201]);
  expect((await appeal(ann, "Ann again")).status).toBe(409);
  expect(await listOwn(bea)).toMatchObject([{ appeal: { statement: "Bea" } }]);

  await takeMails();
  const { appeals } = (await send(operator, "GET", "/api/admin/appeals")).body;
  const of = (mine: string) =>
    (appeals as { appeal: { id: string; statement: string } }[]).find((each) => each.appeal.statement === mine);
  const [first, second] = [of("Ann"), of("Bea")];
  const decide = (made: typeof first, action: string) =>
    send(operator, "POST", `/api/admin/appeals/${made?.appeal.id}/decision`, { action });
  expect((await decide(first, "reverse")).status).toBe(200);
  const subjects = new Map((await takeMails()).map(({ to, subject }) => [to, subject]));
  expect(subjects).toEqual(
    new Map([
      [ann.email, "Your appeal was decided"],
      [bea.email, "A takedown was reversed"],
    ]),
  );
  expect((await decide(second, "uphold")).status).toBe(409);
  expect((await decide(second, "reverse")).status).toBe(200);
  expect(await listOwn(bea)).toMatchObject([{ appeal: { decision: "reversed" } }]);
});
