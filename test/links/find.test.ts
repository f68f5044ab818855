import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Links } from "../../src/links/list-contract.ts";
import { call, createAccount, createLink, jsonOf } from "../support/api.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { insertDomain } from "../support/domains.ts";
import { insertManyLinks } from "../support/many-links.ts";

async function list(key: string, query = ""): Promise<Links> {
  const response = await call("GET", `/api/links${query}`, { key });
  expect(response.status, await response.clone().text()).toBe(200);
  return jsonOf<Links>(response);
}

async function slugs(key: string, query = ""): Promise<string[]> {
  return (await list(key, query)).links.map(({ slug }) => slug);
}

describe("filters", () => {
  it("finds a link by its slug or an alias in any case, on one domain or on all of the account", async () => {
    const { key, accountId } = await createAccount();
    await insertDomain(accountId, "go.example");
    const here = await createLink(key, { slug: "Same", url: "https://example.com/here" });
    await createLink(key, { slug: "same", domain: "go.example", url: "https://example.com/there", tags: ["t"] });
    await createLink(key, { slug: "same-2" });
    const urls = async (query: string) => (await list(key, query)).links.map(({ url }) => url.slice(20));
    expect(await urls("?slug=SAME")).toEqual(["there", "here"]);
    expect(await urls("?slug=same&order=asc&sort=clicks")).toEqual(["here", "there"]);
    expect(await urls("?slug=same&domain=go.example")).toEqual(["there"]);
    expect(await urls("?slug=same&domain=tern.test")).toEqual(["here"]);
    expect(await urls("?slug=same&tag=T&search=there&status=active")).toEqual(["there"]);
    await call("PATCH", `/api/links/${here.id}`, { key, body: { slug: "x" } });
    expect(await urls("?slug=sAME&domain=tern.test")).toEqual(["here"]);
    expect(await urls("?slug=X")).toEqual(["here"]);
    await call("DELETE", `/api/links/${here.id}`, { key });
    expect(await urls("?slug=same&domain=tern.test")).toEqual([]);
  });

  it("finds links by exactly their URL and by exactly their externalId, together with other filters", async () => {
    const { key } = await createAccount();
    const prefix = `https://example.com/${"a".repeat(8_000)}/`;
    await createLink(key, { slug: "a", url: `${prefix}1`, externalId: "e", title: "One" });
    await createLink(key, { slug: "b", url: `${prefix}1`, externalId: "E", tags: ["t"] });
    await createLink(key, { slug: "c", url: `${prefix}2`, externalId: "ee" });
    const withUtm = await createLink(key, { slug: "d", url: "https://example.com/" });
    await call("PATCH", `/api/links/${withUtm.id}`, { key, body: { utm: { source: "x" } } });
    const urlQuery = `?url=${encodeURIComponent(`${prefix}1`)}`;
    expect(await slugs(key, urlQuery)).toEqual(["b", "a"]);
    expect(await slugs(key, `${urlQuery}&order=asc&limit=1`)).toEqual(["a"]);
    expect(await slugs(key, `${urlQuery}&tag=t&status=active&domain=tern.test`)).toEqual(["b"]);
    expect(await slugs(key, `${urlQuery}&externalId=e&search=one`)).toEqual(["a"]);
    expect(await slugs(key, "?url=https://example.com/a")).toEqual([]);
    expect(await slugs(key, "?url=https://example.com/?utm_source=x")).toEqual(["d"]);
    expect(await slugs(key, "?url=https://example.com/")).toEqual([]);
    expect(await slugs(key, "?externalId=E")).toEqual(["b"]);
    expect(await slugs(key, "?externalId=E&slug=a")).toEqual([]);
    expect(await slugs(key, "?externalId=E&slug=b&archived=only")).toEqual([]);
    await call("PATCH", `/api/links/${withUtm.id}`, { key, body: { externalId: "campaign-77", archived: true } });
    expect(await slugs(key, "?search=PAIGN-7")).toEqual([]);
    expect(await slugs(key, "?search=PAIGN-7&archived=include")).toEqual(["d"]);
    expect(await slugs(key, "?externalId=campaign-77&archived=only")).toEqual(["d"]);
  });

  it("finds links with any or all of several tags", async () => {
    const { key } = await createAccount();
    await createLink(key, { slug: "one", tags: ["a", "b"] });
    await createLink(key, { slug: "two", tags: ["B", "c"] });
    await createLink(key, { slug: "three", tags: ["c"] });
    expect(await slugs(key, "?tag=a&tag=c")).toEqual(["three", "two", "one"]);
    expect(await slugs(key, "?tag=a&tag=c&tagMode=any&search=two")).toEqual(["two"]);
    expect(await slugs(key, "?tag=b&tag=C&tagMode=all")).toEqual(["two"]);
    expect(await slugs(key, "?tag=a&tag=c&tagMode=all")).toEqual([]);
    expect(await slugs(key, "?tag=b&tagMode=all&order=asc")).toEqual(["one", "two"]);
  });

  it("finds links by the time of creation, from the first millisecond and without the last", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { key } = await createAccount();
    const now = Date.now();
    for (const slug of ["first", "second", "third"]) {
      await createLink(key, { slug, tags: ["t"] });
      vi.setSystemTime(Date.now() + 1);
    }
    const iso = encodeURIComponent(new Date(now + 1).toISOString());
    for (const others of ["", "&tag=t", "&status=active", "&domain=tern.test", "&archived=include", "&sort=clicks"]) {
      expect(await slugs(key, `?createdAfter=${now + 1}${others}`), others).toEqual(["third", "second"]);
      expect(await slugs(key, `?createdBefore=${iso}${others}`)).toEqual(["first"]);
      expect(await slugs(key, `?createdAfter=${iso}&createdBefore=${now + 2}${others}`)).toEqual(["second"]);
    }
    expect(await slugs(key, "?createdAfter=253402300799999")).toEqual([]);
    expect(await slugs(key, "?createdBefore=253402300799999&createdAfter=0")).toHaveLength(3);
    for (const bounds of [`createdAfter=${now}&createdBefore=${now}`, "createdAfter=2&createdBefore=1"])
      expect((await call("GET", `/api/links?${bounds}`, { key })).status).toBe(400);
  });

  it("finds both Unicode forms of a text, and keeps URLs and externalIds as they are", async () => {
    const { key } = await createAccount();
    const [composed, decomposed] = ["Crème brûlée", "Cre\u0300me bru\u0302le\u0301e"];
    const url = `https://example.com/${decomposed.slice(-8)}`;
    const fields = { title: decomposed, externalId: decomposed, tags: [decomposed], url };
    const preview = { title: decomposed, description: decomposed };
    const link = await createLink(key, { ...fields, slug: "a", preview });
    expect(link).toMatchObject({
      ...fields,
      title: composed,
      tags: [composed],
      preview: { title: composed, description: composed },
    });
    for (const text of [composed, decomposed]) {
      const encoded = encodeURIComponent(text);
      for (const query of [
        `search=${encoded}`,
        `tag=${encoded}`,
        `search=${encodeURIComponent(`com/${text.slice(text.indexOf(" ") + 1)}`)}`,
      ])
        expect(await slugs(key, `?${query}`), query).toEqual(["a"]);
    }
    expect(await slugs(key, "?search=Creme")).toEqual([]);
    expect(await slugs(key, `?externalId=${encodeURIComponent(decomposed)}`)).toEqual(["a"]);
    expect(await slugs(key, `?externalId=${encodeURIComponent(composed)}`)).toEqual([]);
  });
});

