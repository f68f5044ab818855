import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ENTRY_FRESH_MS, MEMORY_CACHE_FRESH_MS } from "../../src/redirect/limits.ts";
import { packVerdict } from "../../src/redirect/verdict.ts";
import * as memoryCache from "../../src/redirect/lookup/memory-cache.ts";
import type { Link } from "../../src/links/contract.ts";
import { buildRequest, call, createAccount, createLink, jsonOf, send, takeSentClicks } from "../support/api.ts";
import { clicksIn } from "../support/clicks.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { createLinkAt, insertDomain } from "../support/domains.ts";
import { cookieOf, guess, PASSWORD, visitWith } from "../support/password.ts";
import { itWithSafety } from "../support/safety.ts";

const HOST = "go.acme.test";
const AT = `https://${HOST}`;
const URL_OF_DOCS = "https://example.com/guide?v=2";

let accountId: number;
let key: string;
let id: string;
beforeEach(async () => {
  ({ accountId, key } = await createAccount());
  id = await insertDomain(accountId, HOST, { nested_slugs: 1 });
});
afterEach(() => vi.useRealTimers());

const create = (fields: Record<string, unknown> = {}): Promise<Link> =>
  createLink(key, { domain: HOST, slug: "docs/setup/linux", url: URL_OF_DOCS, ...fields });

async function answerAt(path: string): Promise<string | number> {
  const response = await call("GET", AT + path);
  return response.headers.get("Location") ?? response.status;
}

const isLinkRead = (sql: string) => /\bFROM links\b/.test(sql);

describe("a link with a nested slug", () => {
  it.each([
    ["/docs/setup/linux", URL_OF_DOCS],
    ["/Docs/SETUP/linux", URL_OF_DOCS],
    ["/docs/setup/linux/", URL_OF_DOCS],
    ["/docs%2Fsetup%2flinux", URL_OF_DOCS],
    ["/docs/%73etup/linux/", URL_OF_DOCS],
    ["/docs/x/../setup/linux", URL_OF_DOCS],
    ["/docs/setup/linux?a=b", `${URL_OF_DOCS}&a=b`],
    ["/docs/setup", 404],
    ["/docs", 404],
    ["/docs/setup/linux/more", 404],
    ["/docs//setup/linux", 404],
    ["//docs/setup/linux", 404],
    ["/docs/setup/linux//", 404],
    ["/docs/setup/linux%2F%2F", 404],
    ["/docs/setup/lin.ux", 404],
  ])("answers at %s", async (path, answer) => {
    await create();
    for (let visit = 0; visit < 2; visit++) expect(await answerAt(path)).toBe(answer);
  });

  it("is another one than that of its first segment, and than that of another domain", async () => {
    await insertDomain(accountId, "two.acme.test", { nested_slugs: 1 });
    await create();
    await create({ slug: "docs", url: "https://example.com/docs" });
    await create({ domain: "two.acme.test", url: "https://example.com/two" });
    for (let visit = 0; visit < 2; visit++) {
      expect(await answerAt("/docs")).toBe("https://example.com/docs");
      expect(await answerAt("/docs/setup/linux")).toBe(URL_OF_DOCS);
      const other = await call("GET", "https://two.acme.test/docs/setup/linux");
      expect(other.headers.get("Location")).toBe("https://example.com/two");
    }
    expect((await call("GET", "/docs/setup/linux")).status).toBe(404);
  });

  it("differs by case on a case-sensitive domain", async () => {
    await insertDomain(accountId, "exact.acme.test", { nested_slugs: 1, case_sensitive: 1 });
    await create({ domain: "exact.acme.test", slug: "Docs/a", url: "https://example.com/1" });
    await create({ domain: "exact.acme.test", slug: "docs/A", url: "https://example.com/2" });
    const locations = async (...paths: string[]) =>
      Promise.all(
        paths.map(async (path) => (await call("GET", `https://exact.acme.test/${path}`)).headers.get("Location")),
      );
    for (let visit = 0; visit < 2; visit++)
      expect(await locations("Docs/a", "docs/A", "docs/a")).toEqual([
        "https://example.com/1",
        "https://example.com/2",
        null,
      ]);
  });

  it("counts its clicks, also as an alias, and uses its visits", async () => {
    const { id: linkId } = await create({ maxClicks: 2 });
    await call("PATCH", `/api/links/${linkId}`, { key, body: { slug: "docs/unix" } });
    takeSentClicks();
    expect(await answerAt("/docs/setup/linux")).toBe(URL_OF_DOCS);
    expect(await answerAt("/docs/unix")).toBe(URL_OF_DOCS);
    expect(await answerAt("/docs/unix")).toBe(410);
    expect(
      takeSentClicks()
        .flatMap(clicksIn)
        .map(([, link]) => link),
    ).toEqual([linkId, linkId]);
  });

  it("stops at once where it is deleted, and comes back", async () => {
    const { id: linkId } = await create();
    expect(await answerAt("/docs/setup/linux")).toBe(URL_OF_DOCS);
    await call("DELETE", `/api/links/${linkId}`, { key });
    expect(await answerAt("/docs/setup/linux")).toBe(404);
    expect((await call("POST", `/api/links/${linkId}/restore`, { key })).status).toBe(200);
    expect(await answerAt("/docs/setup/linux")).toBe(URL_OF_DOCS);
  });

  it("has a preview of its destination", async () => {
    await create();
    for (const path of ["/docs/setup/linux+", "/docs%2Fsetup/LINUX%2B/"]) {
      const response = await call("GET", AT + path, { headers: { Accept: "application/json" } });
      expect(await jsonOf(response)).toMatchObject({ destination: URL_OF_DOCS });
    }
    expect((await call("GET", `${AT}/docs/setup+`)).status).toBe(404);
  });

  it("has a form for its password at its path, whose cookie is for that path", async () => {
    await create({ password: PASSWORD });
    const path = `${AT}/docs/setup/linux`;
    expect((await call("GET", path)).status).toBe(401);
    expect((await guess(path, "wrong horse")).status).toBe(403);
    const right = await guess(`${path}?a=b`, PASSWORD);
    expect([right.status, right.headers.get("Location")]).toEqual([303, "/docs/setup/linux?a=b"]);
    expect(right.headers.get("Set-Cookie")).toContain("; Path=/docs/setup/linux;");
    expect((await visitWith(path, cookieOf(right))).headers.get("Location")).toBe(URL_OF_DOCS);
  });

  it("is shown to programs that make previews", async () => {
    await create({ preview: { title: "Setup" } });
    const headers = { "User-Agent": "Slackbot-LinkExpanding 1.0" };
    expect(await (await call("GET", `${AT}/docs/setup/linux`, { headers })).text()).toContain("Setup");
  });

  itWithSafety("is named in the form for reports", async () => {
    const { id: linkId } = await createLinkAt(HOST, key, { slug: "docs/setup/linux" });
    const verdict = packVerdict({ state: "warned", reason: "phishing", since: 1 }, false);
    await env.DB.prepare("UPDATE links SET verdict = ?1, updated_at = updated_at + 1 WHERE id = ?2")
      .bind(verdict, linkId)
      .run();
    const page = await (await call("GET", `${AT}/docs/setup/linux`, { headers: { Accept: "text/html" } })).text();
    expect(page).toContain(`/abuse?url=${encodeURIComponent(`${AT}/docs/setup/linux`)}`);
    const form = await (await call("GET", `/abuse?url=${encodeURIComponent(`${AT}/docs/setup/linux`)}`)).text();
    expect(form).toContain(`value="${AT}/docs/setup/linux"`);
  });

  it("does not hide the page of the own visits", async () => {
    const response = await call("GET", `${AT}/visits/own`);
    expect([response.status, response.headers.get("Location")]).toEqual([200, null]);
  });
});

