import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { copyAllTakedowns, copyRecentTakedowns } from "#src/admin/copy-takedowns.ts";
import { TAKEDOWN_COPY_INTERVAL_MS, TAKEDOWNS_PER_COPY } from "#src/admin/limits.ts";
import { DAY_MS, MINUTE_MS } from "#src/duration.ts";
import * as memoryCache from "#src/redirect/lookup/memory-cache.ts";
import type { Link } from "../../src/links/contract.ts";
import { enrolled, stopClock } from "../people/factors.ts";
import type { Browser } from "../people/support.ts";
import { askForMove, finishMove } from "../account-move/support.ts";
import { report } from "../reports/support.ts";
import { measureD1 } from "../support/d1-meter.ts";
import {
  callForJson,
  callPlaced,
  createPlacedAccounts,
  databases,
  holdersOf,
  placedEnv,
  runPlacedCron,
  useDatabases,
  type PlacedAccount,
} from "../support/several-databases.ts";
import { internet } from "../webhooks/support.ts";

let account: PlacedAccount;
let browser: Browser;

beforeEach(async () => {
  await internet.reset();
  stopClock();
  [, account] = await createPlacedAccounts();
  const person = await enrolled();
  await env.DB.prepare("INSERT INTO operators VALUES (?1, 0)").bind(person.userId).run();
  ({ browser } = person);
  useDatabases();
});
afterEach(() => vi.useRealTimers());

async function createLink(slug: string): Promise<Link> {
  const body = { url: "https://example.com/", slug };
  return (await callForJson<{ link: Link }>("POST", "/api/links", { key: account.key, body })).json.link;
}

async function takeDown(kind: string, value: string): Promise<string> {
  const body = { kind, value, reason: "phishing" };
  const reply = await browser.send("POST", "/api/admin/takedowns", { body });
  expect([reply.status, reply.body]).toMatchObject([201, {}]);
  return (reply.body["takedown"] as { id: string }).id;
}

const reverse = async (id: string) => {
  expect((await browser.send("DELETE", `/api/admin/takedowns/${id}`)).status).toBe(200);
};

/** The time after which every copy is read again. */
const WAIT_MS = 36_000;
async function visit(slug: string): Promise<number> {
  vi.setSystemTime(Date.now() + WAIT_MS);
  memoryCache.clear();
  return (await callPlaced("GET", `/${slug}`)).status;
}

it("takes down a link of another database, by its short URL or its id, and puts it back", async () => {
  const { id } = await createLink("spring");
  for (const value of ["https://tern.test/spring", id]) {
    const takedown = await takeDown("link", value);
    expect(await visit("spring")).not.toBe(302);
    await reverse(takedown);
    expect(await visit("spring")).toBe(302);
  }
});

it("takes down all links of an account in another database, and puts them back", async () => {
  await createLink("spring");
  const uuid = await env.DB.prepare("SELECT uuid FROM accounts WHERE id = ?1").bind(account.accountId).first("uuid");
  const takedown = await takeDown("account", String(uuid));
  expect(await visit("spring")).not.toBe(302);
  await reverse(takedown);
  expect(await visit("spring")).toBe(302);
  await takeDown("account", String(uuid));
  expect(await visit("spring")).not.toBe(302);
});

it("takes down all links to a host in all databases, and puts them back", async () => {
  await createLink("spring");
  const body = { url: "https://www.example.com/" };
  const { link } = (await callForJson<{ link: Link }>("POST", "/api/shorten", { body })).json;
  const takedown = await takeDown("host", "example.com");
  for (const slug of ["spring", link.slug]) expect(await visit(slug)).toBe(410);
  expect((await callPlaced("POST", "/api/links", { key: account.key, body })).status).toBe(400);
  const { takedowns } = (await browser.get("/api/admin/takedowns")).body;
  expect(takedowns).toMatchObject([{ id: takedown, links: 2 }]);
  await reverse(takedown);
  expect(await visit("spring")).toBe(302);
  expect(await visit(link.slug)).toBe(200);
});

it("copies by the cron what an isolate that died has not copied", async () => {
  await createLink("spring");
  const uuid = await env.DB.prepare("SELECT uuid FROM accounts WHERE id = ?1").bind(account.accountId).first("uuid");
  await takeDown("account", String(uuid));
  await databases()[1].prepare("DELETE FROM takedowns").run();
  expect(await visit("spring")).toBe(302);
  await runPlacedCron(Date.now());
  expect(await visit("spring")).not.toBe(302);
});

