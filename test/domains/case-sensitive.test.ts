import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DELETED_LINK_KEPT_MS } from "../../src/limits.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { insertManyLinks } from "../support/many-links.ts";
import type { Service } from "../webhooks/support.ts";
import { addVerified, DOMAIN, errorOf, oneOf, startDomains, type Person } from "./support.ts";
import type { Domain } from "../../src/domains/contract.ts";
import type { Link } from "../../src/links/contract.ts";
import { jsonOf } from "../support/api.ts";
import { DELETED_LINK_PURGE_DELAY_MS } from "../../src/links/limits.ts";

let service: Service;
let ann: Person;
let bob: Person;
beforeEach(async () => ({ service, ann, bob } = await startDomains()));

const add = (body: object, { key } = ann, headers: Record<string, string> = {}) =>
  service.call("POST", "/api/domains/add", { key, body, headers });
const set = ({ id }: Domain, caseSensitive: unknown, others: object = {}) =>
  service.call("PATCH", `/api/domains/${id}`, { key: ann.key, body: { caseSensitive, ...others } });

async function createLink(slug: string, { key } = ann): Promise<Link> {
  const body = { url: "https://example.com/", domain: DOMAIN, slug };
  const response = await service.call("POST", "/api/links", { key, body });
  expect(response.status).toBe(201);
  return (await jsonOf<{ link: Link }>(response)).link;
}

const change = (method: string, path: string, body?: object) => service.call(method, path, { key: ann.key, body });