describe("the cost of a nested slug", () => {
  it("is the domain and the link for the first visit, and nothing for the next one", async () => {
    await createLinkAt(HOST, key, { slug: "docs/setup/linux", url: URL_OF_DOCS });
    const first = await measureD1(() => answerAt("/docs/setup/linux"));
    const others = await measureD1(async () => {
      for (let visit = 0; visit < 20; visit++) expect(await answerAt("/docs/setup/linux")).toBe(URL_OF_DOCS);
    });
    expect(first).toMatchObject({ roundTrips: 2, rowsRead: 3 });
    expect(others.roundTrips).toBe(0);
  });

  it.each([
    ["forwards no paths", {}],
    ["forwards paths", { path_forwarding: 1 as const }],
  ])("is no read of links at a domain without the option that %s", async (_, fields) => {
    await insertDomain(accountId, "plain.acme.test", fields);
    const at = (path: string) => `https://plain.acme.test/${path}`;
    const visits = async () => {
      for (let n = 0; n < 20; n++) {
        expect((await call("GET", at(`wp-admin%2Fsetup${n}`))).status).toBe(404);
        expect((await call("GET", at(`wp-admin%2Fsetup${n}+`))).status).toBe(404);
        expect((await call("POST", at(`wp-admin/setup${n}`))).status).toBe(405);
      }
    };
    const { roundTrips, statements } = await measureD1(visits);
    expect(statements.filter(isLinkRead)).toEqual([]);
    expect(roundTrips).toBe(1);
  });

  it("is nothing on the service domain", async () => {
    const { roundTrips } = await measureD1(async () => {
      for (const path of ["/wp-admin/setup", "/wp-admin/setup+", "/wp-admin%2Fsetup"])
        expect((await call("GET", path)).status).toBe(404);
    });
    expect(roundTrips).toBe(0);
  });
});

describe("the option of the domain", () => {
  const set = async (nestedSlugs: boolean) =>
    expect((await call("PATCH", `/api/domains/${id}`, { key, body: { nestedSlugs } })).status).toBe(200);

  it("is visible at once where it is changed, and elsewhere once the copies are old", async () => {
    await set(false);
    expect(await answerAt("/docs/setup/linux")).toBe(404);
    await set(true);
    await create();
    expect(await answerAt("/docs/setup/linux")).toBe(URL_OF_DOCS);
    await env.DB.prepare("UPDATE domains SET nested_slugs = 0, updated_at = updated_at + 1").run();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ENTRY_FRESH_MS + MEMORY_CACHE_FRESH_MS });
    expect(await answerAt("/docs/setup/linux")).toBe(404);
  });

  it("leaves other paths to the page for unknown ones", async () => {
    await env.DB.prepare("UPDATE domains SET not_found_url = 'https://acme.test/none'").run();
    await create();
    expect(await answerAt("/docs/other")).toBe("https://acme.test/none");
    expect(await answerAt("/docs/other+")).toBe("https://acme.test/none");
    expect(await answerAt("/docs/setup/linux")).toBe(URL_OF_DOCS);
  });

  it("serves a link that a cache has while the domain cannot be read", async () => {
    await create();
    expect(await answerAt("/docs/setup/linux")).toBe(URL_OF_DOCS);
    const cache = await caches.open("links-8");
    await cache.delete(`https://links.cache/${HOST}/`);
    memoryCache.clear();
    const fail = () => {
      throw new Error("no database");
    };
    const DB = { prepare: fail, withSession: fail };
    const response = await send(buildRequest("GET", `${AT}/docs/setup/linux`), { DB: DB as unknown as D1Database });
    expect(response.headers.get("Location")).toBe(URL_OF_DOCS);
  });
});
