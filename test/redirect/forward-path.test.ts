import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ENTRY_FRESH_MS, MEMORY_CACHE_FRESH_MS } from "../../src/redirect/limits.ts";
import { addPath, toForwarded } from "../../src/redirect/forward-path.ts";
import * as memoryCache from "../../src/redirect/lookup/memory-cache.ts";
import { packVerdict } from "../../src/redirect/verdict.ts";
import { accountId, call, key, startAccount, takeSentClicks } from "../support/api.ts";
import { clicksIn } from "../support/clicks.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { createLinkAt, insertDomain } from "../support/domains.ts";

const HOST = "go.acme.test";
const AT = `https://${HOST}`;

let id: string;
beforeEach(async () => {
  await startAccount();
  id = await insertDomain(accountId, HOST, { path_forwarding: 1 });
});
afterEach(() => vi.useRealTimers());

async function answerAt(path: string): Promise<string | number> {
  const response = await call("GET", AT + path);
  return response.headers.get("Location") ?? response.status;
}

const createDocs = (fields: Record<string, unknown> = {}) =>
  createLinkAt(HOST, key, { slug: "docs", url: "https://example.com/guide?v=2#top", ...fields });

const setForwarding = async (pathForwarding: boolean) =>
  expect((await call("PATCH", `/api/domains/${id}`, { key, body: { pathForwarding } })).status).toBe(200);

describe("a link of a domain that forwards paths", () => {
  it.each([
    ["/docs", "https://example.com/guide?v=2#top"],
    ["/docs/", "https://example.com/guide?v=2#top"],
    ["/docs/x/y", "https://example.com/guide/x/y?v=2#top"],
    ["/DOCS/X/", "https://example.com/guide/X/?v=2#top"],
    ["/docs//x//y", "https://example.com/guide/x/y?v=2#top"],
    ["/docs/f%C3%BCr%20dich%2Fmich", "https://example.com/guide/f%C3%BCr%20dich%2Fmich?v=2#top"],
    ["/docs/x?utm_source=a&v=3", "https://example.com/guide/x?v=2&utm_source=a#top"],
    ["/docs/x/../../docs/y", "https://example.com/guide/y?v=2#top"],
    ["/docs/..%2f..%2Fadmin", 404],
    ["/docs/a%5C%2e%2E%5cadmin", 404],
    ["/other/x", 404],
  ])("answers at %s", async (path, answer) => {
    await createDocs();
    expect(await answerAt(path)).toBe(answer);
    expect(await answerAt(path)).toBe(answer);
  });

  it("counts clicks of the link, all for one target", async () => {
    const { id: linkId } = await createDocs();
    takeSentClicks();
    for (const path of ["/docs/a", "/docs/b"]) await answerAt(path);
    const clicks = takeSentClicks().flatMap(clicksIn);
    expect(clicks.map(([, link, , target]) => [link, target.location])).toEqual(
      ["a", "b"].map(() => [linkId, "https://example.com/guide?v=2#top"]),
    );
  });

  it("uses its visits", async () => {
    await createDocs({ maxClicks: 2 });
    expect(await answerAt("/docs/a")).toBe("https://example.com/guide/a?v=2#top");
    expect(await answerAt("/docs/b")).toBe("https://example.com/guide/b?v=2#top");
    expect(await answerAt("/docs/c")).toBe(410);
  });

  it("hands on no path to where visitors of an ended link go", async () => {
    await createDocs({ expiresAt: Date.now() + 60_000, expiredUrl: "https://example.com/over" });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 120_000 });
    expect(await answerAt("/docs/a")).toBe("https://example.com/over");
  });

  it("hands on no path with a password, and leads to the form", async () => {
    await createDocs({ password: "open sesame" });
    expect(await answerAt("/docs/a?utm_source=b")).toBe("/docs?utm_source=b");
  });

  it.each([
    ["a warning", packVerdict({ state: "warned", reason: "phishing", since: 1 }, false)],
    ["no trust", packVerdict({ state: "allowed", reason: null, since: null }, true)],
  ])("hands on no path with %s", async (_, verdict) => {
    const { id: linkId } = await createDocs();
    await env.DB.prepare("UPDATE links SET verdict = ?1, updated_at = updated_at + 1 WHERE id = ?2")
      .bind(verdict, linkId)
      .run();
    const response = await call("GET", `${AT}/docs/evil`);
    expect(response.status).toBeLessThan(400);
    expect(response.headers.get("Location") ?? "").not.toContain("evil");
    expect(await response.text()).not.toContain("evil");
  });

  it("stops with the link, at once where it is deleted", async () => {
    const { id: linkId } = await createDocs();
    await answerAt("/docs/a");
    await call("DELETE", `/api/links/${linkId}`, { key });
    expect(await answerAt("/docs/a")).toBe(404);
    expect(await answerAt("/docs/b")).toBe(404);
  });
});

