import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { packVerdict } from "../../src/redirect/verdict.ts";
import { accountId, call, createLink, key, startAccount, takeSentClicks } from "../support/api.ts";
import { clicksIn } from "../support/clicks.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { createLinkAt, insertDomain } from "../support/domains.ts";

const HOST = "go.acme.test";
const NOW = 1_790_000_000_000;
const START = NOW + 20_000;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  await startAccount();
});
afterEach(() => vi.useRealTimers());

const at = (time: number) => vi.setSystemTime(time);

async function answerAt(path: string): Promise<string | number> {
  const response = await call("GET", path);
  return response.headers.get("Location") ?? response.status;
}

describe("a link before its start", () => {
  it("is a 404 of its own, and redirects from the second on, without a read or a write", async () => {
    const { id } = await createLink(key, { slug: "soon", startsAt: START });
    const before = await call("GET", "/soon", { headers: { Accept: "application/json" } });
    expect([before.status, before.headers.get("Cache-Control")]).toEqual([404, "no-store"]);
    expect(await before.json()).toMatchObject({ code: "not_found", error: expect.stringContaining("not active yet") });
    at(START - 1);
    await answerAt("/soon");
    const started = await measureD1(async () => {
      expect(await answerAt("/soon")).toBe(404);
      at(START);
      expect(await answerAt("/soon")).toBe("https://example.com/");
    });
    expect(started.roundTrips).toBe(0);
    const { link } = await (await call("GET", `/api/links/${id}`, { key })).json<{ link: object }>();
    expect(link).toMatchObject({ status: "active", startsAt: START, updatedAt: NOW });
  });

  it("counts and uses no visit", async () => {
    await createLink(key, { slug: "limited", startsAt: START, maxClicks: 1 });
    takeSentClicks();
    for (let visit = 0; visit < 3; visit++) expect(await answerAt("/limited")).toBe(404);
    expect(takeSentClicks().flatMap(clicksIn)).toEqual([]);
    at(START);
    expect(await answerAt("/limited")).toBe("https://example.com/");
    expect(await answerAt("/limited")).toBe(410);
  });

  it.each([
    ["the page of its destination", {}, "/s+", {}],
    ["a link preview", { preview: { title: "Secret" } }, "/s", { "User-Agent": "facebookexternalhit/1.1" }],
    ["the form of its password", { password: "open sesame" }, "/s", {}],
    ["a rule", { rules: [{ countries: ["DE"], url: "https://example.com/secret" }] }, "/s", {}],
  ])("shows nothing by %s", async (_, fields, path, headers) => {
    await createLink(key, { slug: "s", url: "https://example.com/secret", startsAt: START, ...fields });
    const response = await call("GET", path, { headers });
    expect(response.status).toBe(404);
    expect(await response.text()).not.toMatch(/secret/i);
    at(START);
    expect((await call("GET", path, { headers })).status).not.toBe(404);
  });

  it("takes no password", async () => {
    await createLink(key, { slug: "closed", startsAt: START, password: "open sesame" });
    const body = new URLSearchParams({ password: "open sesame" });
    const response = await call("POST", "/closed", { body });
    expect(response.headers.get("Set-Cookie")).toBeNull();
  });

  it.each([
    ["blocked", packVerdict({ state: "blocked", reason: "phishing", since: 1 }, false), 410],
    ["warned", packVerdict({ state: "warned", reason: "phishing", since: 1 }, false), 404],
    ["untrusted", packVerdict({ state: "allowed", reason: null, since: null }, true), 404],
  ])("answers if it is %s", async (_, verdict, status) => {
    const { id } = await createLink(key, { slug: "judged", startsAt: START });
    await env.DB.prepare("UPDATE links SET verdict = ?1, updated_at = updated_at + 1 WHERE id = ?2")
      .bind(verdict, id)
      .run();
    expect(await answerAt("/judged")).toBe(status);
  });

  it("is a 410 while it is disabled", async () => {
    await createLink(key, { slug: "off", startsAt: START, disabled: true });
    expect(await answerAt("/off")).toBe(410);
  });

  it("leads to the notFoundUrl of its domain, with and without a path", async () => {
    await insertDomain(accountId, HOST, { not_found_url: "https://acme.test/none", path_forwarding: 1 });
    await createLinkAt(HOST, key, { slug: "soon", url: "https://example.com/a", startsAt: START });
    for (const path of ["/soon", "/soon/b", "/soon+"])
      expect(await answerAt(`https://${HOST}${path}`)).toBe("https://acme.test/none");
    at(START);
    expect(await answerAt(`https://${HOST}/soon`)).toBe("https://example.com/a");
    expect(await answerAt(`https://${HOST}/soon/b`)).toBe("https://example.com/a/b");
  });

  it("ends as others, after its start", async () => {
    await createLink(key, { slug: "both", startsAt: START, expiresAt: START + 1_000 });
    expect(await answerAt("/both")).toBe(404);
    at(START + 999);
    expect(await answerAt("/both")).toBe("https://example.com/");
    at(START + 1_000);
    expect(await answerAt("/both")).toBe(410);
  });
});