it("gives a database that is added later all takedowns, also old ones, and ends those that were reversed", async () => {
  await createLink("spring");
  const first = await takeDown("host", "example.com");
  await reverse(first);
  vi.setSystemTime(Date.now() + 1);
  const second = await takeDown("host", "example.com");
  const uuid = await env.DB.prepare("SELECT uuid FROM accounts WHERE id = ?1").bind(account.accountId).first("uuid");
  const third = await takeDown("account", String(uuid));
  const added = databases()[2];
  await added.batch([
    added.prepare("DELETE FROM host_sweeps"),
    added.prepare("DELETE FROM takedowns WHERE id <> ?1").bind(first),
    added.prepare("UPDATE takedowns SET reversed_at = NULL"),
  ]);
  const inForce = async () =>
    (await added.prepare("SELECT id FROM takedowns WHERE reversed_at IS NULL ORDER BY id").all<{ id: string }>())
      .results;
  const later = Math.ceil((Date.now() + 30 * DAY_MS) / TAKEDOWN_COPY_INTERVAL_MS) * TAKEDOWN_COPY_INTERVAL_MS;
  await runPlacedCron(later + MINUTE_MS);
  expect(await inForce()).toEqual([{ id: first }]);
  await runPlacedCron(later);
  expect(await inForce()).toEqual([second, third].toSorted().map((id) => ({ id })));
});

it("copies takedowns of the last day without reading old ones, and all of them by reading each once", async () => {
  const now = Date.now();
  await env.DB.prepare(
    `INSERT INTO takedowns (id, kind, target, shown, imposed, created_at, created_by, reversed_at, reversed_by)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
     SELECT printf('00000000-0000-7000-8000-%012x', i), 'domain', 'd' || i, 'd', 1, 1, 'u', iif(i % 2, 2, NULL), iif(i % 2, 'u', NULL) FROM n`,
  ).run();
  await env.DB.prepare("UPDATE takedowns SET reversed_at = ?1, reversed_by = 'u' WHERE target = 'd2'").bind(now).run();
  await takeDown("host", "example.com");
  const readInCore = async (run: () => Promise<unknown>) => {
    const { rowsRead, statements } = await measureD1(run);
    return { rowsRead, pages: statements.filter((sql) => sql.includes("FROM takedowns WHERE id >")).length };
  };
  const recent = await readInCore(() => copyRecentTakedowns(placedEnv(), now));
  expect(recent.rowsRead).toBeLessThan(50);
  const all = await readInCore(() => copyAllTakedowns(placedEnv()));
  expect(all.pages).toBe(Math.floor(1001 / TAKEDOWNS_PER_COPY) + 2);
  for (const db of databases()) expect(await db.prepare("SELECT count(*) AS n FROM takedowns").first("n")).toBe(1001);
});

it("copies a takedown whose id is before that of a reversed one, because clocks differ", async () => {
  const insert = (db: D1Database, id: string, reversedAt: number | null) =>
    db
      .prepare(
        `INSERT INTO takedowns (id, kind, target, shown, imposed, created_at, created_by, reversed_at)
         VALUES (?1, 'domain', 'evil.dev', 'evil.dev', 1, 1, 'u', ?2)`,
      )
      .bind(id, reversedAt)
      .run();
  await insert(env.DB, "2", 2);
  await insert(env.DB, "1", null);
  await insert(databases()[1], "2", null);
  expect(await copyAllTakedowns(placedEnv())).toBe(2);
  const inForce = databases()[1].prepare("SELECT id FROM takedowns WHERE reversed_at IS NULL");
  expect((await inForce.all()).results).toEqual([{ id: "1" }]);
});

it("takes the takedowns to the database to which an account is moved", async () => {
  await createLink("spring");
  await takeDown("host", "example.com");
  expect(await visit("spring")).toBe(410);
  const added = databases()[2];
  await added.batch([added.prepare("DELETE FROM host_sweeps"), added.prepare("DELETE FROM takedowns")]);
  await askForMove(account.accountId, 2);
  await finishMove();
  expect(await holdersOf("spring")).toEqual([2]);
  expect(await visit("spring")).toBe(410);
});

it("knows the takedown of a link where the link is, so that screening leaves it alone", async () => {
  const { id } = await createLink("spring");
  const takedown = await takeDown("link", id);
  const inForce = () =>
    databases()[1].prepare("SELECT target FROM takedowns WHERE reversed_at IS NULL").all<{ target: string }>();
  expect((await inForce()).results).toEqual([{ target: id }]);
  await reverse(takedown);
  expect((await inForce()).results).toEqual([]);
});

it("shows where a reported link of another database leads, and a takedown of the host decides the report", async () => {
  await createLink("spring");
  const path = await report("tern.test/spring");
  const { reports } = (await browser.get("/api/admin/reports")).body;
  expect(reports).toMatchObject([{ destination: "https://example.com/" }]);
  await takeDown("host", "example.com");
  expect(await (await callPlaced("GET", path)).text()).toContain("the link was blocked");
});

it("finds links, hosts and counts of all databases", async () => {
  await createLink("spring");
  await callPlaced("POST", "/api/shorten", { body: { url: "https://example.com/other" } });
  const { links } = (await browser.get("/api/admin/links?search=example.com")).body as { links: Link[] };
  expect(links.length).toBe(2);
  const { hosts } = (await browser.get("/api/admin/hosts")).body;
  expect(hosts).toMatchObject([{ host: "example.com", links: 2, accounts: 1, linksWithoutAccount: 1 }]);
  const uuid = await env.DB.prepare("SELECT uuid FROM accounts WHERE id = ?1")
    .bind(account.accountId)
    .first<string>("uuid");
  expect((await browser.get(`/api/admin/accounts?search=${uuid}`)).body["accounts"]).toMatchObject([{ links: 1 }]);
});
