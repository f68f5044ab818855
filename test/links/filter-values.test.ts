import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Links } from "../../src/links/list-contract.ts";
import { MAX_LEFT_OUT_LINKS } from "../../src/links/limits.ts";
import { packVerdict } from "../../src/redirect/verdict.ts";
import { call, createAccount, createLink, jsonOf } from "../support/api.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { insertDomain } from "../support/domains.ts";
import { insertManyLinks } from "../support/many-links.ts";

const account = { key: "", accountId: 0 };
beforeEach(async () => Object.assign(account, await createAccount()));

const list = (query: string) => call("GET", `/api/links?${query}`, { key: account.key });

/** The slugs that a list has in each order, which must be the same links, and as many as it counts. */
async function slugs(query: string): Promise<string[]> {
  const pages = await Promise.all(
    ["createdAt", "clicks"].map(async (sort) => {
      const response = await list(`${query}&count=true&sort=${sort}`);
      expect(response.status, await response.clone().text()).toBe(200);
      return jsonOf<Links>(response);
    }),
  );
  const [found, again] = pages.map(({ links }) => links.map(({ slug }) => slug).toSorted((a, b) => (a < b ? -1 : 1)));
  expect(again).toEqual(found);
  expect(pages[0]?.count).toEqual({ value: found?.length, isExact: true });
  return found ?? [];
}

