import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MARKED_LINKS_PER_BATCH, SWEEP_DELAY_MS } from "#src/safety/limits.ts";
import { sweepHosts } from "#src/safety/takedowns/sweep.ts";
import * as memoryCache from "#src/redirect/lookup/memory-cache.ts";
import { findTakenDownHosts, forgetTakenDownHosts } from "#src/redirect/lookup/taken-down-hosts.ts";
import { TAKEN_DOWN_HOSTS_TTL_MS } from "#src/redirect/limits.ts";
import { stopClock } from "../../identity/people/factors.ts";
import { PEOPLE, type Browser } from "../../identity/people/support.ts";
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

/** The cron, once the sweeps for links to hosts that were taken down are due. */
const sweep = () => runCron(Date.now() + SWEEP_DELAY_MS, PEOPLE);

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
    expect(takedowns).toMatchObject([{ id, kind: "host", value: "evil.dev", links: 0 }]);
    await sweep();
    const { takedowns: swept } = (await send(operator, "GET", "/api/admin/takedowns")).body;
    expect(swept).toMatchObject([{ links: CAUGHT.length }]);
    expect(await visit("bad-0")).toBe(410);
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
    await sweep();
    const changed = await call("PATCH", `/api/links/${id}`, { key, body: { url: GOOD } });
    expect(await changed.json()).toMatchObject({ link: { verdict: { state: "blocked", reason: "phishing" } } });
    expect(await visit("bank")).toBe(410);
    await call("DELETE", `/api/links/${id}`, { key });
    expect((await call("POST", `/api/links/${id}/restore`, { key })).status).toBe(200);
    expect(await visit("bank")).toBe(410);
  });

  it("finds links that a call stored which had begun before it, in one pass", async () => {
    await takeDownHost();
    // Another isolate does not know of it yet.
    await env.DB.prepare("UPDATE takedowns SET reversed_at = 1").run();
    forgetTakenDownHosts();
    const { id } = await createLink(key, { slug: "late", url: BAD });
    await env.DB.prepare("UPDATE takedowns SET reversed_at = NULL").run();
    expect(await visit("late")).toBe(410);
    const state = () =>
      env.DB.prepare(
        "SELECT host_takedowns IS NOT NULL AS isMarked, (SELECT count(*) FROM host_sweeps) AS sweeps FROM links WHERE id = ?1",
      )
        .bind(id)
        .first();
    const takenDownAt = (await env.DB.prepare("SELECT created_at FROM takedowns").first("created_at")) as number;
    await runCron(takenDownAt + SWEEP_DELAY_MS - 1);
    expect(await state()).toEqual({ isMarked: 0, sweeps: 1 });
    await runCron(takenDownAt + SWEEP_DELAY_MS);
    expect(await state()).toEqual({ isMarked: 1, sweeps: 0 });
  });

  it("is known at once to the isolate and the data centre of the operator", async () => {
    await createLink(key, { slug: "bank", url: BAD });
    const other = async () => {
      memoryCache.clear();
      forgetTakenDownHosts();
      return (await call("GET", "/bank")).status;
    };
    expect(await other()).toBe(302);
    const { id } = await takeDownHost();
    expect([(await call("GET", "/bank")).status, await other()]).toEqual([410, 410]);
    await reverse(id);
    expect(await other()).toBe(302);
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
    const sweepAll = async () => {
      while ((await sweepHosts(jobContext(Date.now()))) > 0);
    };
    await Promise.all([1, 2, 3].map(sweepAll));
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
  vi.useFakeTimers({ toFake: ["Date"] });
  forgetTakenDownHosts();
  await findTakenDownHosts({ env });
  const readAt = Date.now();
  const readAfter = (ms: number) =>
    measureD1(() => {
      vi.setSystemTime(readAt + ms);
      return findTakenDownHosts({ env });
    });
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
