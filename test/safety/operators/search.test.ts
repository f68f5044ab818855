import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FoundAccount, FoundHost, FoundLink } from "#src/safety/operators/search/contract.ts";
import type { Status } from "#src/safety/operators/status/contract.ts";
import { sendInvitations } from "#src/identity/people/invitations/send.ts";
import { newId } from "#src/platform/lib/uuid.ts";
import { stopClock } from "../../identity/people/factors.ts";
import { signUp, takeMails } from "../../identity/people/support.ts";
import { report } from "../reports/form/support.ts";
import { call, createAccount, createLink, jobContext, jsonOf } from "../../support/api.ts";
import { internet } from "../../webhooks/support.ts";
import { makeOperator, takeDown } from "../support.ts";

let operator: Awaited<ReturnType<typeof makeOperator>>;

beforeEach(async () => {
  await internet.reset();
  stopClock();
  operator = await makeOperator();
});
afterEach(() => vi.useRealTimers());

async function find<T>(path: string): Promise<T> {
  const reply = await operator.browser.get(`/api/admin/${path}`);
  expect([reply.status, reply.body]).toMatchObject([200, {}]);
  return reply.body as T;
}

const findLinks = (query: string) => find<{ links: FoundLink[]; nextCursor: string | null }>(`links${query}`);

async function shorten(url: string): Promise<string> {
  return (await jsonOf<{ shortUrl: string }>(await call("POST", "/api/shorten", { body: { url } }))).shortUrl;
}

it("says of the session whether the person is an operator", async () => {
  const isOperator = async ({ browser }: { browser: typeof operator.browser }) =>
    (await browser.get("/api/auth/session")).body["isOperator"];
  expect(await isOperator(operator)).toBe(true);
  expect(await isOperator(await signUp())).toBe(false);
});

it("finds links by a text of any destination, also without an account and behind a password", async () => {
  const { key } = await createAccount();
  await createLink(key, { url: "https://Bank.example/login", slug: "open", password: "open sesame please" });
  await createLink(key, { url: "https://fine.example/", slug: "geo", geo: { DE: "https://bank.example/de" } });
  await createLink(key, { url: "https://fine.example/", slug: "other" });
  const shortUrl = await shorten("https://bank.example/anonymous");
  const { links, nextCursor } = await findLinks("?search=BANK.example");
  expect(nextCursor).toBeNull();
  expect(links.map((link) => link.shortUrl).toSorted()).toEqual(
    [shortUrl, "https://tern.test/geo", "https://tern.test/open"].toSorted(),
  );
  expect(links.find((link) => link.shortUrl === shortUrl)).toMatchObject({ accountId: null, hasPassword: false });
  expect(links.find((link) => link.shortUrl.endsWith("/open"))).toMatchObject({
    destination: "https://Bank.example/login",
    hasPassword: true,
  });
});

it("finds a link by its id and its short URL, with the verdict that visitors meet", async () => {
  const { key, accountId } = await createAccount();
  const { id } = await createLink(key, { url: "https://fine.example/", slug: "spring" });
  const account = await env.DB.prepare("SELECT uuid FROM accounts WHERE id = ?1").bind(accountId).first<string>("uuid");
  await takeDown(operator, { kind: "account", value: account });
  for (const search of [id, "https://tern.test/spring", "tern.test/SPRING"]) {
    const { links } = await findLinks(`?search=${encodeURIComponent(search)}`);
    expect(links).toMatchObject([{ id, accountId: account, verdict: { state: "blocked", reason: "phishing" } }]);
  }
});

it("lists the links of one account, page after page", async () => {
  const { key, accountId } = await createAccount();
  const slugs = ["one", "two", "three"];
  for (const slug of slugs) await createLink(key, { url: "https://fine.example/", slug });
  await createLink((await createAccount()).key, { url: "https://fine.example/", slug: "four" });
  const uuid = await env.DB.prepare("SELECT uuid FROM accounts WHERE id = ?1").bind(accountId).first<string>("uuid");
  for (const query of [`accountId=${uuid}`, `accountId=${uuid}&search=fine.example`]) {
    const first = await findLinks(`?${query}&limit=2`);
    const second = await findLinks(`?${query}&limit=2&cursor=${first.nextCursor}`);
    const found = [...first.links, ...second.links].map(({ shortUrl }) => shortUrl.slice("https://tern.test/".length));
    expect(found.toSorted()).toEqual(slugs.toSorted());
    expect([first.links.length, second.nextCursor]).toEqual([2, null]);
  }
  expect((await operator.browser.get(`/api/admin/links?accountId=${newId(0)}`)).status).toBe(404);
});

