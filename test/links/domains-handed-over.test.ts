import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import { BASE_URL, call, createAccount, createLink } from "../support/api.ts";
import { newService } from "../webhooks/support.ts";
import { handOver } from "../support/domains.ts";
import { DOMAIN, twoAccounts, URL_OK } from "./support.ts";

const { mine, theirs, api, create } = twoAccounts();

describe("links of a domain that now belongs to another account", () => {
  let stale: Link;
  beforeEach(async () => {
    await api("POST", "/api/webhooks", { url: "https://hooks.receiver.dev/in", events: ["link.delete"] });
    stale = (await create({ domain: DOMAIN, slug: "Same", title: "stale" })).link;
    await call("GET", "https://go.example/same");
    await handOver(DOMAIN, theirs.accountId);
  });

  async function expectRemoved(): Promise<void> {
    expect((await api("GET", `/api/links/${stale.id}`)).status).toBe(404);
    expect(await env.DB.prepare("SELECT id, account_id FROM deleted_links").all()).toMatchObject({
      results: [{ id: stale.id, account_id: mine.accountId }],
    });
    const { results } = await env.DB.prepare("SELECT type, body FROM deliveries").all<{ type: string; body: string }>();
    expect(results.map(({ type }) => type)).toEqual(["link.delete"]);
    expect((JSON.parse(results[0]?.body ?? "") as { data: Link }).data).toEqual(stale);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM deliveries").first("n")).toBe(1);
    expect((await call("GET", "https://go.example/same")).headers.get("Location")).toBe(`${URL_OK}new`);
  }

  const NEW = { url: `${URL_OK}new`, slug: "same", domain: DOMAIN };

  it("are removed for a new link", async () => {
    expect((await create(NEW, theirs)).status).toBe(201);
    await expectRemoved();
  });

  it("are removed for a link of a bulk request", async () => {
    const links = [NEW, { ...NEW, slug: "SAME" }, { ...NEW, slug: "other" }];
    const { results } = await api("POST", "/api/links/bulk", { links }, theirs);
    expect(results.map(({ code }) => code)).toEqual([undefined, "conflict", undefined]);
    await expectRemoved();
  });

  it("are removed for a link that is upserted by its slug", async () => {
    expect((await api("PUT", "/api/links/upsert", NEW, theirs)).status).toBe(201);
    await expectRemoved();
  });

  it("are removed for a link that moves there, within the domain or from another", async () => {
    const { link } = await create({ ...NEW, slug: "moved" }, theirs);
    expect((await api("PATCH", `/api/links/${link.id}`, { slug: "same" }, theirs)).status).toBe(200);
    await expectRemoved();
  });

  it("have their events delivered at once", async () => {
    const service = await newService();
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

  it("are removed for a link that moves there from the service's own domain", async () => {
    const { link } = await create({ ...NEW, domain: "tern.test" }, theirs);
    expect((await api("PATCH", `/api/links/${link.id}`, { domain: DOMAIN }, theirs)).status).toBe(200);
    await expectRemoved();
  });

  it("are removed for one of 40 parallel requests", async () => {
    const responses = await Promise.all(Array.from({ length: 40 }, () => create(NEW, theirs)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(39);
    await expectRemoved();
  });

  it("are removed for one of several parallel upserts, and the others update the new link", async () => {
    const upserts = Array.from({ length: 10 }, () => api("PUT", "/api/links/upsert", NEW, theirs));
    const statuses = (await Promise.all(upserts)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 9 }, () => 200), 201]);
  });

  it("are not removed for an account that does not have the domain", async () => {
    const third = await createAccount();
    for (const account of [mine, third]) expect((await create(NEW, account)).status).toBe(403);
    expect((await api("GET", `/api/links/${stale.id}`)).link).toEqual(stale);
  });

  it("are not removed for a link that is refused for another reason", async () => {
    await create({ externalId: "e" }, theirs);
    expect((await create({ ...NEW, externalId: "e" }, theirs)).status).toBe(409);
    expect((await api("GET", `/api/links/${stale.id}`)).link).toEqual(stale);
  });

  it("are not removed for links that the quota refuses", async () => {
    const { link } = await create({ ...NEW, slug: "old" }, theirs);
    await api("PATCH", `/api/links/${link.id}`, { slug: "new" }, theirs);
    const setQuota = (links: number) =>
      env.DB.prepare("UPDATE account_usage SET max_links = ?2 WHERE account_id = ?1")
        .bind(theirs.accountId, links)
        .run();
    await setQuota(1);
    expect(await create(NEW, theirs)).toMatchObject({ status: 403, code: "quota_exceeded" });
    expect(await api("PUT", "/api/links/upsert", NEW, theirs)).toMatchObject({ status: 403, code: "quota_exceeded" });
    const createAll = async () => {
      const links = ["same", "old", "new", "other"].map((slug) => Object.assign({}, NEW, { slug }));
      const { results } = await api("POST", "/api/links/bulk", { links }, theirs);
      return results.map(({ code }) => code ?? "created");
    };
    const refused = ["quota_exceeded", "conflict", "conflict", "quota_exceeded"];
    expect(await createAll()).toEqual(refused);
    await setQuota(2);
    expect(await createAll()).toEqual(refused);
    expect((await api("GET", `/api/links/${stale.id}`)).link).toEqual(stale);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM deliveries").first("n")).toBe(0);
    await setQuota(3);
    expect(await createAll()).toEqual(["created", "conflict", "conflict", "created"]);
    await expectRemoved();
  });

  it("keep their aliases if the quota refuses a link, which gets them once there is room", async () => {
    await handOver(DOMAIN, mine.accountId);
    const { link } = await api("PATCH", `/api/links/${stale.id}`, { slug: "renamed" });
    await handOver(DOMAIN, theirs.accountId);
    await env.DB.prepare("UPDATE account_usage SET max_links = 0 WHERE account_id = ?1").bind(theirs.accountId).run();
    expect(await create(NEW, theirs)).toMatchObject({ status: 403, code: "quota_exceeded" });
    expect((await api("GET", `/api/links/${stale.id}`)).link).toEqual(link);
    await env.DB.prepare("UPDATE account_usage SET max_links = 1 WHERE account_id = ?1").bind(theirs.accountId).run();
    expect((await create(NEW, theirs)).status).toBe(201);
    expect((await api("GET", `/api/links/${stale.id}`)).link).toMatchObject({ slug: "renamed", aliases: [] });
  });

  it("can be read, moved and deleted by their account", async () => {
    expect((await api("PATCH", `/api/links/${stale.id}`, { domain: "tern.test" })).link.shortUrl).toBe(
      `${BASE_URL}/Same`,
    );
    expect((await api("DELETE", `/api/links/${stale.id}`)).status).toBe(200);
  });

  it("do not reach visitors of the domain when their account updates them", async () => {
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

  it("are not removed for links of the service's own domain", async () => {
    const { link } = await create({ slug: "same" });
    expect((await create({ slug: "same" }, theirs)).status).toBe(409);
    const other = await createLink(theirs.key);
    expect((await api("PATCH", `/api/links/${other.id}`, { slug: "same" }, theirs)).status).toBe(409);
    expect((await api("GET", `/api/links/${link.id}`)).status).toBe(200);
  });
});
