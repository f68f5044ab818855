import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readUserAgent } from "../../../src/platform/visitor/user-agent.ts";
import { DEVICES } from "../../../src/platform/visitor/kinds.ts";
import { MAX_USER_AGENT_CHARS } from "../../../src/limits.ts";
import weighted from "./corpus/weighted.txt?raw";
import { linesOf } from "./corpus/lines.ts";
import { USER_AGENTS } from "./user-agents.ts";

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";

const samples = USER_AGENTS.trim()
  .split("\n")
  .map((line) => {
    const [device, browser, os, kind, ...userAgent] = line.split("|");
    return { device, browser, os, bot: kind === "bot", userAgent: userAgent.join("|") };
  });

describe("a real user agent", () => {
  it.each(samples)("is $browser on $os, $device: $userAgent", ({ userAgent, ...expected }) => {
    expect(readUserAgent(userAgent)).toEqual(expected);
  });

  it.each(["device", "browser", "os"] as const)("has the right %s in at least 98 % of visits", (property) => {
    let right = 0;
    let all = 0;
    for (const line of linesOf(weighted)) {
      const [weight, device, browser, os, userAgent = ""] = line.split("|");
      all += Number(weight);
      if (readUserAgent(userAgent)[property] === { device, browser, os }[property]) right += Number(weight);
    }
    expect(all).toBeGreaterThan(900_000);
    expect(right / all).toBeGreaterThanOrEqual(0.98);
  });

  it("is recognised whatever the case of its names", () => {
    for (const written of ["FIREFOX/126.0", "firefox/126.0", "FireFox/126.0"])
      expect(
        readUserAgent(`Mozilla/5.0 (X11; UBUNTU; LINUX x86_64; rv:126.0) Gecko/20100101 ${written}`),
      ).toMatchObject({
        browser: "Firefox",
        os: "Linux",
      });
  });
});

describe("any text as user agent", () => {
  const word = fc.constantFrom(
    ...new Set(samples.flatMap(({ userAgent }) => userAgent.split(/[\s();]+/))),
    ..."constructor __proto__ toString hasOwnProperty droid hbbtv/1.1.1 \0 \n \u{202E} \uD800 東京".split(" "),
  );
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 600 }),
    fc.array(word, { maxLength: 80 }).map((words) => words.join(" ")),
    fc.tuple(word, fc.constantFrom(" ", ";", "(", "/")).map(([word, glue]) => `${word}${glue}`.repeat(200)),
  );

  it("results in one of the devices and short names from a fixed set", () => {
    fc.assert(
      fc.property(hostile, (userAgent) => {
        const { device, browser, os, bot } = readUserAgent(userAgent);
        expect(DEVICES).toContain(device);
        expect(typeof bot).toBe("boolean");
        expect(browser).toMatch(/^[\w .!+-]{1,30}$/);
        expect(os).toMatch(/^[\w /-]{1,20}$/);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(["constructor", "__proto__", "tostring", "Mozilla/5.0 (constructor) __proto__/1"])(
    "does not take %s for a name",
    (text) => {
      expect(readUserAgent(text)).toMatchObject({ browser: "other", os: "other" });
    },
  );

  it("is read only up to a bound", () => {
    expect(readUserAgent(`${CHROME} ${"x".repeat(16 * 1_024)}`)).toMatchObject({ browser: "Chrome", os: "Windows" });
    expect(readUserAgent("x".repeat(MAX_USER_AGENT_CHARS) + CHROME)).toMatchObject({ browser: "other" });
  });

  it("counts as a crawler if it is empty", () => {
    expect(readUserAgent("")).toEqual({ device: "other", browser: "other", os: "other", bot: true });
  });

  it("reads texts that are hard for regular expressions", () => {
    const pieces = [
      "droid ",
      "Android 1;",
      "hbbtv/1.1.1 (",
      "(((((",
      "Version/1 ",
      "Safari ",
      "1.1.1.1",
      "      ",
      "tb b ",
    ];
    // One that backtracks without end would exceed the test's time limit.
    for (const piece of pieces) for (let n = 0; n < 200; n++) readUserAgent(`${n}${piece.repeat(512)}`);
  });
});
