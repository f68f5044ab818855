import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Link } from "#src/links/contract.ts";
import { DAY_MS } from "../../../src/limits.ts";
import { LINKS_PER_TRANSACTION } from "../../../src/links/limits.ts";
import { claim, linksOf, shorten } from "../../links/claims-support.ts";
import { Browser, newEmail, signUp, takeMails } from "../../identity/people/support.ts";
import { call, runCron } from "../../support/api.ts";
import { internet } from "../../webhooks/support.ts";

const UNTRUSTED = { SIGN_UP: "open" };
const signUpUntrusted = () => signUp(newEmail(), UNTRUSTED);
const URL_OK = "https://example.com/page";
const PENDING = { state: "pending", reason: null, since: null };
const ALLOWED = { state: "allowed", reason: null, since: null };

beforeEach(() => internet.reset());

/** Creates a link of the account that the browser acts for. */
async function createLink(browser: Browser, fields: Record<string, unknown> = {}): Promise<Link> {
  const { status, body } = await browser.post("/api/links", { url: URL_OK, ...fields });
  expect(status).toBe(201);
  return body["link"] as Link;
}

const verdictOf = async (browser: Browser, { id }: Link) =>
  ((await browser.get(`/api/links/${id}`)).body["link"] as Link).verdict;

const visit = async ({ shortUrl }: Link, query = "") => {
  const response = await call("GET", shortUrl + query);
  return [response.status, response.headers.get("Location")];
};

const accountOf = (userId: string) =>
  env.DB.prepare("SELECT id, trust_at FROM accounts WHERE personal_user_id = ?1")
    .bind(userId)
    .first<{ id: number; trust_at: number | null }>();

async function addFactor(userId: string): Promise<void> {
  const columns = "user_id, secret, created_at, confirmed_at, last_step";
  await env.DB.prepare(`INSERT INTO totp_factors (${columns}) VALUES (?1, '', 0, 0, 0)`).bind(userId).run();
}

