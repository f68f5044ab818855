import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SWEEP_DELAY_MS, TAKEDOWN_MAIL_LEASE_MS } from "#src/safety/limits.ts";
import { noteAccounts } from "#src/safety/takedowns/store/sweep.ts";
import { stopClock } from "../../identity/people/factors.ts";
import { PEOPLE, signUp, takeMails, type Browser } from "../../identity/people/support.ts";
import { call, createAccount, createLink, runCron } from "../../support/api.ts";
import { internet } from "../../webhooks/support.ts";
import { makeOperator, send, takeDown } from "../support.ts";

// What the marks of links are for.

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

const GOOD = "https://example.com/";
const BAD = "https://evil.dev/";

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
  await sweep();
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
  await sweep();
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
