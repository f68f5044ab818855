import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MAIL_WINDOW_MS, MINUTE_MS } from "#src/limits.ts";
import { MAX_MAILS_PER_KIND } from "#src/platform/mail/limits.ts";
import * as memoryCache from "#src/redirect/lookup/memory-cache.ts";
import { enrolled, stopClock } from "../../identity/people/factors.ts";
import { PEOPLE, signUp, takeMails, type Browser } from "../../identity/people/support.ts";
import { call, createAccount, createLink, jsonOf, runCron } from "../../support/api.ts";
import { insertDomain } from "../../support/domains.ts";
import { internet } from "../../webhooks/support.ts";
import { addOperator, makeOperator, send, takeDown } from "../support.ts";

beforeEach(async () => {
  await internet.reset();
  stopClock();
});
afterEach(() => vi.useRealTimers());

const OPERATIONS: [method: string, path: string][] = [
  ["GET", "/api/admin/takedowns"],
  ["POST", "/api/admin/takedowns"],
  ["DELETE", "/api/admin/takedowns/01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f"],
  ["GET", "/api/admin/audit"],
  ["GET", "/api/admin/accounts"],
  ["GET", "/api/admin/links"],
  ["GET", "/api/admin/hosts"],
  ["GET", "/api/admin/status"],
  ["GET", "/api/admin/reports"],
  ["POST", "/api/admin/reports/01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f/decision"],
  ["GET", "/api/admin/appeals"],
  ["POST", "/api/admin/appeals/01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f/decision"],
];

async function reverse(operator: { browser: Browser }, id: string): Promise<void> {
  expect((await send(operator, "DELETE", `/api/admin/takedowns/${id}`)).status).toBe(200);
  memoryCache.clear();
}

/** The time after which every copy is read again. */
const WAIT_MS = 36_000;
async function visit(path: string, host = "tern.test"): Promise<number> {
  vi.setSystemTime(Date.now() + WAIT_MS);
  return (await call("GET", `https://${host}${path}`)).status;
}

describe("the paths of operators", () => {
  it.each(OPERATIONS)(
    "%s %s exists only for operators with a factor and a confirmed identity",
    async (method, path) => {
      const codeOf = async (person: { browser: Browser }) => (await send(person, method, path)).body.code;
      expect((await call(method, path)).status).toBe(404);
      const { key } = await createAccount();
      expect((await call(method, path, { key })).status).toBe(404);
      const person = await enrolled();
      expect(await codeOf(person)).toBe("not_found");
      await addOperator(person.userId);
      expect(["not_found", "invalid_request", undefined]).toContain(await codeOf(person));
      await env.DB.prepare("UPDATE sessions SET confirmed_at = 0 WHERE user_id = ?1").bind(person.userId).run();
      expect(await codeOf(person)).toBe("confirm_identity");
      await env.DB.prepare("UPDATE sessions SET factor_at = NULL WHERE user_id = ?1").bind(person.userId).run();
      const { body } = await send(person, method, path);
      expect(body).toMatchObject({ code: "mfa_required", details: [{ code: "operators_need_proof" }] });
      await env.DB.prepare("DELETE FROM operators WHERE user_id = ?1").bind(person.userId).run();
      expect(await codeOf(person)).toBe("not_found");
      const withoutFactor = await signUp();
      await addOperator(withoutFactor.userId);
      expect((await send(withoutFactor, method, path)).body).toMatchObject({
        code: "mfa_required",
        details: [{ code: "operators_need_factor" }],
      });
    },
  );

  it("refuses what another site makes the browser of an operator send", async () => {
    const { browser } = await makeOperator();
    const headers = { Origin: "https://evil.example" };
    const reply = await browser.send("POST", "/api/admin/takedowns", { body: {}, headers });
    expect(reply.body.code).toBe("cross_site");
  });
});