describe("the list", () => {
  const slugs = async (query: string) => {
    const response = await call("GET", `/api/links?${query}`, { key });
    const { links } = await response.json<{ links: { slug: string }[] }>();
    return links.map(({ slug }) => slug).toSorted();
  };

  it.each(["", "&sort=clicks", "&search=example", "&tag=sale"])("knows scheduled links%s", async (more) => {
    const tags = ["sale"];
    await createLink(key, { slug: "plain", tags });
    await createLink(key, { slug: "soon", tags, startsAt: START });
    await createLink(key, { slug: "begun", tags, startsAt: NOW - 1 });
    await createLink(key, { slug: "over", tags, startsAt: NOW - 2, expiresAt: NOW - 1 });
    await createLink(key, { slug: "off", tags, startsAt: START, disabled: true });
    expect(await slugs(`status=scheduled${more}`)).toEqual(["soon"]);
    expect(await slugs(`status=active${more}`)).toEqual(["begun", "plain"]);
    expect(await slugs(`status=active&status=scheduled${more}`)).toEqual(["begun", "plain", "soon"]);
    expect(await slugs(`status=!scheduled${more}`)).not.toContain("soon");
    expect(await slugs(`status=scheduled&status=disabled${more}`)).toEqual(["off", "soon"]);
    at(START);
    expect(await slugs(`status=scheduled${more}`)).toEqual([]);
    expect(await slugs(`status=active${more}`)).toEqual(["begun", "plain", "soon"]);
  });

  it("follows changes of the start", async () => {
    const { id } = await createLink(key, { slug: "moved" });
    const change = (startsAt: number | null) => call("PATCH", `/api/links/${id}`, { key, body: { startsAt } });
    await change(START);
    expect(await slugs("status=scheduled")).toEqual(["moved"]);
    await change(null);
    expect([await slugs("status=scheduled"), await slugs("status=active")]).toEqual([[], ["moved"]]);
    expect(await answerAt("/moved")).toBe("https://example.com/");
  });

  it("reads as many rows with many links that have no start", async () => {
    for (let link = 0; link < 20; link++) await createLink(key, { slug: `plain-${link}` });
    await createLink(key, { slug: "soon", startsAt: START });
    const { rowsRead } = await measureD1(() => slugs("status=scheduled"));
    for (let link = 20; link < 60; link++) await createLink(key, { slug: `plain-${link}` });
    expect((await measureD1(() => slugs("status=scheduled"))).rowsRead).toBe(rowsRead);
  });
});

describe("a start after the end", () => {
  it("is refused at creation", async () => {
    for (const startsAt of [START, START + 1]) {
      const response = await call("POST", "/api/links", {
        key,
        body: { url: "https://example.com/", startsAt, expiresAt: START },
      });
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { details: [{ path: "expiresAt", code: "not_after", field: "startsAt" }] },
      ]);
    }
  });

  it.each([
    [{ startsAt: START }, { expiresAt: START }, { path: "expiresAt", code: "not_after", field: "startsAt" }],
    [{ expiresAt: START }, { startsAt: START }, { path: "startsAt", code: "not_before", field: "expiresAt" }],
    [
      { startsAt: START },
      { startsAt: START + 2, expiresAt: START + 1 },
      { path: "expiresAt", code: "not_after", field: "startsAt" },
    ],
  ])("is refused for %j by %j", async (fields, body, fault) => {
    const { id } = await createLink(key, { slug: "kept", ...fields });
    const response = await call("PATCH", `/api/links/${id}`, { key, body });
    expect([response.status, await response.json()]).toMatchObject([400, { details: [fault] }]);
    const bulk = await call("PATCH", "/api/links/bulk", { key, body: { ids: [id], changes: body } });
    expect([bulk.status, JSON.stringify(await bulk.json())]).not.toEqual([
      200,
      expect.stringContaining('"success":true'),
    ]);
  });

  it.each([
    [
      { startsAt: START, expiresAt: START + 1 },
      { startsAt: null, expiresAt: START },
    ],
    [{ startsAt: START, expiresAt: START + 1 }, { expiresAt: null }],
    [
      { startsAt: START, expiresAt: START + 1 },
      { startsAt: START + 5, expiresAt: START + 6 },
    ],
  ])("is none for %j by %j", async (fields, body) => {
    const { id } = await createLink(key, { slug: "changed", ...fields });
    const response = await call("PATCH", `/api/links/${id}`, { key, body });
    expect([response.status, await response.json()]).toMatchObject([200, { link: body }]);
  });
});