describe("several values of a filter", () => {
  it("find links with any of the statuses, or with another than those that are left out", async () => {
    await createLink(account.key, { slug: "active" });
    await createLink(account.key, { slug: "disabled", disabled: true });
    await createLink(account.key, { slug: "expired", expiresAt: Date.now() - 1 });
    // Nobody has set it to expired yet.
    await createLink(account.key, { slug: "due" });
    await env.DB.prepare("UPDATE links SET expires_at = 1 WHERE slug = 'due'").run();
    expect(await slugs("status=active&status=disabled")).toEqual(["active", "disabled"]);
    expect(await slugs("status=!expired")).toEqual(["active", "disabled"]);
    expect(await slugs("status=!active")).toEqual(["disabled", "due", "expired"]);
    expect(await slugs("status=!active&status=!disabled&domain=tern.test")).toEqual(["due", "expired"]);
    expect(await slugs("status=active&status=expired&status=!active")).toEqual(["due", "expired"]);
    expect(await slugs("status=active&status=expired&status=disabled")).toHaveLength(4);
    for (const query of ["status=active&status=!active", "status=!deleted", "status=!", "domain=!tern.test", "tag=!"])
      expect([query, (await list(query)).status]).toEqual([query, 400]);
  });

  it("find links on any of the domains, and by any of the verdicts", async () => {
    for (const domain of ["a.example", "b.example", "c.example"]) await insertDomain(account.accountId, domain);
    await createLink(account.key, { slug: "here" });
    for (const name of ["a", "b", "c"]) await createLink(account.key, { slug: name, domain: `${name}.example` });
    await createLink(account.key, { slug: "hidden", domain: "a.example", archived: true });
    expect(await slugs("domain=a.example&domain=B.example")).toEqual(["a", "b"]);
    expect(await slugs("domain=a.example&domain=tern.test&archived=include")).toEqual(["a", "here", "hidden"]);
    expect(await slugs("domain=a.example&domain=A.example")).toEqual(["a"]);
    expect(await slugs("domain=b.example&domain=tern.test&status=!disabled&tag=!x")).toEqual(["b", "here"]);
    expect(await slugs("slug=b&domain=b.example&domain=c.example")).toEqual(["b"]);
    expect(await slugs("slug=here&domain=b.example&domain=c.example")).toEqual([]);
    const setVerdict = env.DB.prepare("UPDATE links SET verdict = ?2 WHERE slug = ?1");
    for (const [slug, state] of [
      ["a", "pending"],
      ["b", "blocked"],
    ] as const)
      await setVerdict.bind(slug, packVerdict({ state, reason: null, since: null }, false)).run();
    expect(await slugs("verdict=pending&verdict=blocked")).toEqual(["a", "b"]);
    expect(await slugs("verdict=!blocked")).toEqual(["a", "c", "here"]);
    expect(await slugs("verdict=!allowed&verdict=!blocked")).toEqual(["a"]);
  });

  it("by the verdict read the account's links that have one, and their number no others", async () => {
    await insertManyLinks(env.DB, account.accountId, 1_000);
    await env.DB.prepare(
      "UPDATE links SET verdict = ?1 WHERE seq IN (SELECT seq FROM links WHERE account_id = ?2 LIMIT 3)",
    )
      .bind(packVerdict({ state: "blocked", reason: "phishing", since: null }, false), account.accountId)
      .run();
    const query = "verdict=blocked&verdict=warned&archived=exclude&limit=1&count=true";
    await list(query);
    const { rowsRead } = await measureD1(async () => {
      const { count } = await jsonOf<Links>(await list(query));
      expect(count).toEqual({ value: 3, isExact: true });
    });
    expect(rowsRead).toBeLessThanOrEqual(12);
  });

  it("leave out links with a tag, but none with texts like it", async () => {
    await createLink(account.key, { slug: "sale", tags: ["Sale", "print"] });
    await createLink(account.key, { slug: "print", tags: ["print"] });
    await createLink(account.key, { slug: "none" });
    // Together they have all trigrams of the tag.
    await createLink(account.key, { slug: "alike", tags: ["sale-x", "x-sale"] });
    expect(await slugs("tag=!SALE")).toEqual(["alike", "none", "print"]);
    expect(await slugs("tag=!sale&tag=!print")).toEqual(["alike", "none"]);
    expect(await slugs("tag=print&tag=!sale")).toEqual(["print"]);
    expect(await slugs("tag=!sale&search=example&createdAfter=2020-01-01")).toEqual(["alike", "none", "print"]);
    const body = { filter: { tag: ["!sale"], status: ["active", "!expired"], domain: ["tern.test"] }, delete: true };
    const { job } = await jsonOf<{ job: { id: string } }>(await call("POST", "/api/bulk", { key: account.key, body }));
    await expect
      .poll(async () => (await call("GET", `/api/bulk/${job.id}`, { key: account.key })).text(), { timeout: 20_000 })
      .toContain('"status":"done"');
    expect(await slugs("archived=include")).toEqual(["sale"]);
  });

  it("are not left out if a page would read too many", async () => {
    await createLink(account.key, { tags: ["many", "few"] });
    const set = (links: number) => env.DB.prepare("UPDATE tags SET links = ?1 WHERE key = 'many'").bind(links).run();
    await set(MAX_LEFT_OUT_LINKS - 1);
    expect((await list("tag=!many&tag=!few")).status).toBe(200);
    await set(MAX_LEFT_OUT_LINKS);
    expect(await (await list("tag=!many&tag=!few")).json()).toMatchObject({
      details: [{ path: "tag", code: "too_many_left_out", max: MAX_LEFT_OUT_LINKS }],
    });
    expect((await list("tag=!many&tag=!MANY")).status).toBe(200);
    const body = { filter: { tag: ["!many", "!few"] }, delete: true };
    expect((await call("POST", "/api/bulk", { key: account.key, body })).status).toBe(400);
  });

  it("read only the links of the page", async () => {
    await insertDomain(account.accountId, "a.example");
    await insertManyLinks(env.DB, account.accountId, 300);
    for (const query of ["status=active&status=disabled", "status=!expired", "domain=tern.test&domain=a.example"]) {
      const cost = await measureD1(async () => expect((await list(`${query}&limit=10`)).status).toBe(200));
      expect([query, cost.rowsRead]).toEqual([query, expect.toSatisfy((rows: number) => rows <= 2 + 2 * 11)]);
    }
  });
});
