import { beforeEach, describe, expect, it } from "vitest";
import { ADVISORY_TTL_MS } from "#src/safety/limits.ts";
import { canonicalize, type CanonicalUrl } from "#src/safety/screener/canonical-url.ts";
import {
  MAX_PROVIDER_RESPONSE_BYTES,
  PROVIDER_ANSWER_TTL_MS,
  PROVIDER_FAILURES,
  PROVIDER_PAUSE_MS,
} from "#src/safety/screener/limits.ts";
import { SafeBrowsing } from "#src/safety/screener/providers/safe-browsing.ts";
import { expressionsOf } from "#src/safety/screener/providers/url-expressions.ts";
import { WebRisk } from "#src/safety/screener/providers/web-risk.ts";
import { internet } from "../webhooks/support.ts";
import { SAFE_BROWSING, searchResponse, WEB_RISK } from "./google.ts";

beforeEach(() => internet.reset());

const NOW = Date.parse("2030-01-01");
const read = (url: string) => canonicalize(url) as CanonicalUrl;
const EVIL = read("https://user@a.evil.dev:8443/x/y%2Fz/?q=1#top");
const [MALWARE, PHISHING, UNKNOWN] = [1, 2, 77];
const [CANARY, FRAME_ONLY] = [1, 2];

describe("the expressions of a URL", () => {
  it("are those of the documentation", () => {
    expect(expressionsOf(read("http://a.b.com/1/2.html?param=1"))).toEqual([
      "a.b.com/1/2.html?param=1",
      "a.b.com/1/2.html",
      "a.b.com/",
      "a.b.com/1/",
      "b.com/1/2.html?param=1",
      "b.com/1/2.html",
      "b.com/",
      "b.com/1/",
    ]);
    const hosts = new Set(expressionsOf(read("http://a.b.c.d.e.f.com/1.html")).map((text) => text.split("/")[0]));
    expect([...hosts]).toEqual(["a.b.c.d.e.f.com", "c.d.e.f.com", "d.e.f.com", "e.f.com", "f.com"]);
    expect(expressionsOf(read("http://1.2.3.4/1/"))).toEqual(["1.2.3.4/1/", "1.2.3.4/"]);
    expect(expressionsOf(read(`http://a.b.c.d.e.f.com/1/2/3/4/5/6.html?x`))).toHaveLength(30);
  });
});

describe("Safe Browsing", () => {
  const answer = async (details: { type: number; attributes?: number[] }[], expression = "evil.dev/", seconds = 300) =>
    internet.answers({ [SAFE_BROWSING]: { bytes: await searchResponse([{ expression, details }], seconds) } });

  it("gets prefixes of hashes only, and warns for 30 minutes", async () => {
    await answer([{ type: MALWARE }, { type: PHISHING }]);
    const provider = new SafeBrowsing("secret");
    const finding = { verdict: "warn", reason: "phishing", source: "safe_browsing", until: NOW + ADVISORY_TTL_MS };
    expect(await provider.ask(EVIL, NOW)).toEqual(finding);
    const [request] = await internet.received();
    const url = new URL(request?.url ?? "");
    expect(url.pathname).toBe("/v5/hashes:search");
    expect([...new Set(url.searchParams.keys())].sort()).toEqual(["alt", "hashPrefixes"]);
    const prefixes = url.searchParams.getAll("hashPrefixes");
    expect(prefixes).toHaveLength(expressionsOf(EVIL).length);
    expect(prefixes.every((prefix) => atob(prefix).length === 4)).toBe(true);
    expect(request?.headers["x-goog-api-key"]).toBe("secret");
    expect(request?.url).not.toContain("secret");
  });

  it.each([
    ["of a test", [{ type: PHISHING, attributes: [CANARY] }]],
    ["for frames", [{ type: MALWARE, attributes: [FRAME_ONLY] }]],
    ["of an unknown type", [{ type: UNKNOWN }]],
    ["with an unknown attribute", [{ type: PHISHING, attributes: [UNKNOWN] }]],
    ["without a type", [{ type: 0 }]],
  ])("ignores a detail %s", async (_, details) => {
    await answer(details);
    expect(await new SafeBrowsing("key").ask(EVIL, NOW)).toBeNull();
  });

  it("ignores a hash that only has the same prefix, and pages beside the listed one", async () => {
    await answer([{ type: PHISHING }], "other.dev/");
    expect(await new SafeBrowsing("key").ask(EVIL, NOW)).toBeNull();
    await answer([{ type: PHISHING }], "a.evil.dev/other/");
    expect(await new SafeBrowsing("key").ask(EVIL, NOW)).toBeNull();
    await answer([{ type: PHISHING }], "a.evil.dev/x/");
    expect(await new SafeBrowsing("key").ask(EVIL, NOW)).toMatchObject({ verdict: "warn" });
  });

  it("keeps an answer as long as it says, and ten minutes at most", async () => {
    await answer([], "evil.dev/", 60);
    const provider = new SafeBrowsing("key");
    for (const now of [NOW, NOW + 59_999]) expect(await provider.ask(EVIL, now)).toBeNull();
    expect(await internet.received()).toHaveLength(1);
    await answer([{ type: PHISHING }], "evil.dev/", 86_400);
    const asked = NOW + 60_000;
    for (const now of [asked, asked + PROVIDER_ANSWER_TTL_MS - 1])
      expect(await provider.ask(EVIL, now)).toMatchObject({ until: asked + ADVISORY_TTL_MS });
    expect(await internet.received()).toHaveLength(2);
    await provider.ask(EVIL, asked + PROVIDER_ANSWER_TTL_MS);
    expect(await internet.received()).toHaveLength(3);
  });
});

