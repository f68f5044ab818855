import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { call, createAccount, createLink, jsonOf, type ErrorJson, runCron } from "../support/api.ts";
import { insertManyLinks } from "../support/many-links.ts";
import { list, slugs, type Page } from "./support.ts";

describe("filters", () => {
  it("finds whole tags in any case", async () => {
    const { key } = await createAccount();
    await createLink(key, { slug: "one", tags: ["News", "x"] });
    await createLink(key, { slug: "two", tags: ['say "hi"', "ü 🌷", ","] });
    await createLink(key, { slug: "three", tags: ["newsletter"] });
    expect(await slugs(key, "?tag=news")).toEqual(["one"]);
    expect(await slugs(key, "?tag=X")).toEqual(["one"]);
    expect(await slugs(key, `?tag=${encodeURIComponent('say "hi"')}`)).toEqual(["two"]);
    expect(await slugs(key, `?tag=${encodeURIComponent("Ü 🌷")}`)).toEqual(["two"]);
    expect(await slugs(key, "?tag=%2C")).toEqual(["two"]);
    expect(await slugs(key, "?tag=ews")).toEqual([]);
  });

  it("finds a link as expired from its very millisecond, before and after a run of the cron", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const now = Date.now();
    const { key } = await createAccount();
    await createLink(key, { slug: "soon", expiresAt: now + 1_000, tags: ["t"] });
    vi.setSystemTime(now + 1);
    await createLink(key, { slug: "never", tags: ["t"] });
    vi.setSystemTime(now + 2);
    await createLink(key, { slug: "once", maxClicks: 1 });
    expect(await slugs(key, "?status=active")).toEqual(["once", "never", "soon"]);
    await call("GET", "/once");
    vi.setSystemTime(now + 1_000);
    expect(await slugs(key, "?status=expired")).toEqual(["once", "soon"]);
    expect(await slugs(key, "?status=active")).toEqual(["never"]);
    expect(await slugs(key, "?status=expired&tag=t")).toEqual(["soon"]);
    expect(await slugs(key, "?status=expired&domain=tern.test")).toEqual(["once", "soon"]);
    expect((await list(key, "?status=expired")).links.map(({ status }) => status)).toEqual(["expired", "expired"]);
  });

  it("lists all expired links, even if very many links of this account and others are overdue", async () => {
    const [mine, theirs] = [await createAccount(), await createAccount()];
    for (const { accountId } of [mine, theirs]) await insertManyLinks(env.DB, accountId, 1_100);
    await env.DB.prepare("UPDATE links SET expires_at = 1").run();
    const newest = await slugs(mine.key, "?status=expired&limit=100&page=11");
    expect(newest).toHaveLength(100);
    expect(await slugs(mine.key, "?status=active")).toEqual([]);
    const active = () => env.DB.prepare("SELECT count(*) AS links FROM links WHERE status = 'active'").first("links");
    expect(await active()).toBe(1_100);
    await runCron(Date.now());
    expect(await active()).toBe(0);
  });

  it("filters by the service's own domain", async () => {
    const { key } = await createAccount();
    await createLink(key, { slug: "here" });
    expect(await slugs(key, "?domain=TERN.test")).toEqual(["here"]);
    expect(await slugs(key, "?domain=other.example")).toEqual([]);
  });

  it("never shows another account's links", async () => {
    const [mine, theirs] = [await createAccount(), await createAccount()];
    await createLink(theirs.key, { slug: "theirs", title: "secret", tags: ["t"] });
    for (const query of [
      "",
      "?search=secret",
      "?tag=t",
      "?status=active",
      "?domain=tern.test",
      "?status=active&domain=tern.test",
    ]) {
      expect(await slugs(mine.key, query)).toEqual([]);
      expect(await slugs(theirs.key, query)).toEqual(["theirs"]);
    }
  });

  it.each([
    ["limit", "0"],
    ["limit", "101"],
    ["limit", "ten"],
    ["limit", "-1"],
    ["limit", "1.5"],
    ["limit", ""],
    ["page", "0"],
    ["page", "101"],
    ["cursor", "nonsense"],
    ["cursor", "bGlua3M6eA"],
    ["search", "ab"],
    ["search", "x".repeat(51)],
    ["status", "gone"],
    ["sort", "slug"],
    ["order", "up"],
    ["tag", ""],
    ["tag", "x".repeat(51)],
    ["tagMode", "all"],
    ["slug", "a%20b"],
    ["url", "nothing"],
    ["externalId", ""],
    ["createdAfter", "yesterday"],
    ["createdBefore", "-1"],
    ["count", "1"],
    ["domain", "tern\u0000test"],
    ["tags", "a"],
    ["q", "x"],
  ])("refuses %s=%s and names the parameter", async (name, value) => {
    const { key } = await createAccount();
    const response = await call("GET", `/api/links?${name}=${value}`, { key });
    expect(response.status).toBe(400);
    expect(await jsonOf<ErrorJson>(response)).toMatchObject({ code: "invalid_request", details: [{ path: name }] });
  });

  it("refuses a repeated parameter, and page together with cursor", async () => {
    const { key } = await createAccount();
    await createLink(key);
    await createLink(key);
    const { nextCursor } = await list(key, "?limit=1");
    for (const query of ["slug=a&slug=b", `cursor=${nextCursor}&page=2`, `cursor=${nextCursor}&order=asc`]) {
      expect((await call("GET", `/api/links?${query}`, { key })).status).toBe(400);
    }
  });
});

describe("paging", () => {
  it("returns every link once, in the order of creation, while others are created and deleted", async () => {
    const { key, accountId } = await createAccount();
    await insertManyLinks(env.DB, accountId, 25);
    const all = (await list(key, "?limit=100")).links.map(({ id }) => id);
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: Page = await list(key, `?limit=10${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.links.map(({ id }) => id));
      cursor = page.nextCursor;
      await createLink(key);
    }
    expect(seen).toEqual(all);
    expect(all).toHaveLength(25);
    expect((await list(key, "?order=asc&limit=100")).links.map(({ id }) => id).slice(0, 25)).toEqual(all.toReversed());
  });

  it("also works by page number, with 50 links on a page by default", async () => {
    const { key, accountId } = await createAccount();
    await insertManyLinks(env.DB, accountId, 120);
    const first = await slugs(key);
    expect(first).toHaveLength(50);
    expect(await slugs(key, "?page=1")).toEqual(first);
    expect(await slugs(key, "?page=3")).toHaveLength(20);
    expect(await slugs(key, "?page=4")).toEqual([]);
    expect(await slugs(key, "?page=2&limit=25")).toEqual(first.slice(25));
  });
});
