import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHANGES_HEADER } from "../../src/redirect/lookup/cache-changes.ts";
import { MAX_CHANGES_HEADER_CHARS } from "../../src/redirect/limits.ts";
import { newId } from "../../src/lib/uuid.ts";
import { callApi, createAccount, createLink, updateLink } from "./support/accounts.ts";
import { createPerson, PERSONS, type FuzzPerson } from "./support/fuzz-person.ts";
import { ORIGIN, type Isolate } from "./support/service.ts";
import { startSplitService, type SplitService } from "./support/split-service.ts";

// A change is visible at once in the data centre of its caller, whatever makes it. Each data centre has an edge cache of its
// own, and the full Worker is in another one.

const OLD = "https://example.com/old";
const NEW = "https://example.com/new";
const HEADER = CHANGES_HEADER.toLowerCase();
const webTarget = { namespace: "web", site: "https://acme.test" };
/** The time after which every copy is read again. */
const EVERYWHERE_MS = 35_000;

let service: SplitService<"here" | "there">;
let here: Isolate;
let there: Isolate;
let key: string;
let accountId: number;

beforeAll(async () => {
  service = await startSplitService(["here", "there"], PERSONS);
  ({ here, there } = service.fronts);
  ({ key, accountId } = await createAccount(service.db));
});
afterAll(() => service.stop());

/** Where a visitor goes; the status without a redirect. */
async function visit(front: Isolate, path: string, headers: Record<string, string> = {}): Promise<string | number> {
  const answer = await front.get(path, headers);
  return answer.headers["location"] ?? answer.status;
}

/** A link that both data centres have cached. */
async function cachedLink(slug: string, fields: object = {}, ownKey = key): Promise<string> {
  const { id } = await createLink(here, ownKey, { url: OLD, slug, ...fields });
  for (const front of [here, there]) expect(await visit(front, `/${slug}`)).toBe(OLD);
  return id;
}

describe("a change is visible at once", () => {
  it("of a tool of assistants", async () => {
    const id = await cachedLink("by-tool");
    const params = { name: "update_link", arguments: { id, url: NEW } };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const headers = { Accept: "application/json, text/event-stream" };
    const answer = await callApi(here, key, "POST", "/mcp", body, headers);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(NEW)]);
    expect(answer.headers).not.toHaveProperty(HEADER);
    expect(await visit(here, "/by-tool")).toBe(NEW);
  });

  it("of many links in one call, more than the header can tell in full", async () => {
    const long = `${OLD}?${"x".repeat(1_000)}`;
    const links = Array.from({ length: 100 }, (_, n) => ({ url: long, slug: `many-${n}` }));
    const created = await callApi(here, key, "POST", "/api/links/bulk", { links });
    const ids = (created.json() as { results: { link: { id: string } }[] }).results.map(({ link }) => link.id);
    const visitAll = async () => {
      const found = new Set<string | number>();
      for (const { slug } of links) found.add(await visit(here, `/${slug}`));
      return [...found];
    };
    expect(await visitAll()).toEqual([long]);
    const answer = await callApi(here, key, "PATCH", "/api/links/bulk", { ids, changes: { url: `${long}new` } });
    expect([answer.status, answer.headers[HEADER]]).toEqual([200, undefined]);
    expect(await visitAll()).toEqual([`${long}new`]);
    // The same call at the full Worker shows what it tells.
    const told = await callApi(service.full, key, "PATCH", "/api/links/bulk", { ids, changes: { url: long } });
    expect(told.headers[HEADER]?.length).toBeGreaterThan(1_000);
    expect(told.headers[HEADER]?.length).toBeLessThanOrEqual(MAX_CHANGES_HEADER_CHARS);
  });

  it("of a domain: its root, and its deletion with its links", async () => {
    const domain = "go.acme.test";
    const id = await insertDomain(domain);
    const at = (path: string) => visit(here, path, { Host: domain });
    await createLink(here, key, { url: OLD, slug: "theirs", domain });
    expect([await at("/"), await at("/theirs")]).toEqual([200, OLD]);
    expect((await callApi(here, key, "PATCH", `/api/domains/${id}`, { rootUrl: NEW })).status).toBe(200);
    expect(await at("/")).toBe(NEW);
    const files = { assetLinks: [{ relation: ["delegate_permission/common.handle_all_urls"], target: webTarget }] };
    expect((await callApi(here, key, "PATCH", `/api/domains/${id}`, files)).status).toBe(200);
    const file = await here.get("/.well-known/assetlinks.json", { Host: domain });
    expect(file.text).toContain(webTarget.site);
    expect((await callApi(here, key, "DELETE", `/api/domains/${id}?force=true`)).status).toBe(200);
    expect([await at("/"), await at("/theirs")]).toEqual([404, 404]);
  });

  it("of a domain's nested slugs, and of a link with one", async () => {
    const domain = "docs.acme.test";
    const id = await insertDomain(domain);
    const at = (path: string) => visit(here, path, { Host: domain });
    expect(await at("/guide/setup")).toBe(404);
    expect((await callApi(here, key, "PATCH", `/api/domains/${id}`, { nestedSlugs: true })).status).toBe(200);
    const link = await createLink(here, key, { url: OLD, slug: "guide/setup", domain });
    expect([await at("/guide/setup"), await at("/Guide%2Fsetup/"), await at("/guide")]).toEqual([OLD, OLD, 404]);
    await updateLink(here, key, link.id, { url: NEW });
    expect(await at("/guide/setup")).toBe(NEW);
    await updateLink(here, key, link.id, { slug: "guide/start" });
    expect([await at("/guide/start"), await at("/guide/setup")]).toEqual([NEW, NEW]);
    expect((await callApi(here, key, "DELETE", `/api/links/${link.id}`)).status).toBe(200);
    expect([await at("/guide/start"), await at("/guide/setup")]).toEqual([404, 404]);
  });

  it("of an account: its links stop with its deletion, and are back with its restoration", async () => {
    const team = await createAccount(service.db);
    const person = await createPerson(service.db, "owner@example.com", team.accountId);
    await cachedLink("of-team", {}, team.key);
    const asOwner = (method: string, path: string, body?: unknown) =>
      send(person, method, path, body, { "X-Account-Id": person.team });
    expect(await asOwner("DELETE", "/api/account", { confirm: "test" })).toBe(202);
    expect(await visit(here, "/of-team")).toBe(404);
    expect(await asOwner("POST", "/api/account/restore", {})).toBe(200);
    expect(await visit(here, "/of-team")).toBe(OLD);
  });
});

