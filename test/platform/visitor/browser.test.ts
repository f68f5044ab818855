import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readUserAgent } from "../../../src/platform/visitor/user-agent.ts";
import { MAX_USER_AGENT_CHARS } from "../../../src/limits.ts";
import { detectBrowser } from "../../../src/platform/visitor/browser.ts";
import { DEVICES, SYSTEMS } from "../../../src/platform/visitor/kinds.ts";
import { USER_AGENTS } from "./user-agents.ts";

const systemOf = (name: string) => SYSTEMS.find((system) => system === name) ?? "other";

const samples = USER_AGENTS.trim()
  .split("\n")
  .map((line) => {
    const [device, , os = "", , ...userAgent] = line.split("|");
    return { device, os: systemOf(os), userAgent: userAgent.join("|") };
  });

describe("the client of a redirect", () => {
  it.each(samples)("has the device and the system that the click will have: $userAgent", (sample) => {
    const { userAgent, device, os } = sample;
    expect(systemOf(readUserAgent(userAgent).os)).toBe(os);
    expect(detectBrowser(userAgent)).toMatchObject({ device, os });
  });

  it.each([
    ["iPhone", "mobile", "iOS", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15"],
    ["iPad", "tablet", "iOS", "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148"],
    ["iPod", "mobile", "iOS", "Mozilla/5.0 (iPod touch; CPU iPhone OS 12_5 like Mac OS X) AppleWebKit/605.1.15"],
    ["a telephone", "mobile", "Android", "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0 Mobile"],
    ["an Android tablet", "tablet", "Android", "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0"],
    ["a Windows Phone", "mobile", "other", "Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Lumia 950) Mobile Edge/15"],
    [
      "a Mac",
      "desktop",
      "macOS",
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15",
    ],
    [
      "a Chromebook",
      "desktop",
      "Chrome OS",
      "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/140.0",
    ],
    ["a television", "tv", "other", "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 Chrome/108.0 Safari/537.36"],
    ["a program", "other", "other", "curl/8.5.0"],
    ["nothing", "other", "other", ""],
  ])("recognises %s", (_, device, os, userAgent) => {
    expect(detectBrowser(userAgent)).toMatchObject({ device, os });
  });

  it("gives one of the devices and systems whatever is sent", () => {
    const words = ["Mozilla/5.0", "Android", "Darwin/1", "Silk/1", "Mobile", "(iOS;", "x86_64", "\uD800", "\0", "BSD"];
    const hostile = fc.oneof(
      fc.string({ unit: "binary", maxLength: 600 }),
      fc
        .tuple(fc.constantFrom(...words), fc.constantFrom(" ", ";", "/"))
        .map(([word, glue]) => (word + glue).repeat(4_000)),
    );
    fc.assert(
      fc.property(hostile, (userAgent) => {
        const { device, os, fingerprint } = detectBrowser(userAgent);
        expect(DEVICES).toContain(device);
        expect(SYSTEMS).toContain(os);
        expect(fingerprint).toBe(fingerprint >>> 0);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is read only from the start of a long user agent", () => {
    expect(detectBrowser(`${"x".repeat(MAX_USER_AGENT_CHARS)} (iPhone; CPU iPhone OS 18_6)`).os).toBe("other");
  });

  it("differs between programs, but not between their versions", () => {
    const chrome = (version: string) =>
      `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/${version} Safari/537.36`;
    expect(detectBrowser(chrome("140.0.0.0")).fingerprint).toBe(detectBrowser(chrome("141.0.7.0")).fingerprint);
    expect(new Set(samples.map(({ userAgent }) => detectBrowser(userAgent).fingerprint)).size).toBeGreaterThan(100);
  });
});