describe("the number of links", () => {
  it("is exact to 1,000 and counts all pages of the same filters", async () => {
    const { key, accountId } = await createAccount();
    await insertManyLinks(env.DB, accountId, 999);
    const count = async (query: string) => (await list(key, `?count=true&limit=1${query}`)).count;
    expect((await list(key)).count).toBeUndefined();
    expect((await list(key, "?count=false")).count).toBeUndefined();
    expect(await count("")).toEqual({ value: 999, isExact: true });
    await createLink(key, { slug: "one", tags: ["common", "rare"], archived: true });
    expect(await count("&archived=include&page=3")).toEqual({ value: 1_000, isExact: true });
    expect(await count("&archived=only")).toEqual({ value: 1, isExact: true });
    await createLink(key, { slug: "two", tags: ["common", "rare"] });
    for (const query of ["&archived=include", "&archived=include&tag=common", "&archived=include&search=example"])
      expect(await count(query), query).toEqual({ value: 1_000, isExact: false });
    expect(await count("&tag=common&sort=clicks")).toEqual({ value: 1_000, isExact: true });
    expect(await count("&tag=rare&archived=include")).toEqual({ value: 2, isExact: true });
    expect(await count("&status=expired")).toEqual({ value: 0, isExact: true });
    expect(await count("&slug=two")).toEqual({ value: 1, isExact: true });
    const { nextCursor } = await list(key, "?limit=1");
    expect(await count(`&cursor=${nextCursor}`)).toEqual({ value: 1_000, isExact: true });
  });
});

