import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import type { SlugCheck } from "../../../src/links/slugs/contract.ts";
import { call, createAccount, createLink, jsonOf, type ErrorJson } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { createLinkAt, handOver, insertDomain } from "../../support/domains.ts";
import { insertManyLinks } from "../../support/many-links.ts";
import { api, twoAccounts } from "../support.ts";

const { mine, theirs, create } = twoAccounts();

async function check(key: string, slug: string, domain?: string) {
  const query = domain === undefined ? "" : `?domain=${encodeURIComponent(domain)}`;
  const response = await call("GET", `/api/slugs/${slug}${query}`, { key });
  const body = await jsonOf<{ slug: SlugCheck } & ErrorJson>(response);
  return { status: response.status, ...body };
}

/** Creates a link with the suggestion: it must be free. */
async function take({ slug }: { slug: SlugCheck }, domain?: string): Promise<void> {
  expect((await create({ slug: slug.suggestion ?? "", domain })).status).toBe(201);
}

it("says who has a slug, and suggests one that is free", async () => {
  const { key } = mine;
  const free = { available: true, reason: null, linkId: null, suggestion: null };
  expect(await check(key, "Spring-26")).toEqual({
    status: 200,
    slug: { slug: "Spring-26", domain: "tern.test", ...free },
  });
  const link = await createLink(key, { slug: "spring-26" });
  const own = { slug: "SPRING-26", domain: "tern.test", available: false, reason: "own", linkId: link.id };
  const first = await check(key, "SPRING-26");
  expect(first.slug).toEqual({ ...own, suggestion: "SPRING-26-2" });
  await take(first);
  expect((await check(key, "SPRING-26")).slug).toEqual({ ...own, suggestion: "SPRING-26-3" });
  for (const n of [3, 4, 5]) await createLink(n % 2 === 0 ? key : theirs.key, { slug: `spring-26-${n}` });
  const last = await check(key, "SPRING-26");
  expect(last.slug).toEqual({ ...own, suggestion: expect.stringMatching(/^SPRING-26-[2-9b-z]{7}$/) });
  await take(last);

  // As an alias.
  await api(key, "PATCH", `/api/links/${link.id}`, { slug: "renamed" });
  expect((await check(key, "spring-26")).slug).toMatchObject({ reason: "own", linkId: link.id });
  // To others, the id is not shown.
  for (const slug of ["renamed", "spring-26"])
    expect((await check(theirs.key, slug)).slug).toMatchObject({ available: false, reason: "taken", linkId: null });
  // The account may take the slugs of its deleted links; others may not.
  await api(key, "DELETE", `/api/links/${link.id}`);
  for (const slug of ["renamed", "spring-26"]) {
    expect((await check(key, slug)).slug).toMatchObject({ available: true, reason: "deleted", linkId: link.id });
    expect((await check(theirs.key, slug)).slug).toMatchObject({ available: false, reason: "taken", linkId: null });
  }
  const anonymous = await jsonOf<{ link: { slug: string } }>(
    await call("POST", "/api/shorten", { body: { url: "https://example.com/" } }),
  );
  expect((await check(key, anonymous.link.slug)).slug).toMatchObject({ reason: "taken", linkId: null });
});

it("suggests slugs that are short enough", async () => {
  const slug = "x".repeat(64);
  await create({ slug });
  const { suggestion } = (await check(mine.key, slug)).slug;
  expect(suggestion).toBe(`${"x".repeat(62)}-2`);
  await createLink(theirs.key, { slug: `${"x".repeat(62)}-2` });
  for (const n of [3, 4, 5]) await create({ slug: `${"x".repeat(62)}-${n}` });
  await take(await check(mine.key, slug));
});