async function addDomain(accountId: number): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO domains (id, account_id, domain, token, status, created_at, updated_at)
     VALUES ('d', ?1, 'go.acme.test', '', 'verified', 0, 0)`,
  )
    .bind(accountId)
    .run();
}

describe("an account that signed up without an invitation", () => {
  it("has links whose visitors first see where they lead, in every way that makes links", async () => {
    const { browser } = await signUpUntrusted();
    const single = await createLink(browser, { redirectStatus: 301 });
    expect(single.verdict).toEqual(PENDING);
    expect(await verdictOf(browser, single)).toEqual(PENDING);
    expect(await visit(single)).toEqual([200, null]);
    const bulk = await browser.post("/api/links/bulk", { links: [{ url: URL_OK }, { url: URL_OK, slug: "mine" }] });
    const results = bulk.body["results"] as { link: Link }[];
    expect(results.map(({ link }) => link.verdict)).toEqual([PENDING, PENDING]);
    const quick = await browser.post("/api/shorten", { url: URL_OK });
    expect((quick.body["link"] as Link).verdict).toEqual(PENDING);
    const put = await browser.send("PUT", "/api/links/upsert", { body: { url: URL_OK, externalId: "one" } });
    expect((put.body["link"] as Link).verdict).toEqual(PENDING);
  });

  it("has trusted links on its verified domain", async () => {
    const { browser, userId } = await signUpUntrusted();
    await addDomain((await accountOf(userId))?.id ?? 0);
    expect((await createLink(browser, { domain: "go.acme.test" })).verdict).toEqual(ALLOWED);
    expect((await createLink(browser)).verdict).toEqual(PENDING);
  });

  it("keeps a claimed link pending", async () => {
    const [visitor, { browser }] = [new Browser(), await signUpUntrusted()];
    await shorten(visitor);
    for (const [name, value] of visitor.cookies) browser.cookies.set(name, value);
    expect(linksOf(await claim(browser)).map(({ verdict }) => verdict)).toEqual([PENDING]);
  });

  it("makes teams that are not trusted either", async () => {
    const { browser } = await signUpUntrusted();
    const { body } = await browser.post("/api/teams", { name: "Acme" });
    const { id } = body["team"] as { id: string };
    const row = await env.DB.prepare("SELECT trust_at FROM accounts WHERE uuid = ?1").bind(id).first("trust_at");
    expect(row).toEqual(expect.any(Number));
  });

  it("is trusted after 30 days, with all of its links", async () => {
    const { browser, userId } = await signUpUntrusted();
    const link = await createLink(browser, { redirectStatus: 301 });
    await runCron(Date.now() + 29 * DAY_MS);
    expect(await visit(link)).toEqual([200, null]);
    await runCron(Date.now() + 30 * DAY_MS);
    expect((await accountOf(userId))?.trust_at).toBeNull();
    expect(await visit(link, "?ref=x")).toEqual([301, `${URL_OK}?ref=x`]);
  });

  it("changes the version of each link, and trusts one that was deleted before when it is restored", async () => {
    const { browser } = await signUpUntrusted();
    const [link, deleted] = [await createLink(browser), await createLink(browser)];
    await browser.delete(`/api/links/${deleted.id}`);
    await env.DB.prepare("UPDATE accounts SET trust_at = 0").run();
    await runCron(Date.now());
    const { verdict, updatedAt } = (await browser.get(`/api/links/${link.id}`)).body["link"] as Link;
    expect([verdict, updatedAt > link.updatedAt]).toEqual([ALLOWED, true]);
    expect((await createLink(browser)).verdict).toEqual(ALLOWED);
    const restored = await browser.post(`/api/links/${deleted.id}/restore`);
    expect((restored.body["link"] as Link).verdict).toEqual(ALLOWED);
  });

  it.each([
    ["a second factor", ({ userId }: { userId: string; accountId: number }) => addFactor(userId)],
    ["a verified domain", ({ accountId }: { userId: string; accountId: number }) => addDomain(accountId)],
  ])("is trusted after 3 days with %s", async (_, prove) => {
    const [proven, other] = [await signUpUntrusted(), await signUpUntrusted()];
    await prove({ userId: proven.userId, accountId: (await accountOf(proven.userId))?.id ?? 0 });
    await runCron(Date.now() + 2 * DAY_MS);
    expect((await accountOf(proven.userId))?.trust_at).not.toBeNull();
    await runCron(Date.now() + 3 * DAY_MS + 1_000);
    expect((await accountOf(proven.userId))?.trust_at).toBeNull();
    expect((await accountOf(other.userId))?.trust_at).toBeGreaterThan(Date.now() + 3 * DAY_MS);
  });

  it.each([
    [50, null],
    [51, expect.any(Number)],
  ])("with a second factor and links to %i hosts", async (hosts, trustAt) => {
    const { browser, userId } = await signUpUntrusted();
    await addFactor(userId);
    const urls = Array.from({ length: hosts }, (_, n) => `https://h${n}.example.com`);
    // Further pages of a host are no further hosts, in whatever spelling.
    urls.push("https://H0.example.com?a", "https://h0.example.com./b", "https://h1.example.com:8443/");
    for (const links of [urls.slice(0, 40), urls.slice(40)])
      await browser.post("/api/links/bulk", { links: links.map((url) => ({ url })) });
    await runCron(Date.now() + 3 * DAY_MS + 1_000);
    expect((await accountOf(userId))?.trust_at).toEqual(trustAt);
    await runCron(Date.now() + 30 * DAY_MS);
    expect((await accountOf(userId))?.trust_at).toBeNull();
  });

  it("is trusted at the operator's wish, but not while it is disabled", async () => {
    const { browser, userId } = await signUpUntrusted();
    const link = await createLink(browser);
    const set = (values: string) => env.DB.prepare(`UPDATE accounts SET ${values}`).run();
    await set("trust_at = 0, disabled_at = 1");
    await runCron(Date.now());
    expect((await accountOf(userId))?.trust_at).toBeGreaterThan(Date.now());
    await set("trust_at = 0, disabled_at = NULL");
    await runCron(Date.now());
    expect((await accountOf(userId))?.trust_at).toBeNull();
    expect(await visit(link)).toEqual([302, URL_OK]);
  });

  it("is trusted only when all of its links are, batch by batch", async () => {
    const { browser, userId } = await signUpUntrusted();
    for (let start = 0; start <= LINKS_PER_TRANSACTION; start += 100)
      await browser.post("/api/links/bulk", { links: Array.from({ length: 100 }, () => ({ url: URL_OK })) });
    await env.DB.prepare("UPDATE accounts SET trust_at = 0").run();
    await runCron(Date.now());
    expect((await accountOf(userId))?.trust_at).toBeNull();
    expect(await env.DB.prepare("SELECT count(*) AS n FROM links WHERE verdict <> 0").first("n")).toBe(0);
  });
});

describe("an account is trusted from the beginning", () => {
  it("if SIGN_UP names the domain of the person's address", async () => {
    const { browser, userId } = await signUp(newEmail(), { SIGN_UP: "example.com" });
    expect((await accountOf(userId))?.trust_at).toBeNull();
    const link = await createLink(browser);
    expect(link.verdict).toEqual(ALLOWED);
    expect(await visit(link)).toEqual([302, URL_OK]);
  });

  it("if the person was invited", async () => {
    const owner = await signUpUntrusted();
    const { body } = await owner.browser.post("/api/teams", { name: "Acme" });
    const { id } = body["team"] as { id: string };
    const email = newEmail();
    await owner.browser.post(`/api/teams/${id}/invitations`, { email, role: "member" });
    await runCron(Date.now());
    await takeMails();
    const { userId } = await signUp(email, UNTRUSTED);
    expect((await accountOf(userId))?.trust_at).toBeNull();
  });
});
