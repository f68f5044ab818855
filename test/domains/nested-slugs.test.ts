import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DELETED_LINK_KEPT_MS, RATE_LIMIT_WINDOW_MS } from "../../src/limits.ts";
import { DELETED_LINK_PURGE_DELAY_MS } from "../../src/links/limits.ts";
import type { Domain } from "../../src/domains/contract.ts";
import type { Link } from "../../src/links/contract.ts";
import { jsonOf } from "../support/api.ts";
import { INDEX_GROWTH_ROWS, measureD1 } from "../support/d1-meter.ts";
import { insertManyLinks } from "../support/many-links.ts";
import type { Service } from "../webhooks/support.ts";
import { addVerified, DOMAIN, errorOf, oneOf, read, startDomains, type Person } from "./support.ts";

let service: Service;
let ann: Person;
let bob: Person;
let domain: Domain;
beforeEach(async () => {
  ({ service, ann, bob } = await startDomains());
  domain = await addVerified(service, ann);
});

const change = (method: string, path: string, body?: object) => service.call(method, path, { key: ann.key, body });
const set = (changes: object) => change("PATCH", `/api/domains/${domain.id}`, changes);
const create = (slug: string) => change("POST", "/api/links", { url: "https://example.com/", domain: DOMAIN, slug });

async function createLink(slug: string): Promise<Link> {
  const response = await create(slug);
  expect(response.status).toBe(201);
  return (await jsonOf<{ link: Link }>(response)).link;
}

const isOn = async () => (await read(service, ann, domain)).nestedSlugs;

describe("nestedSlugs", () => {
  it("is off for a new domain, and a boolean", async () => {
    expect(domain.nestedSlugs).toBe(false);
    expect(await oneOf(await set({ nestedSlugs: true }))).toMatchObject({ nestedSlugs: true, pathForwarding: false });
    expect(await isOn()).toBe(true);
    for (const nestedSlugs of [null, 1, "true"]) expect((await set({ nestedSlugs })).status).toBe(400);
  });

  it("excludes pathForwarding, whichever is on, unless one request turns it off", async () => {
    await oneOf(await set({ nestedSlugs: true }));
    expect(await errorOf(await set({ pathForwarding: true, rootUrl: "https://example.com/" }))).toMatchObject({
      status: 400,
      details: [{ path: "pathForwarding", code: "on_together", field: "nestedSlugs" }],
    });
    expect(await read(service, ann, domain)).toMatchObject({ nestedSlugs: true, pathForwarding: false, rootUrl: null });
    await oneOf(await set({ nestedSlugs: false, pathForwarding: true }));
    expect(await errorOf(await set({ nestedSlugs: true }))).toMatchObject({
      status: 400,
      details: [{ path: "nestedSlugs", code: "on_together", field: "pathForwarding" }],
    });
    expect((await set({ nestedSlugs: true, pathForwarding: true })).status).toBe(400);
    expect(await oneOf(await set({ nestedSlugs: true, pathForwarding: false }))).toMatchObject({
      nestedSlugs: true,
      pathForwarding: false,
    });
    expect((await set({ nestedSlugs: true, pathForwarding: true })).status).toBe(400);
    await expect(env.DB.prepare("UPDATE domains SET path_forwarding = 1").run()).rejects.toThrow("CHECK");
  });

  it("never excludes both at once, whatever is sent at the same time", async () => {
    for (let round = 0; round < 10; round++) {
      await oneOf(await set({ nestedSlugs: false, pathForwarding: false }));
      const responses = await Promise.all([set({ nestedSlugs: true }), set({ pathForwarding: true })]);
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 400]));
    }
  });

  it("is not found for an unknown domain, and forbidden for that of others", async () => {
    const unknown = domain.id.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    expect((await change("PATCH", `/api/domains/${unknown}`, { nestedSlugs: false })).status).toBe(404);
    const body = { nestedSlugs: true };
    expect((await service.call("PATCH", `/api/domains/${domain.id}`, { key: bob.key, body })).status).toBe(403);
  });
});