describe("caseSensitive", () => {
  it("is chosen when the domain is added, and part of the request for its Idempotency-Key", async () => {
    expect(await oneOf(await add({ domain: DOMAIN }), 201)).toMatchObject({ caseSensitive: false });
    const other = { domain: "other.acme.com", caseSensitive: true };
    const headers = { "Idempotency-Key": "once" };
    const domain = await oneOf(await add(other, ann, headers), 201);
    expect(domain.caseSensitive).toBe(true);
    expect(await oneOf(await add(other, ann, headers), 201)).toEqual(domain);
    expect((await add({ ...other, caseSensitive: false }, ann, headers)).status).toBe(409);
    for (const caseSensitive of [null, 1, "true"])
      expect((await add({ domain: "more.acme.com", caseSensitive })).status).toBe(400);
  });

  it("can be changed while the domain has no link, and set to what it is at any time", async () => {
    const domain = await addVerified(service, ann);
    expect(await oneOf(await set(domain, true))).toMatchObject({ caseSensitive: true });
    await createLink("abC");
    await createLink("abc");
    expect(await oneOf(await set(domain, true, { rootUrl: "https://example.com/" }))).toMatchObject({
      caseSensitive: true,
      rootUrl: "https://example.com/",
    });
    const refused = await errorOf(await set(domain, false, { rootUrl: null }));
    expect(refused).toMatchObject({
      status: 409,
      code: "conflict",
      details: [{ code: "case_is_set", value: DOMAIN, days: 7 }],
    });
    expect(await oneOf(await change("GET", `/api/domains/${domain.id}`))).toMatchObject({
      caseSensitive: true,
      rootUrl: "https://example.com/",
    });
    expect((await set(domain, null)).status).toBe(400);
    const unknown = { ...domain, id: domain.id.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")) };
    expect((await set(unknown, true)).status).toBe(404);
  });

  it("cannot be changed for an archived link, or for a deleted one until it can no longer be restored", async () => {
    const domain = await addVerified(service, ann);
    const link = await createLink("one");
    await change("PATCH", `/api/links/${link.id}`, { archived: true, slug: "two" });
    expect((await set(domain, true)).status).toBe(409);
    await change("DELETE", `/api/links/${link.id}`);
    expect((await set(domain, true)).status).toBe(409);
    vi.setSystemTime(Date.now() + DELETED_LINK_KEPT_MS + DELETED_LINK_PURGE_DELAY_MS);
    await service.cron();
    expect((await set(domain, true)).status).toBe(200);
  });

  it("can be changed after all links moved elsewhere", async () => {
    const domain = await addVerified(service, ann);
    const link = await createLink("One");
    expect((await change("PATCH", `/api/links/${link.id}`, { domain: "tern.test" })).status).toBe(200);
    expect((await set(domain, true)).status).toBe(200);
    expect((await change("PATCH", `/api/links/${link.id}`, { domain: DOMAIN })).status).toBe(200);
    for (const [slug, status] of [
      ["One", 302],
      ["one", 404],
    ] as const)
      expect((await service.call("GET", `https://${DOMAIN}/${slug}`)).status).toBe(status);
    expect((await set(domain, false)).status).toBe(409);
  });

  it("must be the same for a domain that is added again while its links can be restored", async () => {
    const first = await oneOf(await set(await addVerified(service, ann), true));
    const link = await createLink("abC");
    expect((await change("DELETE", `/api/domains/${first.id}?force=true`)).status).toBe(200);
    expect(await errorOf(await add({ domain: DOMAIN }))).toMatchObject({
      status: 409,
      details: [{ code: "case_of_deleted_links", value: DOMAIN, expected: "true", days: 7 }],
    });
    // Only for the account that had the links.
    expect((await add({ domain: DOMAIN }, bob)).status).toBe(201);
    await oneOf(await add({ domain: DOMAIN, caseSensitive: true }), 201);
    await env.DB.prepare("UPDATE domains SET status = 'verified' WHERE account_id = ?1").bind(ann.accountId).run();
    expect((await change("POST", `/api/links/${link.id}/restore`)).status).toBe(200);
    expect((await service.call("GET", `https://${DOMAIN}/abC`)).status).toBe(302);
  });

  it("agrees with the domain's links after links were created while it was changed", async () => {
    const domain = await addVerified(service, ann);
    for (let round = 0; round < 12; round++) {
      expect((await set(domain, round % 4 < 2)).status).toBe(200);
      const links = ["abC", "abc", "ABC"].map((slug) => ({ url: "https://example.com/", domain: DOMAIN, slug }));
      const responses = await Promise.all([
        set(domain, round % 2 === 0),
        change("POST", "/api/links/bulk", { links }),
        set(domain, round % 2 === 1),
        change("POST", "/api/links", links[0]),
        set(domain, round % 2 === 0),
      ]);
      expect(responses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
      const differing =
        "SELECT count(*) AS n FROM links l JOIN domains d USING (domain) WHERE l.case_sensitive <> d.case_sensitive";
      expect(await env.DB.prepare(differing).first("n")).toBe(0);
      expect([1, 3]).toContain(await env.DB.prepare("SELECT count(*) AS n FROM links").first("n"));
      await env.DB.batch(["links", "deleted_links", "aliases"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
    }
  });

  it("costs the same to change at every size of the account and of the domain's former owner", async () => {
    const domain = await addVerified(service, ann);
    const costs = [];
    for (const links of [10, 1_000]) {
      await insertManyLinks(env.DB, ann.accountId, links);
      await env.DB.prepare(
        `INSERT INTO aliases (domain, slug_key, link_seq, account_id)
         SELECT ?1, 'former' || value, value, ?2 FROM json_each(?3) WHERE true ON CONFLICT DO NOTHING`,
      )
        .bind(DOMAIN, bob.accountId, JSON.stringify(Array.from({ length: links }, (_, n) => n)))
        .run();
      await change("GET", "/api/domains");
      const cost = await measureD1(async () => expect((await set(domain, links === 10)).status).toBe(200));
      costs.push([cost.roundTrips, cost.rowsRead, cost.rowsWritten]);
    }
    expect(costs[1]).toEqual(costs[0]);
    expect(costs[0]).toEqual([4, 14, 3]);
  });
});