it("pages through all links, and groups their hosts", async () => {
  const { key } = await createAccount();
  const urls = ["https://a.example/1", "https://a.example/2", "https://b.example/"];
  for (const url of urls) await createLink(key, { url });
  await shorten("https://a.example/3");
  const first = await findLinks("?limit=3");
  const second = await findLinks(`?limit=3&cursor=${first.nextCursor}`);
  expect([first.links.length, second.links.length, second.nextCursor]).toEqual([3, 1, null]);
  const { hosts } = await find<{ hosts: FoundHost[] }>("hosts");
  expect(hosts).toMatchObject([
    { host: "a.example", links: 3, accounts: 1, linksWithoutAccount: 1 },
    { host: "b.example", links: 1, accounts: 1, linksWithoutAccount: 0 },
  ]);
  expect((await find<{ hosts: FoundHost[] }>("hosts?search=b.exam")).hosts).toMatchObject([{ host: "b.example" }]);
});

it("finds accounts by the beginning of an address and by their id, with their owners and links", async () => {
  const owner = await signUp();
  await owner.browser.post("/api/links", { url: "https://fine.example/" });
  const { email } = owner;
  const byAddress = await find<{ accounts: FoundAccount[] }>(
    `accounts?search=${encodeURIComponent(email.slice(0, -3).toUpperCase())}`,
  );
  expect(byAddress.accounts).toMatchObject([{ owners: [email], links: 1, kind: "personal", takedownId: null }]);
  const [{ id } = { id: "" }] = byAddress.accounts;
  const { id: takedownId } = await takeDown(operator, { kind: "account", value: id });
  const byId = await find<{ accounts: FoundAccount[] }>(`accounts?search=${id}`);
  expect(byId.accounts).toMatchObject([{ id, takedownId }]);
  const all = await find<{ accounts: FoundAccount[]; nextCursor: string }>("accounts?limit=1");
  const rest = await find<{ accounts: FoundAccount[]; nextCursor: string }>(`accounts?cursor=${all.nextCursor}`);
  expect(all.accounts[0]?.id).toBe(id);
  expect(rest.accounts.map((account) => account.id)).not.toContain(id);
  expect(rest.accounts.length).toBeGreaterThan(0);
});

it("takes a text with a slash that is no short URL as a text", async () => {
  for (const text of ["50%/off", "evil.example?u=a/b", "#/login"])
    expect(await findLinks(`?search=${encodeURIComponent(text)}`)).toEqual({ links: [], nextCursor: null });
});

it("refuses a search of two characters", async () => {
  for (const path of ["accounts", "links", "hosts"])
    expect((await operator.browser.get(`/api/admin/${path}?search=ab`)).status).toBe(400);
});

it("shows queues, health and what waits for a decision", async () => {
  const { key } = await createAccount();
  const { shortUrl } = await createLink(key, { url: "https://fine.example/" });
  await report(shortUrl);
  const { status } = await find<{ status: Status }>("status");
  expect(status).toMatchObject({
    queues: [{ queue: "clicks", deadMessages: 0 }, { queue: "deliveries" }, { queue: "clickEvents" }],
    waiting: { reports: 1, appeals: 0 },
    screening: { isOn: false, lists: [] },
    anonymousLinksPerMinute: 1_000,
    signUp: "open",
  });
});

describe("the invitation of an owner", () => {
  const invite = (email: string, name = "Acme") =>
    operator.browser.send("POST", "/api/admin/accounts", { body: { name, email } });

  it("makes a trusted account, mails the person once, and is recorded", async () => {
    const reply = await invite("owner@acme.test");
    expect([reply.status, reply.body]).toMatchObject([
      201,
      { account: { name: "Acme", kind: "team", owners: [], invited: "owner@acme.test", isTrusted: true } },
    ]);
    const { id } = reply.body["account"] as FoundAccount;
    await sendInvitations(jobContext(Date.now()));
    expect((await takeMails()).filter(({ to }) => to === "owner@acme.test")).toHaveLength(1);
    expect(await find<{ accounts: FoundAccount[] }>(`accounts?search=${id}`)).toMatchObject({
      accounts: [{ id, invited: "owner@acme.test" }],
    });
    expect(await find("audit?limit=1")).toMatchObject({
      entries: [{ action: "account.invite", subject: "owner@acme.test", details: { name: "Acme", accountId: id } }],
    });
  });

  it("is refused while one of the address is pending, also when both are sent at once", async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => invite("twice@acme.test")));
    expect(Object.groupBy(replies, ({ status }) => String(status))).toMatchObject({
      201: { length: 1 },
      409: { length: 9 },
    });
    expect((await invite("TWICE@acme.test")).status).toBe(409);
    const count = await env.DB.prepare("SELECT count(*) FROM accounts WHERE name = 'Acme'").first("count(*)");
    expect(count).toBe(1);
  });

  it.each([
    ["", "a@acme.test", "name"],
    ["Acme", "nobody", "email"],
  ])("names the field that is wrong, of %j and %j", async (name, email, field) => {
    const reply = await invite(email, name);
    expect([reply.status, reply.body["error"]]).toEqual([400, expect.stringMatching(`^${field}: `)]);
  });

  it("is of operators only", async () => {
    const { browser } = await signUp();
    expect(
      (await browser.send("POST", "/api/admin/accounts", { body: { name: "A", email: "a@acme.test" } })).status,
    ).toBe(404);
  });
});
