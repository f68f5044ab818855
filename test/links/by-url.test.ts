import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import { call, createAccount, createLink, jsonOf, type ErrorJson } from "../support/api.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { insertDomain } from "../support/domains.ts";
import { insertManyLinks } from "../support/many-links.ts";

let key: string;
let accountId: number;
beforeEach(async () => {
  ({ key, accountId } = await createAccount());
});

const get = (url: string, asker = key) =>
  call("GET", `/api/links/by-url?url=${encodeURIComponent(url)}`, { key: asker });

async function found(url: string): Promise<string | number> {
  const response = await get(url);
  return response.status === 200 ? (await jsonOf<{ link: Link }>(response)).link.id : response.status;
}

it("finds a link by each spelling of its short URL that a redirect accepts", async () => {
  await insertDomain(accountId, "go.xn--bcher-kva.com");
  const { id } = await createLink(key, { slug: "Spring-26" });
  const spellings = [
    "https://tern.test/Spring-26",
    "http://tern.test/spring-26",
    "HTTPS://TERN.TEST/SPRING-26",
    "tern.test/Spring-26",
    "//tern.test/Spring-26",
    " tern.test/Spring-26/ ",
    "tern.test/Spring%2D26",
    "tern.test/Spring-26+",
    "tern.test/Spring-26?utm_source=poster#top",
    "user@tern.test/Spring-26",
    "https://tern.test/Spring-26.",
    "tern.test/Spring-26)",
    "tern.test//Spring-26",
    "tern.test/Spring-26&utm_source=poster",
    "<https://tern.test/Spring-26>,",
    "\u201chttps://tern.test/Spring-26\u201d",
    "\u200btern.test/Spring-26\u200b",
    "https://tern.test./Spring-26",
  ];
  for (const url of spellings) expect([url, await found(url)]).toEqual([url, id]);
  const custom = await createLink(key, { slug: "Spring-26", domain: "go.xn--bcher-kva.com" });
  for (const url of [
    "go.bücher.com/spring-26",
    "https://GO.BÜCHER.com.:8443/Spring-26",
    "go.xn--bcher-kva.com/Spring-26",
  ])
    expect([url, await found(url)]).toEqual([url, custom.id]);
});

it("returns what Get link returns, also for an alias and for links that are hidden or ended", async () => {
  const { id } = await createLink(key, { slug: "before", maxClicks: 1 });
  await call("PATCH", `/api/links/${id}`, { key, body: { slug: "after", archived: true, disabled: true } });
  const [byUrl, byId] = [await get("tern.test/before"), await call("GET", `/api/links/${id}`, { key })];
  expect(byUrl.headers.get("ETag")).toBe(byId.headers.get("ETag"));
  expect(await byUrl.json()).toEqual(await byId.json());
  await call("DELETE", `/api/links/${id}`, { key });
  expect([await found("tern.test/after"), await found("tern.test/before")]).toEqual([404, 404]);
});

it("has the case rule of the domain", async () => {
  await insertDomain(accountId, "exact.acme.com", { case_sensitive: 1 });
  const upper = await createLink(key, { slug: "Sale", domain: "exact.acme.com" });
  const lower = await createLink(key, { slug: "sale", domain: "exact.acme.com" });
  expect(await Promise.all(["Sale", "sale", "SALE"].map((slug) => found(`exact.acme.com/${slug}`)))).toEqual([
    upper.id,
    lower.id,
    404,
  ]);
});

it("finds nothing of others, and nothing that cannot be a link", async () => {
  const other = await createAccount();
  await insertDomain(other.accountId, "theirs.acme.com");
  await createLink(other.key, { slug: "theirs" });
  await createLink(other.key, { slug: "theirs", domain: "theirs.acme.com" });
  for (const url of [
    "tern.test/theirs",
    "theirs.acme.com/theirs",
    "tern.test/none",
    "tern.test/a/b",
    "unknown.com/x",
  ]) {
    const response = await get(url);
    const error = { code: "not_found", details: [{ path: "", code: "no_link_at_url" }] };
    expect([url, response.status, await response.json()]).toMatchObject([url, 404, error]);
  }
  expect((await get("tern.test/theirs", other.key)).status).toBe(200);
});

it.each([
  ["", { code: "empty" }],
  ["spring", { code: "not_a_short_url" }],
  ["https://tern.test/", { code: "not_a_short_url" }],
  ["ftp://tern.test/spring", { code: "not_a_short_url" }],
  ["https://a b/spring", { code: "not_a_short_url" }],
  [`tern.test/${"x".repeat(8_192)}`, { code: "too_long", max: 8_192 }],
])("refuses %j with a 400 that says what to give", async (url, fault) => {
  const response = await get(url);
  expect([response.status, (await jsonOf<ErrorJson>(response)).details]).toMatchObject([
    400,
    [{ path: "url", ...fault }],
  ]);
});

it("reads the key and the link, at every size of the account", async () => {
  await insertDomain(accountId, "exact.acme.com", { case_sensitive: 1 });
  await createLink(key, { slug: "Sale", domain: "exact.acme.com" });
  const { id } = await createLink(key, { slug: "before" });
  await call("PATCH", `/api/links/${id}`, { key, body: { slug: "after" } });
  for (const links of [100, 3_000]) {
    await insertManyLinks(env.DB, accountId, links);
    vi.useFakeTimers({ toFake: ["Date"] });
    await call("GET", "/api/keys", { key });
    // The key and the link; besides, the alias, or the domain once for each of the two ways to find a link.
    for (const [url, rows] of [
      ["tern.test/after", 2],
      ["tern.test/before", 3],
      ["exact.acme.com/Sale", 3],
    ] as const) {
      const cost = await measureD1(() => get(url));
      expect([url, cost.rowsRead, cost.rowsWritten, cost.roundTrips]).toEqual([url, rows, 0, 2]);
    }
    vi.useRealTimers();
  }
});