describe("Web Risk", () => {
  const answer = (threat: object) => internet.answers({ [WEB_RISK]: { body: JSON.stringify(threat) } });
  const match = (threatTypes: string[], expireTime: string) => answer({ threat: { threatTypes, expireTime } });

  it("is asked for the canonical URL, and warns until its answer expires", async () => {
    await match(["MALWARE", "SOCIAL_ENGINEERING"], "2030-01-01T00:05:00.123456789Z");
    const provider = new WebRisk("secret");
    const finding = { verdict: "warn", reason: "phishing", source: "web_risk", until: NOW + 300_123 };
    expect(await provider.ask(EVIL, NOW)).toEqual(finding);
    const [request] = await internet.received();
    const url = new URL(request?.url ?? "");
    expect(url.pathname).toBe("/v1/uris:search");
    expect(url.searchParams.get("uri")).toBe("https://a.evil.dev/x/y/z/?q=1");
    expect(url.searchParams.getAll("threatTypes")).toEqual(["SOCIAL_ENGINEERING", "MALWARE", "UNWANTED_SOFTWARE"]);
    expect([request?.headers["x-goog-api-key"], request?.url.includes("secret")]).toEqual(["secret", false]);
    // A match is asked for again each time.
    await match(["UNWANTED_SOFTWARE"], "2031-01-01T00:00:00Z");
    expect(await provider.ask(EVIL, NOW)).toMatchObject({ reason: "malware", until: NOW + ADVISORY_TTL_MS });
  });

  it("says nothing against a URL without a match, with one that has expired, or of a list that was not asked for", async () => {
    const provider = new WebRisk("key");
    await match(["MALWARE"], "2029-12-31T23:59:59Z");
    expect(await provider.ask(read("https://old.dev/"), NOW)).toBeNull();
    await match(["SOMETHING_NEW"], "2030-01-02T00:00:00Z");
    expect(await provider.ask(read("https://new.dev/"), NOW)).toBeNull();
    await answer({});
    expect(await provider.ask(EVIL, NOW)).toBeNull();
    expect(await provider.ask(EVIL, NOW + PROVIDER_ANSWER_TTL_MS - 1)).toBeNull();
    expect(await internet.received()).toHaveLength(3);
  });
});

describe.each([
  ["Safe Browsing", () => new SafeBrowsing("key")],
  ["Web Risk", () => new WebRisk("key")],
])("%s that fails", (_, create) => {
  const answers = (answer: object) => internet.answers({ [SAFE_BROWSING]: answer, [WEB_RISK]: answer });

  it.each([
    ["answers 429", { status: 429, body: "{}" }],
    ["answers 500", { status: 500 }],
    ["refuses the key", { status: 403, body: "{}" }],
    ["redirects", { status: 302, headers: { Location: "https://elsewhere.test/" } }],
    ["answers something else", { body: "<!doctype html>" }],
    ["answers nothing", { body: "" }],
    ["answers too much", { bytes: Array.from({ length: MAX_PROVIDER_RESPONSE_BYTES + 1 }, () => 0) }],
    ["does not end", { endless: true }],
    ["is cut off", { fails: true }],
  ])("because it %s says nothing", async (__, answer) => {
    await answers(answer);
    expect(await create().ask(EVIL, NOW)).toBeUndefined();
  });

  it("does not wait for a slow answer, and leaves the provider alone after failures", async () => {
    const provider = create();
    await answers({ hangs: true });
    expect(await provider.ask(EVIL, NOW)).toBeUndefined();
    await answers({ status: 503 });
    for (let failure = 1; failure < PROVIDER_FAILURES; failure++) await provider.ask(EVIL, NOW);
    const before = (await internet.received()).length;
    expect(await provider.ask(EVIL, NOW + PROVIDER_PAUSE_MS - 1)).toBeUndefined();
    expect(await internet.received()).toHaveLength(before);
    await answers({ status: 200, bytes: await searchResponse([]) });
    await internet.answers({ [WEB_RISK]: { body: "{}" } });
    expect(await provider.ask(EVIL, NOW + PROVIDER_PAUSE_MS)).toBeNull();
  });
});
