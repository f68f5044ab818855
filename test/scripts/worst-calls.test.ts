import { expect, it } from "vitest";
import { largestAppFiles, invalidBulk, largestBulk, largestLink, largestLogo } from "../../bench/worst-calls/bodies.ts";
import { BUDGETS } from "../../bench/worst-calls/budgets.ts";
import { LOCAL_OPERATIONS, WORST_CALLS } from "../../bench/worst-calls/calls/index.ts";
import { latenciesIn, p99Of, shareOf } from "../../bench/worst-calls/latency.ts";
import { overBudget, reportCalls, type MeasuredCall } from "../../bench/worst-calls/report.ts";
import { MAX_BODY_BYTES } from "../../src/limits.ts";
import { MAX_BODY_VALUES, MAX_BULK_BODY_BYTES, MAX_BULK_BODY_VALUES } from "../../src/http/limits.ts";
import { RATE_LIMITS } from "../../src/app.ts";
import { logoError } from "../../src/qr/logo.ts";
import { MAX_QR_LOGO_BYTES } from "../../src/qr/limits.ts";

it("knows a worst call of every operation but those on localhost", () => {
  expect([...Object.keys(WORST_CALLS), ...LOCAL_OPERATIONS].sort()).toEqual(Object.keys(RATE_LIMITS).sort());
  for (const [operation, calls] of Object.entries(WORST_CALLS)) expect(calls, operation).not.toEqual([]);
});

function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return 1 + Object.values(value).reduce<number>((sum, each) => sum + countValues(each), 0);
}

it.each([
  ["a link", () => JSON.stringify(largestLink()), MAX_BODY_BYTES, MAX_BODY_VALUES],
  ["a bulk creation", largestBulk, MAX_BULK_BODY_BYTES, MAX_BULK_BODY_VALUES],
  ["a bulk creation with errors", invalidBulk, MAX_BULK_BODY_BYTES, MAX_BULK_BODY_VALUES],
  ["the files of a domain", () => JSON.stringify(largestAppFiles()), MAX_BODY_BYTES, MAX_BODY_VALUES],
] as const)("fills the body of %s up to a limit, and not beyond it", (_, make, bytes, values) => {
  const body = make();
  const [ofBytes, ofValues] = [Buffer.byteLength(body) / bytes, countValues(JSON.parse(body)) / values];
  expect(Math.max(ofBytes, ofValues)).toBeGreaterThan(0.85);
  expect(Math.max(ofBytes, ofValues)).toBeLessThanOrEqual(1);
});

it("makes a logo of the largest size that is accepted", () => {
  const logo = largestLogo();
  expect([logoError(logo), logo.length]).toEqual([
    null,
    "data:image/png;base64,".length + 4 * Math.ceil(MAX_QR_LOGO_BYTES / 3),
  ]);
});

it("weights latencies by the share of a minute that calls take", () => {
  const idle = Array.from({ length: 1_000 }, (_, n) => (n < 20 ? 10 : 1));
  const slow = [200, 300];
  expect(p99Of(idle)).toBe(10);
  // Ten calls of 30 ms take half a percent of a minute, so the slow redirects are no percent.
  expect(shareOf([{ from: 0, to: 30 }], 10)).toBe(0.005);
  expect(p99Of(idle, slow, 0.005)).toBe(10);
  expect(p99Of(idle, slow, 0.018)).toBe(200);
  expect(p99Of(idle, slow, 0.5)).toBe(300);
  expect(shareOf([{ from: 0, to: 20_000 }], 10)).toBe(1);
  const samples = [1, 2, 3].map((at) => ({ at, latency: at * 10, status: 302 }));
  expect(latenciesIn(samples, [{ from: 1, to: 3 }])).toEqual([10, 20]);
});

it("marks ratios above the goal, and reports calls over their budget", () => {
  const budget = BUDGETS["POST /api/links/bulk"];
  if (budget === undefined) throw new Error("no budget");
  const counters = { databaseRowsRead: 1_000, databaseRowsWritten: 2, logRowsRead: 3, logRowsWritten: 0 };
  const cost = { ...budget, counters: counters as MeasuredCall["cost"]["counters"] };
  const delays = [1, 1.5, 9].map((one) => ({ idleP99Ms: 1, one, ten: one * 2, tenAtOnce: 1 }));
  const within: MeasuredCall = { operation: "POST /api/links/bulk", what: "within", cost, delays };
  const over = { ...within, what: "over", cost: { ...cost, cpuMs: budget.cpuMs + 1 } };
  expect(overBudget([within, over])).toEqual(["POST /api/links/bulk (over)"]);
  expect(reportCalls([within])).toMatch(
    /1,000, 2 +\| 3, 0 .*\| × 1\.5 \(1\.0 to 9\.0\) .*\| \*\*× 3\.0 \(2\.0 to 18\.0\)\*\*/,
  );
});