describe("a takedown of a link", () => {
  it("shows the neutral page, tells the owner, has an entry, and can be reversed", async () => {
    const operator = await makeOperator();
    const owner = await signUp();
    const created = await owner.browser.post("/api/links", { url: "https://bad.example/", slug: "bank" });
    const { id, shortUrl } = created.body["link"] as { id: string; shortUrl: string };
    await takeMails();
    const statement = "It asks for passwords of a bank.";
    const takedown = await takeDown(operator, { kind: "link", value: shortUrl, statement });
    expect(takedown).toMatchObject({ value: shortUrl, reason: "phishing", statement, reversedAt: null });
    expect((await call("GET", "/bank")).status).toBe(410);
    const shown = await owner.browser.get(`/api/links/${id}`);
    expect(shown.body["link"]).toMatchObject({ verdict: { state: "blocked", reason: "phishing" } });
    const [mail] = await takeMails();
    expect(mail?.to).toBe(owner.email);
    expect(mail?.text).toContain(`${shortUrl} was taken down because of phishing. ${statement}`);
    // What is taken down already stays so.
    expect((await takeDown(operator, { kind: "link", value: id, reason: "spam" })).id).toBe(takedown.id);
    vi.setSystemTime(Date.now() + 1);
    await reverse(operator, takedown.id);
    await reverse(operator, takedown.id);
    expect((await call("GET", "/bank")).status).toBe(302);
    expect((await takeMails()).map(({ subject }) => subject)).toEqual(["A takedown was reversed"]);
    const { body } = await send(operator, "GET", "/api/admin/audit");
    expect(body["entries"]).toMatchObject([
      { action: "takedown.reverse", subject: shortUrl, operator: { id: operator.userId } },
      { action: "takedown.create", subject: shortUrl, details: { kind: "link", reason: "phishing", statement } },
    ]);
    const { takedowns } = (await send(operator, "GET", "/api/admin/takedowns")).body;
    expect(takedowns).toMatchObject([{ id: takedown.id, createdBy: "Ann Lee", reversedAt: expect.any(Number) }]);
  });

  it("tells the owner an hour later what was one mail too many for an address", async () => {
    const operator = await makeOperator();
    const owner = await signUp();
    const shortUrls: string[] = [];
    for (let index = 0; index <= MAX_MAILS_PER_KIND; index++) {
      const { body } = await owner.browser.post("/api/links", { url: `https://bad.example/${index}` });
      shortUrls.push((body["link"] as { shortUrl: string }).shortUrl);
    }
    await takeMails();
    for (const value of shortUrls) await takeDown(operator, { kind: "link", value });
    expect(await takeMails()).toHaveLength(MAX_MAILS_PER_KIND);
    const now = Date.now();
    await runCron(now + MINUTE_MS, PEOPLE);
    expect(await takeMails()).toEqual([]);
    await runCron(now + MAIL_WINDOW_MS + MINUTE_MS, PEOPLE);
    const mails = await takeMails();
    expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining(shortUrls.at(-1) ?? "")]);
  });

  it("tells all owners once, when each of their addresses may have one more mail", async () => {
    const operator = await makeOperator();
    const [ann, bea] = [await signUp(), await signUp()];
    const { body } = await ann.browser.post("/api/links", { url: "https://bad.example/" });
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO memberships SELECT l.account_id, u.id, 'owner', 0 FROM links l, users u WHERE u.email = ?1",
      ).bind(bea.email),
      env.DB.prepare(
        `INSERT INTO mails (id, kind, recipient, recipient_key, created_at)
         SELECT 'full' || value, 'taken_down', ?1, ?1, ?2 FROM json_each(?3)`,
      ).bind(bea.email.toLowerCase(), Date.now(), JSON.stringify([...Array(MAX_MAILS_PER_KIND).keys()])),
    ]);
    await takeMails();
    await takeDown(operator, { kind: "link", value: (body["link"] as { shortUrl: string }).shortUrl });
    expect(await takeMails()).toEqual([]);
    const now = Date.now();
    await runCron(now + MAIL_WINDOW_MS + MINUTE_MS, PEOPLE);
    expect((await takeMails()).map(({ to }) => to).toSorted()).toEqual([ann.email, bea.email].toSorted());
    await runCron(now + 2 * MAIL_WINDOW_MS + 2 * MINUTE_MS, PEOPLE);
    expect(await takeMails()).toEqual([]);
  });

  it("answers 451 after a legal order, for a link without an account too", async () => {
    const operator = await makeOperator();
    const { link } = await jsonOf<{ link: { id: string; slug: string } }>(
      await call("POST", "/api/shorten", { body: { url: "https://bad.example/" } }),
    );
    expect(await takeDown(operator, { kind: "link", value: link.id, legal: true })).toMatchObject({
      legal: true,
      reason: null,
    });
    expect((await call("GET", `/${link.slug}`)).status).toBe(451);
  });
});