describe("the option of the domain", () => {
  it("is visible at once where it is changed, and elsewhere once the copies are old", async () => {
    await createDocs();
    expect(await answerAt("/docs/a")).toBe("https://example.com/guide/a?v=2#top");
    await setForwarding(false);
    expect(await answerAt("/docs/a")).toBe(404);
    await setForwarding(true);
    expect(await answerAt("/docs/a")).toBe("https://example.com/guide/a?v=2#top");
    await env.DB.prepare("UPDATE domains SET path_forwarding = 0, updated_at = updated_at + 1").run();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ENTRY_FRESH_MS + MEMORY_CACHE_FRESH_MS });
    expect(await answerAt("/docs/a")).toBe(404);
  });

  it("is off for a new domain, and costs others nothing", async () => {
    await setForwarding(false);
    await createDocs();
    await answerAt("/docs/a");
    const { roundTrips } = await measureD1(async () => {
      for (let path = 0; path < 20; path++) expect(await answerAt(`/docs/${path}`)).toBe(404);
    });
    expect(roundTrips).toBe(0);
  });
});

it("reads the domain and the link, and nothing for further paths", async () => {
  await createDocs();
  const cold = await measureD1(() => answerAt("/docs/a"));
  expect(cold).toMatchObject({ roundTrips: 2, rowsRead: 3 });
  const write = vi.spyOn(memoryCache, "set");
  const further = await measureD1(async () => {
    for (let path = 0; path < 100; path++) await answerAt(`/docs/${path}/b`);
  });
  expect(further.roundTrips).toBe(0);
  expect(write).not.toHaveBeenCalled();
});

it.each([
  ["x", "x"],
  ["x/", "x/"],
  ["//x///y", "x/y"],
  ["", null],
  ["/", null],
  ["..", null],
  ["x/%2E%2e/y", null],
  ["a%2F..", null],
  ["a\\..\\b", null],
  ["..;a/b", null],
  ["a;v=1", "a;v=1"],
  ["...", "..."],
  ["a..b", "a..b"],
  ["%252e%252e", "%252e%252e"],
])("of the path %j it hands on %j", (path, forwarded) => expect(toForwarded(path)).toBe(forwarded));

it.each([
  ["https://example.com/", "https://example.com/x/y"],
  ["https://example.com/?a=/b", "https://example.com/x/y?a=/b"],
  ["https://example.com/a/#/b", "https://example.com/a/x/y#/b"],
])("adds a path to %s", (location, result) => expect(addPath(location, "x/y")).toBe(result));

describe("the host of the destination", () => {
  const segments = [
    "/evil.example",
    "\\\\evil.example",
    "@evil.example",
    ":80@evil.example",
    "https://evil.example",
    ".evil.example",
  ];
  const encoded = [
    "%2f%2fevil.example",
    "%5cevil.example",
    "%0d%0aLocation:%20https://evil.example",
    "%00",
    "%40evil.example",
    "%E0%A4%A",
  ];
  const paths = [
    ...segments,
    ...encoded,
    "\u{1f426}/\u00fc",
    "%3f@evil.example",
    "%23/..",
    ";/..",
    "a".repeat(8_000),
    "%09/evil.example",
  ];
  const destinations = [
    "https://example.com/",
    "https://example.com/a//",
    "https://example.com/?next=/b",
    "https://example.com/#/b",
  ];

  it.each(paths)("stays with the path %j", (path) => {
    for (const destination of destinations) {
      const rest = toForwarded(path);
      const { origin, pathname, search, hash } = new URL(rest === null ? destination : addPath(destination, rest));
      expect(origin).toBe("https://example.com");
      expect(pathname.startsWith(new URL(destination).pathname)).toBe(true);
      expect([search, hash]).toEqual([new URL(destination).search, new URL(destination).hash]);
    }
  });

  it.each(paths)("stays in the response at %j", async (path) => {
    await createLinkAt(HOST, key, { slug: "root", url: "https://example.com?v=1" });
    const answer = await answerAt(`/root/${path}?next=//evil.example&v=2`);
    if (answer === 404) return;
    expect(new URL(answer as string)).toMatchObject({
      origin: "https://example.com",
      search: "?v=1&next=//evil.example",
    });
  });

  it("is that of the link, whatever is before the slug", async () => {
    await createDocs();
    expect(await answerAt("//evil.example/docs")).toBe(404);
    expect(await answerAt("//docs/a")).toBe(404);
    expect(await answerAt("/%5cevil.example/docs")).toBe(404);
  });
});