it("reads as many rows for each combination of filters in a small account as in a large one", async () => {
  const { key, accountId } = await createAccount();
  const theirs = await createAccount();
  await insertDomain(accountId, "go.example");
  const url = `https://example.com/page/${"1".repeat(1_000)}`;
  for (let n = 0; n < 3; n++)
    await createLink(key, { slug: `same-${n}`, url, externalId: `e-${n}`, tags: ["rare", "common"] });
  const queries = [
    "slug=same-1",
    "slug=same-1&domain=tern.test&search=page",
    "externalId=e-1",
    `url=${url}`,
    `url=${url}&sort=clicks`,
  ]
    .concat([`url=${url}&tag=common&status=active&domain=tern.test&archived=include&count=true`])
    .concat(
      [
        "",
        "&status=active",
        "&domain=tern.test",
        "&archived=include",
        "&search=page",
        "&tag=common&tag=rare",
        "&tag=rare&tag=common&tagMode=all",
      ].flatMap((query) => [
        `createdAfter=1${query}`,
        `createdAfter=1&createdBefore=2100-01-01T00:00:00Z&order=asc${query}`,
        `createdAfter=1&count=true${query}`,
      ]),
    );
  const costs: number[][] = [];
  for (const links of [1_500, 6_000]) {
    await insertManyLinks(env.DB, accountId, links);
    await insertManyLinks(env.DB, theirs.accountId, links);
    // Archived links in front, at both sizes.
    await env.DB.prepare(
      "UPDATE links SET archived = 1 WHERE account_id = ?1 AND seq IN (SELECT seq FROM links WHERE slug LIKE 'many-%' ORDER BY seq DESC LIMIT 100)",
    )
      .bind(accountId)
      .run();
    vi.useFakeTimers({ toFake: ["Date"] });
    await call("GET", "/api/keys", { key });
    const reads: number[] = [];
    for (const query of queries) reads.push((await measureD1(() => list(key, `?limit=20&${query}`))).rowsRead);
    vi.useRealTimers();
    costs.push(reads);
  }
  expect(costs[1]).toEqual(costs[0]);
  // The key, a page with one link more, the links that are counted, ends of ranges, and a link of the part to merge. The search
  // index has an entry for each link.
  expect(Math.max(...(costs[0] ?? []))).toBeLessThanOrEqual(4 + 2 * (21 + 1_001));
  expect(costs[0]?.slice(0, 6).map((rows) => rows < 20)).not.toContain(false);
});
