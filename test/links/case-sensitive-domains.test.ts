import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import * as memoryCache from "../../src/redirect/lookup/memory-cache.ts";
import { call } from "../support/api.ts";
import { createLinkAt, handOver, insertDomain } from "../support/domains.ts";
import { bulk, DOMAIN, twoAccounts, URL_OK } from "./support.ts";
import { ENTRY_FRESH_MS } from "../../src/redirect/limits.ts";

const { mine, theirs, api, create } = twoAccounts();

/** {@link DOMAIN} is not case-sensitive, this one is. */
const EXACT = "exact.example";
beforeEach(async () => void (await insertDomain(mine.accountId, EXACT, { case_sensitive: 1 })));

const createAt = (slug: string, fields: object = {}, account = mine) =>
  create({ domain: EXACT, slug, url: URL_OK + slug, ...fields }, account);

async function destinationOf(slug: string, domain = EXACT): Promise<string | null> {
  return (await call("GET", `https://${domain}/${slug}`)).headers.get("Location");
}

describe("at a case-sensitive domain", () => {
  it("slugs that differ only in case are different links, everywhere", async () => {
    const links = new Map<string, Link>();
    for (const slug of ["abC", "abc", "ABC"]) {
      const { status, link } = await createAt(slug, { preview: { title: slug } });
      expect([status, link.slug, link.shortUrl]).toEqual([201, slug, `https://${EXACT}/${slug}`]);
      links.set(slug, link);
    }
    expect(await createAt("abC")).toMatchObject({ status: 409, details: [{ code: "taken", value: "abC" }] });
    for (const isCold of [false, true]) {
      if (isCold) memoryCache.clear();
      for (const slug of links.keys()) {
        expect(await destinationOf(slug)).toBe(URL_OK + slug);
        expect(await destinationOf(`${slug}/`)).toBe(URL_OK + slug);
        const headers = { Accept: "application/json" };
        const preview = await call("GET", `https://${EXACT}/${slug}+`, { headers });
        expect(await preview.json()).toMatchObject({ destination: URL_OK + slug, title: slug });
      }
      expect(await destinationOf("Abc")).toBe(null);
    }
    for (const [slug, { id }] of links) {
      for (const query of [`slug=${slug}`, `slug=${slug}&domain=${EXACT}`])
        expect((await api("GET", `/api/links?${query}`)).links).toMatchObject([{ id }]);
    }
    expect((await api("GET", `/api/links?slug=Abc`)).links).toEqual([]);
    // Search is by text, in any case.
    expect((await api("GET", `/api/links?search=aBc`)).links).toHaveLength(3);
  });

  it("a bulk request creates them together, and refuses those that are repeated", async () => {
    const slugs = ["abc", "Abc", "aBc", "abC", "ABc", "aBC", "ABC", "abC"];
    const links = [EXACT, DOMAIN].flatMap((domain) => slugs.map((slug) => ({ url: URL_OK, domain, slug })));
    const { results } = await bulk(mine.key, "POST", { links });
    const created = results.map(({ link }) => link !== undefined);
    expect(created).toEqual([...Array(7).fill(true), false, true, ...Array(7).fill(false)]);
    expect(results[7]).toMatchObject({ code: "conflict", details: [{ path: "slug", code: "taken", value: "abC" }] });
    const usage = env.DB.prepare("SELECT links FROM account_usage WHERE account_id = ?1").bind(mine.accountId);
    expect(await usage.first("links")).toBe(8);
  });

  it("a new case of a slug makes the former one an alias, and an alias is removed in its own case only", async () => {
    const { link } = await createAt("abc", { url: URL_OK });
    const change = (body: object) => api("PATCH", `/api/links/${link.id}`, body);
    expect((await change({ slug: "Abc" })).link).toMatchObject({ slug: "Abc", aliases: ["abc"] });
    expect((await change({ slug: "ABC" })).link).toMatchObject({ slug: "ABC", aliases: ["abc", "Abc"] });
    for (const slug of ["abc", "Abc", "ABC"]) expect(await destinationOf(slug)).toBe(URL_OK);
    expect(await destinationOf("aBC")).toBe(null);
    expect(await createAt("Abc")).toMatchObject({ status: 409 });
    expect((await createAt("aBC")).status).toBe(201);
    expect(await change({ aliases: ["ABc"] })).toMatchObject({ status: 400, details: [{ path: "aliases" }] });
    expect((await change({ aliases: ["Abc"] })).link.aliases).toEqual(["Abc"]);
    expect(await destinationOf("abc")).toBe(null);
    expect(await destinationOf("Abc")).toBe(URL_OK);
    expect((await change({ slug: "Abc" })).link).toMatchObject({ slug: "Abc", aliases: ["ABC"] });
  });

  it("an upsert finds the link in its own case", async () => {
    const upsert = (slug: string, url: string) => api("PUT", "/api/links/upsert", { url, domain: EXACT, slug });
    expect((await upsert("abC", `${URL_OK}1`)).status).toBe(201);
    expect((await upsert("abc", `${URL_OK}2`)).status).toBe(201);
    expect((await upsert("abC", `${URL_OK}3`)).status).toBe(200);
    expect([await destinationOf("abC"), await destinationOf("abc")]).toEqual([`${URL_OK}3`, `${URL_OK}2`]);
  });

  it("a password is asked for and entered in the case of its link", async () => {
    await createAt("open", { slug: "abc" });
    await createAt("abC", { password: "correct horse" });
    expect(await destinationOf("abc")).toBe(`${URL_OK}open`);
    const submit = (slug: string, password: string) =>
      call("POST", `https://${EXACT}/${slug}`, {
        body: `password=${encodeURIComponent(password)}`,
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      });
    expect((await submit("abc", "correct horse")).status).toBe(405);
    const right = await submit("abC", "correct horse");
    expect([right.status, right.headers.get("Location")]).toEqual([303, "/abC"]);
    const Cookie = (right.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "";
    const visit = await call("GET", `https://${EXACT}/abC`, { headers: { Cookie } });
    expect(visit.headers.get("Location")).toBe(`${URL_OK}abC`);
  });

  it("the visits of a limited link are counted apart", async () => {
    for (const slug of ["abC", "abc"]) await createAt(slug, { maxClicks: 1 });
    for (const slug of ["abc", "abC"]) {
      expect(await destinationOf(slug)).toBe(URL_OK + slug);
      expect((await call("GET", `https://${EXACT}/${slug}`)).status).toBe(410);
    }
  });

  it("a deleted link keeps its slug and aliases in their own case", async () => {
    const { link } = await createAt("abc", { url: URL_OK });
    await api("PATCH", `/api/links/${link.id}`, { slug: "Abc" });
    await api("DELETE", `/api/links/${link.id}`);
    for (const slug of ["abc", "Abc"]) expect(await destinationOf(slug)).toBe(null);
    expect((await createAt("ABC")).status).toBe(201);
    // Takes the alias of the deleted link, which loses it.
    expect((await createAt("abc")).status).toBe(201);
    const restored = await api("POST", `/api/links/${link.id}/restore`);
    expect(restored).toMatchObject({ status: 200, link: { slug: "Abc", aliases: [] } });
    expect([await destinationOf("Abc"), await destinationOf("abc")]).toEqual([URL_OK, `${URL_OK}abc`]);
  });

  it("events have the slug as it was written", async () => {
    await api("POST", "/api/webhooks", { url: "https://hooks.receiver.dev/in", events: ["link.create"] });
    const links = ["abC", "abc"].map((slug) => ({ url: URL_OK, domain: EXACT, slug }));
    const { results } = await bulk(mine.key, "POST", { links });
    const { results: events } = await env.DB.prepare("SELECT body FROM deliveries ORDER BY event_id").all<{
      body: string;
    }>();
    const data = events.map(({ body }) => (JSON.parse(body) as { data: Link }).data);
    expect(data).toEqual(results.map(({ link }) => link));
  });
});

describe("a link that moves between domains", () => {
  it("has the slugs of the domain where it is", async () => {
    await createAt("abc");
    const { link } = await createAt("abC");
    const move = (domain: string, fields: object = {}) => api("PATCH", `/api/links/${link.id}`, { domain, ...fields });
    expect((await move(DOMAIN)).status).toBe(200);
    for (const slug of ["abc", "ABC", "abC"]) expect(await destinationOf(slug, DOMAIN)).toBe(`${URL_OK}abC`);
    expect([await destinationOf("abC"), await destinationOf("abc")]).toEqual([null, `${URL_OK}abc`]);
    expect(await create({ domain: DOMAIN, slug: "Abc" })).toMatchObject({ status: 409 });
    expect(await move(EXACT, { slug: "abc" })).toMatchObject({ status: 409 });
    expect((await move(EXACT)).status).toBe(200);
    for (const slug of ["abc", "ABC", "abC"]) expect(await destinationOf(slug, DOMAIN)).toBe(null);
    expect([await destinationOf("abC"), await destinationOf("abc")]).toEqual([`${URL_OK}abC`, `${URL_OK}abc`]);
    expect((await move("tern.test")).status).toBe(200);
    expect((await call("GET", "/ABC")).headers.get("Location")).toBe(`${URL_OK}abC`);
    expect(await destinationOf("abC")).toBe(null);
  });

  it("is refused where its slug is taken in another case, unless that domain is case-sensitive", async () => {
    await create({ domain: DOMAIN, slug: "ABC" });
    const { link } = await create({ slug: "abc" });
    expect(await api("PATCH", `/api/links/${link.id}`, { domain: DOMAIN })).toMatchObject({ status: 409 });
    await createAt("ABC");
    expect((await api("PATCH", `/api/links/${link.id}`, { domain: EXACT })).status).toBe(200);
  });
});

describe("a domain that was another account's", () => {
  it.each([0, 1] as const)("loses only the former links that are in the way (new owner's setting: %i)", async (own) => {
    for (const [slug, domain] of [
      ["abC", EXACT],
      ["abc", EXACT],
      ["Xyz", DOMAIN],
    ] as const)
      await create({ domain, slug });
    const { link } = await createAt("old", { slug: "q" });
    await api("PATCH", `/api/links/${link.id}`, { slug: "Q" });
    for (const domain of [EXACT, DOMAIN]) await handOver(domain, theirs.accountId, { case_sensitive: own });
    const left = async () =>
      (
        await env.DB.prepare("SELECT slug FROM links WHERE account_id = ?1 ORDER BY slug").bind(mine.accountId).all()
      ).results.map(({ slug }) => slug);
    const links = ["abC", "q"].map((slug) => ({ url: `${URL_OK}new`, domain: EXACT, slug }));
    const { results } = await bulk(theirs.key, "POST", { links });
    expect(results.map(({ code }) => code)).toEqual([undefined, undefined]);
    expect(await left()).toEqual(own === 1 ? ["Q", "Xyz", "abc"] : ["Q", "Xyz", "abC"]);
    expect((await api("GET", `/api/links/${link.id}`)).link.aliases).toEqual([]);
    expect((await createAt("XYZ", { domain: DOMAIN }, theirs)).status).toBe(201);
    expect(await left()).toHaveLength(own === 1 ? 3 : 2);
    // The caches do not know the hand-over of this test.
    vi.useFakeTimers({ now: Date.now() + ENTRY_FRESH_MS, toFake: ["Date"] });
    memoryCache.clear();
    expect(await destinationOf("abC")).toBe(`${URL_OK}new`);
    expect(await destinationOf("abc")).toBe(own === 1 ? null : `${URL_OK}new`);
    expect(await destinationOf("xyz", DOMAIN)).toBe(own === 1 ? null : `${URL_OK}XYZ`);
  });

  it("answers a slug by the setting of its owner, whatever the caches have of the former one", async () => {
    await createLinkAt(EXACT, mine.key, { slug: "abC", url: `${URL_OK}old` });
    expect(await destinationOf("abC")).toBe(`${URL_OK}old`);
    await handOver(EXACT, theirs.accountId);
    expect((await createAt("ABC", { url: `${URL_OK}new` }, theirs)).status).toBe(201);
    memoryCache.clear();
    for (const slug of ["ABC", "abc", "Abc"]) expect(await destinationOf(slug)).toBe(`${URL_OK}new`);
  });
});

describe("the database", () => {
  it("compares the slugs of a link and its aliases by the same keys as the API", async () => {
    const { link } = await createAt("abC");
    await api("PATCH", `/api/links/${link.id}`, { slug: "Abc" });
    await create({ domain: DOMAIN, slug: "Xyz" });
    const keys = async (table: string) =>
      (await env.DB.prepare(`SELECT slug_key FROM ${table} ORDER BY slug_key`).all()).results.map(
        (row) => row["slug_key"],
      );
    expect([await keys("links"), await keys("aliases")]).toEqual([["Abc", "xyz"], ["abC"]]);
  });
});
