import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import { BASE_URL, call, createAccount, createLink, jsonOf, type ErrorJson } from "../support/api.ts";
import { Service } from "../webhooks/support.ts";
import { handOver, insertDomain } from "../support/domains.ts";

const URL_OK = "https://example.com/";
const DOMAIN = "go.example";

type Answer = { status: number; link: Link; links: Link[]; results: ({ link: Link } & ErrorJson)[] } & ErrorJson;

let mine: { accountId: number; key: string };
let theirs: { accountId: number; key: string };
beforeEach(async () => {
  mine = await createAccount();
  theirs = await createAccount();
  await insertDomain(mine.accountId, DOMAIN);
});

async function api(method: string, path: string, body?: unknown, { key } = mine): Promise<Answer> {
  const response = await call(method, path, { key, body });
  return { status: response.status, ...(await jsonOf<Omit<Answer, "status">>(response)) };
}

const create = (fields: object, account = mine) => api("POST", "/api/links", { url: URL_OK, ...fields }, account);

describe("links of a domain that has changed hands", () => {
  let stale: Link;
  beforeEach(async () => {
    await api("POST", "/api/webhooks", { url: "https://hooks.receiver.dev/in", events: ["link.delete"] });
    stale = (await create({ domain: DOMAIN, slug: "Same", title: "stale" })).link;
    await call("GET", "https://go.example/same");
    await handOver(DOMAIN, theirs.accountId);
  });

  async function expectDisplaced(): Promise<void> {
    expect((await api("GET", `/api/links/${stale.id}`)).status).toBe(404);
    expect(await env.DB.prepare("SELECT id, account_id FROM deleted_links").all()).toMatchObject({
      results: [{ id: stale.id, account_id: mine.accountId }],
    });
    const { results } = await env.DB.prepare("SELECT type, body FROM events").all<{ type: string; body: string }>();
    expect(results.map(({ type }) => type)).toEqual(["link.delete"]);
    expect((JSON.parse(results[0]?.body ?? "") as { data: Link }).data).toEqual(stale);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM deliveries").first("n")).toBe(1);
    expect((await call("GET", "https://go.example/same")).headers.get("Location")).toBe(`${URL_OK}new`);
  }

  const NEW = { url: `${URL_OK}new`, slug: "same", domain: DOMAIN };

  it("give way to a new link", async () => {
    expect((await create(NEW, theirs)).status).toBe(201);
    await expectDisplaced();
  });

  it("give way to one of many", async () => {
    const links = [NEW, { ...NEW, slug: "SAME" }, { ...NEW, slug: "other" }];
    const { results } = await api("POST", "/api/links/bulk", { links }, theirs);
    expect(results.map(({ code }) => code)).toEqual([undefined, "conflict", undefined]);
    await expectDisplaced();
  });

  it("give way to one that is upserted by its slug", async () => {
    expect((await api("PUT", "/api/links/upsert", NEW, theirs)).status).toBe(201);
    await expectDisplaced();
  });

  it("give way to one that is moved, in its domain and to it", async () => {
    const { link } = await create({ ...NEW, slug: "moved" }, theirs);
    expect((await api("PATCH", `/api/links/${link.id}`, { slug: "same" }, theirs)).status).toBe(200);
    await expectDisplaced();
  });

  it("have their webhooks woken", async () => {
    const service = new Service();
    const { link } = await create({ ...NEW, slug: "moved" }, theirs);
    const body = { slug: "same" };
    await service.call("PATCH", `/api/links/${link.id}`, { key: theirs.key, body });
    expect(service.messages).toHaveLength(1);
    await handOver(DOMAIN, mine.accountId);
    await service.call("POST", "/api/webhooks", {
      key: theirs.key,
      body: { url: "https://hooks.receiver.dev/b", events: ["link.delete"] },
    });
    await service.call("POST", "/api/links", { key: mine.key, body: NEW });
    expect(service.messages).toHaveLength(2);
  });

  it("give way to one from the service's own domain", async () => {
    const { link } = await create({ ...NEW, domain: "tern.test" }, theirs);
    expect((await api("PATCH", `/api/links/${link.id}`, { domain: DOMAIN }, theirs)).status).toBe(200);
    await expectDisplaced();
  });

  it("give way to one of 40 parallel requests", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => create(NEW, theirs)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(39);
    await expectDisplaced();
  });

  it("give way to one of parallel upserts, and the others update that", async () => {
    const upserts = Array.from({ length: 10 }, () => api("PUT", "/api/links/upsert", NEW, theirs));
    const statuses = (await Promise.all(upserts)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 9 }, () => 200), 201]);
  });

  it("are not in the way of anybody whose domain it is not", async () => {
    const third = await createAccount();
    for (const account of [mine, third]) expect((await create(NEW, account)).status).toBe(403);
    expect((await api("GET", `/api/links/${stale.id}`)).link).toEqual(stale);
  });

  it("stay their owner's to read, to move and to delete", async () => {
    expect((await api("PATCH", `/api/links/${stale.id}`, { domain: "tern.test" })).link.shortUrl).toBe(
      `${BASE_URL}/Same`,
    );
    expect((await api("DELETE", `/api/links/${stale.id}`)).status).toBe(200);
  });

  it("come before nobody at the domain when their owner changes them", async () => {
    const body = { slug: "offer", url: "https://phishing.dev/" };
    const at = async (slug: string) => (await call("GET", `https://${DOMAIN}/${slug}`)).status;
    expect((await api("PATCH", `/api/links/${stale.id}`, body)).status).toBe(200);
    expect(await at("offer")).toBe(404);
    const changes = { url: "https://phishing.dev/2" };
    const { results } = await api("PATCH", "/api/links/bulk", { ids: [stale.id], changes });
    expect(results[0]?.link.url).toBe(changes.url);
    expect(await at("offer")).toBe(404);
    const upserted = { ...body, url: "https://phishing.dev/3", externalId: "e" };
    await api("PATCH", `/api/links/${stale.id}`, { externalId: "e" });
    expect((await api("PUT", "/api/links/upsert", upserted)).status).toBe(200);
    expect(await at("offer")).toBe(404);
    await handOver(DOMAIN, mine.accountId);
    await api("PATCH", `/api/links/${stale.id}`, { url: `${URL_OK}back` });
    expect((await call("GET", `https://${DOMAIN}/offer`)).headers.get("Location")).toBe(`${URL_OK}back`);
  });

  it("are not taken for links of the service's own domain", async () => {
    const { link } = await create({ slug: "same" });
    expect((await create({ slug: "same" }, theirs)).status).toBe(409);
    const other = await createLink(theirs.key);
    expect((await api("PATCH", `/api/links/${other.id}`, { slug: "same" }, theirs)).status).toBe(409);
    expect((await api("GET", `/api/links/${link.id}`)).status).toBe(200);
  });
});
