import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Domain } from "../../src/domains/contract.ts";
import { newId } from "../../src/platform/lib/uuid.ts";
import { sequenceOf } from "../../src/links/store/sequence.ts";
import { countRows, internet, type Service } from "../webhooks/support.ts";
import {
  addDomain,
  addVerified,
  DOMAIN,
  errorOf,
  publishProof,
  startDomains,
  takeEvents,
  type Person,
  verify,
} from "./support.ts";

let service: Service;
let ann: Person;
let bob: Person;
let domain: Domain;
beforeEach(async () => {
  ({ service, ann, bob } = await startDomains());
  domain = await addVerified(service, ann);
});

let inserted = 0;

/** Inserts links of a domain as the API would store them. */
async function insertLinks({ accountId }: Person, domain: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => {
    const id = newId(Date.now() - ++inserted);
    return [sequenceOf(id), id, `${accountId}-${n}`];
  });
  await env.DB.prepare(
    `INSERT INTO links (seq, id, account_id, domain, slug, url, status, redirect_status, created_at, updated_at)
     SELECT CAST(value ->> 0 AS INTEGER), value ->> 1, ?1, ?2, value ->> 2, 'https://e.com/', 'active', 302, 0, 0
     FROM json_each(?3)`,
  )
    .bind(accountId, domain, JSON.stringify(rows))
    .run();
}

const remove = (query = "") => service.call("DELETE", `/api/domains/${domain.id}${query}`, { key: ann.key });
const countLinks = async (domain = DOMAIN) =>
  env.DB.prepare("SELECT count(*) AS n FROM links WHERE domain = ?1").bind(domain).first<number>("n");

describe("deletion of a domain that links use", () => {
  it.each(["", "?force=false"])("is refused%s and changes nothing", async (query) => {
    await insertLinks(ann, DOMAIN, 1);
    expect(await errorOf(await remove(query))).toMatchObject({ status: 409, code: "conflict" });
    expect(await countLinks()).toBe(1);
    await insertLinks(ann, "", 2);
    expect((await service.call("GET", `/api/domains/${domain.id}`, { key: ann.key })).status).toBe(200);
  });

  it.each(["?force", "?force=1", "?force=yes", "?Force=true"])("does not accept %s", async (query) => {
    await insertLinks(ann, DOMAIN, 1);
    expect((await remove(query)).status).toBe(400);
    expect(await countLinks()).toBe(1);
  });

  it("deletes the links too with force, each with its event", async () => {
    await service.createWebhook(ann.key, { events: ["link.delete"] });
    await insertLinks(ann, DOMAIN, 3);
    await insertLinks(ann, "", 1);
    await insertLinks(bob, DOMAIN.replace("go", "x"), 1);
    expect((await remove("?force=true")).status).toBe(200);
    expect(await countLinks()).toBe(0);
    expect(await countLinks("")).toBe(1);
    expect(await countRows("deleted_links")).toBe(3);
    const events = await takeEvents(service);
    expect(events.map(({ event, data }) => [event, (data as { shortUrl: string }).shortUrl])).toEqual(
      expect.arrayContaining([["link.delete", expect.stringMatching(/^https:\/\/go\.acme\.com\/\d+-1$/)]]),
    );
    expect(events).toHaveLength(3);
    await service.cron();
    expect(await countRows("deleted_domains")).toBe(0);
  });

  it("continues with other domains if the links of one domain cannot be deleted", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const bobs = await addVerified(service, bob, "bob.acme.com");
    await insertLinks(ann, DOMAIN, 1);
    await insertLinks(bob, "bob.acme.com", 501);
    await env.DB.prepare(
      `CREATE TRIGGER broken BEFORE DELETE ON links WHEN OLD.domain = '${DOMAIN}' BEGIN SELECT raise(ABORT, 'broken'); END`,
    ).run();
    await remove("?force=true");
    await service.call("DELETE", `/api/domains/${bobs.id}?force=true`, { key: bob.key });
    for (let run = 0; run < 50 && (await countLinks("bob.acme.com")) !== 0; run++) await service.cron();
    expect(await countLinks("bob.acme.com")).toBe(0);
    expect(await countLinks()).toBe(1);
    await env.DB.prepare("DROP TRIGGER broken").run();
    await service.cron();
    expect(await countLinks()).toBe(0);
  });

  it("emits link.expired for links that had expired unnoticed before the deletion", async () => {
    await service.createWebhook(ann.key, { events: ["link.delete", "link.expired"] });
    await insertLinks(ann, DOMAIN, 1);
    await env.DB.prepare("UPDATE links SET expires_at = 1").run();
    await remove("?force=true");
    const events = (await takeEvents(service)).map(({ event }) => event);
    expect(events.toSorted((a, b) => a.localeCompare(b))).toEqual(["link.delete", "link.expired"]);
  });

  it(
    "leaves large numbers of links to the cron; meanwhile the domain cannot be added",
    { timeout: 120_000 },
    async () => {
      await service.createWebhook(ann.key, { events: ["link.delete"] });
      await insertLinks(ann, DOMAIN, 1_100);
      await remove("?force=true");
      expect(await countLinks()).toBe(600);
      const again = () => service.call("POST", "/api/domains/add", { key: ann.key, body: { domain: DOMAIN } });
      expect(await errorOf(await again())).toMatchObject({
        status: 409,
        details: [{ code: "links_being_deleted", value: DOMAIN }],
      });
      await Promise.all([service.cron(), service.cron()]);
      expect([await countLinks(), await countRows("deleted_domains")]).toEqual([0, 0]);
      expect(await countRows("deliveries")).toBe(1_100);
      expect((await again()).status).toBe(201);
    },
  );

  it("lets another account verify the domain and keeps its links", async () => {
    await insertLinks(ann, DOMAIN, 600);
    await remove("?force=true");
    const bobs = await addDomain(service, bob);
    await publishProof(bobs);
    expect((await verify(service, bob, bobs)).status).toBe(200);
    await insertLinks(bob, DOMAIN, 2);
    await service.cron();
    expect(await countLinks()).toBe(2);
  });

  it("happens once if many requests delete the domain concurrently", async () => {
    await service.createWebhook(ann.key, { events: ["link.delete"] });
    await insertLinks(ann, DOMAIN, 5);
    const statuses = (await Promise.all(Array.from({ length: 40 }, () => remove("?force=true")))).map((r) => r.status);
    expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([]);
    expect(statuses).toContain(200);
    expect(await countRows("deliveries")).toBe(5);
  });
});

it("makes no requests if custom hostnames are not configured", async () => {
  await remove();
  await service.cron();
  expect(await internet.received()).toEqual([]);
  expect(await countRows("removed_hostnames")).toBe(0);
});
