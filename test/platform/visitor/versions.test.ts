import { expect, it } from "vitest";
import { readUserAgent } from "../../../src/platform/visitor/user-agent.ts";
import { readVersions } from "../../../src/platform/visitor/versions.ts";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

it.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "140", null],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/143.0.0.0 Safari/537.36`, "143", null],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/143.0.0.0 Safari/537.36 Edg/142.0.0.0`, "142", null],
  [`Mozilla/5.0 (Windows NT 6.1; Win64; x64) ${WEBKIT} Chrome/109.0.0.0 Safari/537.36`, "109", "7"],
  [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/143.0.0.0 Mobile Safari/537.36`, "143", null],
  ["Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "140", "15"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
    "18",
    null,
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Mobile/15E148 Safari/604.1",
    "17",
    "17.2",
  ],
  ["curl/8.5.0", null, null],
  ["", null, null],
])("reads from %s the versions %s and %s", (userAgent, browserVersion, osVersion) => {
  expect(readVersions(userAgent, readUserAgent(userAgent))).toEqual({ browserVersion, osVersion });
});

it("bounds versions of any length", () => {
  const userAgent = `Mozilla/5.0 (X11; Linux x86_64; rv:1) Gecko/20100101 Firefox/${"9".repeat(400)}`;
  const { browserVersion } = readVersions(userAgent, readUserAgent(userAgent));
  expect(browserVersion?.length ?? 0).toBeLessThanOrEqual(6);
});