describe("a takedown of an account", () => {
  it("stops all of its links, also those that are changed or made meanwhile, and its keys go on", async () => {
    const operator = await makeOperator();
    const { key, accountId } = await createAccount();
    const { uuid } = (await env.DB.prepare("SELECT uuid FROM accounts WHERE id = ?1")
      .bind(accountId)
      .first<{ uuid: string }>()) ?? { uuid: "" };
    const link = await createLink(key, { slug: "one", maxClicks: 9 });
    const other = await createLink((await createAccount()).key, { slug: "other" });
    const { id } = await takeDown(operator, { kind: "account", value: uuid });
    expect(await visit("/one")).toBe(410);
    const changed = await call("PATCH", `/api/links/${link.id}`, { key, body: { url: "https://example.com/2" } });
    expect(changed.status).toBe(200);
    expect((await call("GET", "/one")).status).toBe(410);
    await createLink(key, { slug: "two", expiredUrl: "https://example.com/", disabled: true });
    expect((await call("GET", "/two")).status).toBe(410);
    const shown = await jsonOf<{ link: object }>(await call("GET", `/api/links/${link.id}`, { key }));
    expect(shown.link).toMatchObject({ verdict: { state: "blocked", reason: "phishing" } });
    expect(await visit(`/${other.slug}`)).toBe(302);
    await reverse(operator, id);
    expect(await visit("/one")).toBe(302);
  });
});

describe("a takedown of a domain", () => {
  it("stops its links, its root and its unknown paths", async () => {
    const operator = await makeOperator();
    const { key, accountId } = await createAccount();
    await insertDomain(accountId, "go.acme.com");
    await env.DB.prepare("UPDATE domains SET root_url = ?1, not_found_url = ?1").bind("https://bad.example/").run();
    await createLink(key, { slug: "here", domain: "go.acme.com" });
    await createLink(key, { slug: "there" });
    expect(await visit("/", "go.acme.com")).toBe(302);
    const { id } = await takeDown(operator, { kind: "domain", value: "GO.acme.com" });
    expect(await visit("/here", "go.acme.com")).toBe(410);
    expect(await visit("/", "go.acme.com")).toBe(200);
    expect(await visit("/unknown", "go.acme.com")).toBe(404);
    expect(await visit("/there")).toBe(302);
    await reverse(operator, id);
    expect(await visit("/here", "go.acme.com")).toBe(302);
    expect(await visit("/", "go.acme.com")).toBe(302);
  });
});

it.each([
  [{ kind: "link", value: "http://localhost/nothing" }, 404],
  [{ kind: "link", value: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f" }, 404],
  [{ kind: "account", value: "nobody" }, 404],
  [{ kind: "domain", value: "nobody.example" }, 404],
  [{ kind: "link", value: "ftp://x" }, 400],
  [{ kind: "host", value: "x" }, 400],
])("refuses to take down %o with %i", async (body, status) => {
  const reply = await send(await makeOperator(), "POST", "/api/admin/takedowns", { reason: "spam", ...body });
  expect(reply.status).toBe(status);
});
