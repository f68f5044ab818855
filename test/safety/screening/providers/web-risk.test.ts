import { beforeEach, describe, expect, it } from "vitest";
import { ADVISORY_TTL_MS } from "#src/redirect/limits.ts";
import { canonicalize, type CanonicalUrl } from "#src/platform/lib/canonical-url.ts";
import {
  MAX_PROVIDER_RESPONSE_BYTES,
  PROVIDER_ANSWER_TTL_MS,
  PROVIDER_FAILURES,
  PROVIDER_PAUSE_MS,
} from "#src/safety/screening/limits.ts";
import { WebRisk } from "#src/safety/screening/providers/web-risk.ts";
import { internet } from "../../../webhooks/support.ts";

beforeEach(() => internet.reset());

const NOW = Date.parse("2030-01-01");
const read = (url: string) => canonicalize(url) as CanonicalUrl;
const EVIL = read("https://user@a.evil.dev:8443/x/y%2Fz/?q=1#top");
const answers = (answer: object) => internet.answers({ "webrisk.googleapis.com": answer });

describe("Web Risk", () => {
  const answer = (threat: object) => answers({ body: JSON.stringify(threat) });
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

describe("Web Risk that fails", () => {
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
  ])("because it %s says nothing", async (_, answer) => {
    await answers(answer);
    expect(await new WebRisk("key").ask(EVIL, NOW)).toBeUndefined();
  });

  it("does not wait for a slow answer, and leaves the provider alone after failures", async () => {
    const provider = new WebRisk("key");
    await answers({ hangs: true });
    expect(await provider.ask(EVIL, NOW)).toBeUndefined();
    await answers({ status: 503 });
    for (let failure = 1; failure < PROVIDER_FAILURES; failure++) await provider.ask(EVIL, NOW);
    const before = (await internet.received()).length;
    expect(await provider.ask(EVIL, NOW + PROVIDER_PAUSE_MS - 1)).toBeUndefined();
    expect(await internet.received()).toHaveLength(before);
    await answers({ body: "{}" });
    expect(await provider.ask(EVIL, NOW + PROVIDER_PAUSE_MS)).toBeNull();
  });
});