it("knows reserved slugs, and refuses what no slug is or can be, as the creation does", async () => {
  const { key } = mine;
  const reserved = await check(key, "API");
  expect(reserved.slug).toMatchObject({ available: false, reason: "reserved", linkId: null, suggestion: "API-2" });
  await take(reserved);
  expect((await check(key, "api", "go.example")).slug).toMatchObject({ available: true, domain: "go.example" });
  const everywhere = "apple-app-site-association";
  expect((await check(key, everywhere, "go.example")).slug).toMatchObject({ available: false, reason: "reserved" });
  for (const slug of ["a b", "ä", "x".repeat(65), "a.b", "a%2Fb"]) {
    const { status, error, code, details } = await check(key, encodeURIComponent(slug));
    const created = await create({ slug });
    expect({ status, error, code, details }).toEqual({
      status: 400,
      error: created.error,
      code: created.code,
      details: created.details,
    });
  }
  await insertDomain(mine.accountId, "pending.example", { status: "pending" });
  await insertDomain(theirs.accountId, "theirs.example");
  for (const domain of ["pending.example", "theirs.example", "nobody.example", "no host"]) {
    const { status, error, code, details } = await check(key, "x", domain);
    const created = await create({ slug: "x", domain });
    expect({ status, error, code, details }).toEqual({
      status: 403,
      error: created.error,
      code: created.code,
      details: created.details,
    });
  }
  const unknown = await call("GET", "/api/slugs/x?domian=go.example", { key });
  expect(unknown.status).toBe(400);
});

it("checks the domain that new links of the account have by default, and spells it as links do", async () => {
  await env.DB.prepare("UPDATE accounts SET link_defaults = ?1 WHERE id = ?2")
    .bind(JSON.stringify({ domain: "go.example", tags: ["sale"] }), mine.accountId)
    .run();
  const link = await createLink(mine.key, { slug: "default" });
  expect(link.domain).toBe("go.example");
  expect((await check(mine.key, "default")).slug).toMatchObject({ domain: "go.example", linkId: link.id });
  expect((await check(mine.key, "default", "GO.example")).slug).toMatchObject({
    domain: "go.example",
    linkId: link.id,
  });
  expect((await check(mine.key, "default", "tern.test")).slug).toMatchObject({ domain: "tern.test", available: true });
});

it("agrees with the creation about links that a domain's previous owner left, and about case", async () => {
  const { key } = mine;
  await insertDomain(theirs.accountId, "sold.example");
  const [left, renamed, gone] = [
    await createLinkAt("sold.example", theirs.key, { slug: "left" }),
    await createLinkAt("sold.example", theirs.key, { slug: "old" }),
    await createLinkAt("sold.example", theirs.key, { slug: "gone" }),
  ];
  expect((await api(theirs.key, "PATCH", `/api/links/${renamed.id}`, { slug: "new" })).status).toBe(200);
  expect((await api(theirs.key, "DELETE", `/api/links/${gone.id}`)).status).toBe(200);
  expect(left.slug).toBe("left");
  await handOver("sold.example", mine.accountId, { case_sensitive: 1 });
  for (const slug of ["left", "LEFT", "old", "new", "gone", "other"]) {
    const { available, reason } = (await check(key, slug, "sold.example")).slug;
    expect([slug, available, reason]).toEqual([slug, true, null]);
    expect([slug, (await create({ slug, domain: "sold.example" })).status]).toEqual([slug, 201]);
  }
  expect((await check(key, "Old", "sold.example")).slug).toMatchObject({ available: true });
  expect((await check(key, "old", "sold.example")).slug).toMatchObject({ reason: "own", suggestion: "old-2" });
});

it("takes two round trips and a few rows at every size of the account", async () => {
  const { key, accountId } = await createAccount();
  await insertDomain(accountId, "large.example");
  const link = await createLink(key, { slug: "used", domain: "large.example" });
  for (const n of [2, 3, 4, 5]) await createLink(key, { slug: `used-${n}`, domain: "large.example" });
  await api(key, "PATCH", `/api/links/${link.id}`, { slug: "renamed" });
  vi.useFakeTimers({ toFake: ["Date"] });
  const costs = [];
  for (const links of [100, 3_000]) {
    await insertManyLinks(env.DB, accountId, links);
    await env.DB.prepare("ANALYZE").run();
    await call("GET", "/api/keys", { key });
    const measured = [];
    for (const slug of ["free", "renamed", "used"])
      measured.push(await measureD1(() => check(key, slug, "large.example")));
    costs.push(measured.map(({ roundTrips, rowsRead, rowsWritten }) => [roundTrips, rowsRead, rowsWritten]));
  }
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[0]).toEqual([
    [2, 8, 0],
    [2, 9, 0],
    [2, 15, 0],
  ]);
});