/** A verified domain of the account; returns its id. */
async function insertDomain(domain: string): Promise<string> {
  const [id, now] = [newId(Date.now()), Date.now()];
  await service.db
    .prepare(
      `INSERT INTO domains (id, account_id, domain, token, status, created_at, updated_at)
          VALUES (?1, ?2, ?3, 't', 'verified', ?4, ?4)`,
    )
    .bind(id, accountId, domain, now)
    .run();
  return id;
}

/** Sends a request of the person's browser, and returns the status. */
async function send(person: FuzzPerson, method: string, path: string, body?: unknown, headers = {}): Promise<number> {
  const answer = await here.request(method, path, {
    headers: {
      Cookie: `__Host-tern=${person.token}`,
      Origin: ORIGIN,
      "Content-Type": "application/json",
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  expect(answer.headers).not.toHaveProperty(HEADER);
  lastAnswer = answer.text;
  return answer.status;
}
let lastAnswer = "";

describe("a takedown by an operator", () => {
  let operator: FuzzPerson;
  beforeAll(async () => {
    const { accountId: team } = await createAccount(service.db);
    operator = await createPerson(service.db, "operator@example.com", team);
    await service.db.batch([
      service.db.prepare("INSERT INTO operators VALUES (?1, 0)").bind(operator.userId),
      service.db.prepare("UPDATE sessions SET factor_at = ?2 WHERE user_id = ?1").bind(operator.userId, Date.now()),
    ]);
  });

  async function takeDown(kind: string, value: string): Promise<string> {
    const body = { kind, value, reason: "phishing" };
    expect([await send(operator, "POST", "/api/admin/takedowns", body), lastAnswer]).toEqual([201, expect.anything()]);
    return (JSON.parse(lastAnswer) as { takedown: { id: string } }).takedown.id;
  }
  const reverse = (id: string) => send(operator, "DELETE", `/api/admin/takedowns/${id}`);

  it("of a link is visible at once in the operator's data centre, and elsewhere within 35 seconds", async () => {
    await cachedLink("phish");
    const id = await takeDown("link", `${ORIGIN}/phish`);
    expect([await visit(here, "/phish"), await visit(there, "/phish")]).toEqual([410, OLD]);
    await there.advance(EVERYWHERE_MS);
    expect(await visit(there, "/phish")).toBe(410);
    expect(await reverse(id)).toBe(200);
    expect(await visit(here, "/phish")).toBe(OLD);
    await there.advance(EVERYWHERE_MS);
    expect(await visit(there, "/phish")).toBe(OLD);
  });

  it("of an account stops its links everywhere within 35 seconds, and a link that changes meanwhile at once", async () => {
    const bad = await createAccount(service.db);
    const uuid = await service.db
      .prepare("SELECT uuid FROM accounts WHERE id = ?1")
      .bind(bad.accountId)
      .first<string>("uuid");
    const changed = await cachedLink("bad-changed", {}, bad.key);
    await cachedLink("bad", {}, bad.key);
    const id = await takeDown("account", uuid ?? "");
    await updateLink(here, bad.key, changed, { url: NEW });
    expect(await visit(here, "/bad-changed")).toBe(410);
    const both = async () => [await visit(here, "/bad"), await visit(there, "/bad")];
    for (const front of [here, there]) await front.advance(EVERYWHERE_MS);
    expect(await both()).toEqual([410, 410]);
    expect(await reverse(id)).toBe(200);
    for (const front of [here, there]) await front.advance(EVERYWHERE_MS);
    expect(await both()).toEqual([OLD, OLD]);
  });
});
