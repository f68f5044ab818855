import { expect, it } from "vitest";
import { CALLS, UNMEASURED_OPERATIONS } from "../../../tools/bench/worst-calls/requests.ts";
import { largestAppFiles } from "../../../tools/bench/worst-calls/files.ts";
import { countValues, largestOf, LEFT_OUT, refuse, type Refused } from "../../../tools/bench/worst-calls/largest.ts";
import { latenciesIn, p99Of } from "../../../tools/bench/load/latency.ts";
import { BULK_BUDGET, overBudget, reportCalls, type MeasuredCall } from "../../../tools/bench/worst-calls/report.ts";
import { MAX_BODY_BYTES } from "../../../src/limits.ts";
import { RATE_LIMITS } from "../../../src/app.ts";

it("has a call of every operation but those of other services", () => {
  const operations = new Set(CALLS.map(({ operation }) => operation));
  expect([...operations, ...UNMEASURED_OPERATIONS].sort()).toEqual(Object.keys(RATE_LIMITS).sort());
});

const TEXTS = { type: "array", items: { type: "string", maxLength: 40 }, maxItems: 1_000 };

it("fills a body up to the limit of bytes or of values, and not beyond it", () => {
  for (const [bytes, values] of [
    [20_000, 100_000],
    [1_000_000, 500],
  ] as const) {
    const recipe = { schemas: {}, named: {}, refused: new Map() };
    const schema = {
      type: "object",
      properties: { url: { type: "string", format: "iri", maxLength: 8_192 }, tags: TEXTS },
    };
    const value = largestOf(schema, recipe, { maxBytes: bytes, maxValues: values });
    const share = Math.max(Buffer.byteLength(JSON.stringify(value)) / bytes, countValues(value) / values);
    expect(share).toBeGreaterThan(0.85);
    expect(share).toBeLessThanOrEqual(1);
  }
});

it("takes the example of what is refused, and leaves it out when that is refused too", () => {
  const refused: Refused = new Map();
  const items = {
    type: "object",
    properties: { host: { type: "string", maxLength: 5, example: "a.dev" }, n: { const: 1, enum: [1] } },
  };
  const make = () =>
    largestOf(
      { type: "array", items, maxItems: 1 },
      { schemas: {}, named: {}, refused },
      { maxBytes: 1e3, maxValues: 10 },
    );
  const details = [{ path: "0.host", code: "not_a_host" }];
  expect(make()).toEqual([{ host: expect.stringMatching(/^\w{5}$/), n: 1 }]);
  expect(refuse(refused, details)).toBe(true);
  expect(make()).toEqual([{ host: "a.dev", n: 1 }]);
  expect(refuse(refused, details)).toBe(true);
  expect([make(), refused.get("*.host")]).toEqual([[{ n: 1 }], LEFT_OUT]);
  expect(refuse(refused, [{ path: "", code: "nothing_given" }])).toBe(false);
});

it("leaves out fields that exclude each other", () => {
  const refused: Refused = new Map();
  refuse(refused, [{ path: "3.utm.tag", code: "not_together" }]);
  refuse(refused, [{ path: "body.ids", code: "not_one_given", allowed: ["ids", "filter"] }]);
  refuse(refused, [{ path: "", code: "not_one_given", allowed: ["changes", "delete", "restore"] }]);
  const left = Object.fromEntries(["*.utm.tag", "body.filter", "delete", "restore"].map((path) => [path, LEFT_OUT]));
  expect(Object.fromEntries(refused)).toEqual(left);
});

it("fills the body of the files of a domain", () => {
  const share = Buffer.byteLength(JSON.stringify(largestAppFiles())) / MAX_BODY_BYTES;
  expect(share).toBeGreaterThan(0.85);
  expect(share).toBeLessThanOrEqual(1);
});

it("finds the latency that one percent of the requests exceed", () => {
  expect(p99Of(Array.from({ length: 1_000 }, (_, n) => (n < 20 ? 10 : 1)))).toBe(10);
  expect(p99Of(Array.from({ length: 1_000 }, (_, n) => (n < 10 ? 10 : 1)))).toBe(1);
  const samples = [1, 2, 3].map((at) => ({ at, latency: at * 10, status: 302 }));
  expect(latenciesIn(samples, [{ from: 1, to: 3 }])).toEqual([10, 20]);
});

it("reports the rows of calls, and those over their budget", () => {
  const counters = { databaseRowsRead: 1_000, databaseRowsWritten: 2, logRowsRead: 3, logRowsWritten: 0 };
  const cost = { ...BULK_BUDGET, counters: counters as MeasuredCall["cost"]["counters"] };
  const within: MeasuredCall = { operation: "POST /api/links/bulk", what: "within", cost };
  const over = { ...within, what: "over", cost: { ...cost, cpuMs: BULK_BUDGET.cpuMs + 1 } };
  expect(overBudget([within, over])).toEqual(["POST /api/links/bulk"]);
  const small: MeasuredCall = { ...over, operation: "GET /api/links" };
  expect(overBudget([small])).toEqual([]);
  expect(reportCalls([within])).toMatch(/1,000, 2 +\| 3, 0/);
});