describe("turning it off", () => {
  beforeEach(async () => {
    await oneOf(await set({ nestedSlugs: true }));
  });

  const expectRefusal = async () => {
    expect(await errorOf(await set({ nestedSlugs: false, rootUrl: "https://example.com/" }))).toMatchObject({
      status: 409,
      code: "conflict",
      details: [{ code: "has_nested_slugs", value: DOMAIN, days: 7 }],
    });
    expect(await read(service, ann, domain)).toMatchObject({ nestedSlugs: true, rootUrl: null });
  };

  it("is possible while all slugs are plain", async () => {
    const link = await createLink("docs");
    await change("DELETE", `/api/links/${link.id}`);
    await createLink("guide");
    expect((await set({ nestedSlugs: false })).status).toBe(200);
    expect(await isOn()).toBe(false);
  });

  it("is refused for a link, an archived one too, until it has another slug and no such alias", async () => {
    const { id } = await createLink("docs/setup");
    await expectRefusal();
    await change("PATCH", `/api/links/${id}`, { archived: true });
    await expectRefusal();
    await change("PATCH", `/api/links/${id}`, { slug: "docs" });
    await expectRefusal();
    await change("PATCH", `/api/links/${id}`, { aliases: [] });
    expect((await set({ nestedSlugs: false, pathForwarding: true })).status).toBe(200);
  });

  it("is refused for a deleted link, or the alias of one, until it can no longer be restored", async () => {
    const { id } = await createLink("docs/setup");
    await change("PATCH", `/api/links/${id}`, { slug: "docs" });
    await change("DELETE", `/api/links/${id}`);
    await expectRefusal();
    expect((await change("POST", `/api/links/${id}/restore`)).status).toBe(200);
    await expectRefusal();
    await change("DELETE", `/api/links/${id}`);
    vi.setSystemTime(Date.now() + DELETED_LINK_KEPT_MS + DELETED_LINK_PURGE_DELAY_MS);
    await service.cron();
    expect((await set({ nestedSlugs: false })).status).toBe(200);
  });

  it("is not refused for links at another domain", async () => {
    const other = await addVerified(service, ann, "other.acme.com");
    await oneOf(await change("PATCH", `/api/domains/${other.id}`, { nestedSlugs: true }));
    await change("POST", "/api/links", { url: "https://example.com/", domain: "other.acme.com", slug: "a/b" });
    expect((await set({ nestedSlugs: false })).status).toBe(200);
  });

  it("leaves no link that visitors cannot reach, while 40 requests create some", async () => {
    const nested = "SELECT count(*) AS n FROM links WHERE instr(slug, '/') > 0";
    for (let round = 0; round < 6; round++) {
      // Of the calls that an account may make in a minute.
      vi.setSystemTime(Date.now() + RATE_LIMIT_WINDOW_MS);
      await oneOf(await set({ nestedSlugs: true }));
      const plain = await createLink(`plain-${round}`);
      const creations = Array.from({ length: 40 }, (_, n) => {
        const links = [{ url: "https://example.com/", domain: DOMAIN, slug: `r${round}/n${n}` }];
        if (n % 4 === 0) return change("POST", "/api/links/bulk", { links });
        if (n % 4 === 1) return change("PUT", "/api/links/upsert", links[0]);
        if (n === 2) return change("PATCH", `/api/links/${plain.id}`, { slug: `r${round}/n${n}` });
        return change("POST", "/api/links", links[0]);
      });
      const [off, ...responses] = await Promise.all([set({ nestedSlugs: false }), ...creations]);
      expect([200, 409]).toContain(off.status);
      for (const { status } of responses) expect([200, 201, 400]).toContain(status);
      const count = await env.DB.prepare(nested).first<number>("n");
      expect(await isOn()).toBe(count !== 0);
      expect(off.status).toBe(count === 0 ? 200 : 409);
      await env.DB.batch(["links", "deleted_links", "aliases"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
    }
  });

  it("reads the same at every size of the account", async () => {
    const costs = [];
    for (const links of [10, 1_000]) {
      await insertManyLinks(env.DB, ann.accountId, links);
      await env.DB.prepare("UPDATE links SET domain = ?1").bind(DOMAIN).run();
      await env.DB.prepare(
        `INSERT INTO aliases (domain, slug_key, link_seq, account_id)
         SELECT ?1, 'former' || value, value, ?2 FROM json_each(?3) WHERE true ON CONFLICT DO NOTHING`,
      )
        .bind(DOMAIN, ann.accountId, JSON.stringify(Array.from({ length: links }, (_, n) => n)))
        .run();
      await set({ nestedSlugs: true });
      const off = await measureD1(async () => expect((await set({ nestedSlugs: false })).status).toBe(200));
      await set({ nestedSlugs: true });
      await createLink(`a/${links}`);
      await createLink(`b/${links}`);
      const refused = await measureD1(async () => expect((await set({ nestedSlugs: false })).status).toBe(409));
      await env.DB.prepare("DELETE FROM links WHERE instr(slug, '/') > 0").run();
      costs.push([off, refused].map(({ rowsRead, rowsWritten }) => ({ rowsRead, rowsWritten })));
    }
    expect(costs[1]).toEqual(costs[0]);
  });

  it("costs links with plain slugs no row", async () => {
    await createLink("first");
    const plain = await measureD1(() => createLink("one-slug"));
    const nested = await measureD1(() => createLink("two/slug"));
    expect(nested.statements).toHaveLength(plain.statements.length);
    expect(nested.rowsRead).toBeLessThanOrEqual(plain.rowsRead + INDEX_GROWTH_ROWS);
    expect(nested.rowsWritten).toBe(plain.rowsWritten + 1);
  });
});
