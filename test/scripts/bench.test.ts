import { expect, it } from "vitest";
import { drawChart } from "../../bench/chart.ts";
import { costOf } from "../../bench/costs.ts";
import { reportChange } from "../../bench/report.ts";
import { toMeasured, type MeasuredRow, type Result } from "../../bench/result.ts";
import { takeTurns, type Side } from "../../bench/row.ts";
import { spreadOf } from "../../bench/statistics.ts";
import { chooseRows } from "../../bench/suites.ts";

const round = (perSecond: number) => ({ operations: perSecond, perSecond, cpuMicroseconds: 1e6 / perSecond });

/** A row with these operations a second, turn by turn, beside another Worker with a thousand. */
function measured(name: string, rates: number[]): MeasuredRow {
  const row = { name, title: name, against: "bare", goal: 0.9, seconds: 1 } as const;
  return toMeasured(
    row,
    1,
    rates.map((rate) => ({ row: round(rate), reference: round(1_000) })),
  );
}

const resultOf = (rows: MeasuredRow[]) =>
  ({ date: "2026-01-01", versions: { commit: "abc" }, machine: {}, rows }) as unknown as Result;

it("takes a turn to warm up, then alternates who goes first", async () => {
  const order: string[] = [];
  const side =
    (name: string, rate: number): Side =>
    async () => {
      order.push(name);
      return round(rate);
    };
  const turns = await takeTurns({ row: side("row", 2), reference: side("other", 4) }, { turns: 2, seconds: 1 });
  expect(order).toEqual(["other", "row", "row", "other", "other", "row"]);
  expect(turns).toEqual([
    { row: round(2), reference: round(4) },
    { row: round(2), reference: round(4) },
  ]);
});

it.each([
  [[3, 1, 2], { median: 2, low: 1, high: 3 }],
  [[4, 1, 2, 3], { median: 2.5, low: 1, high: 4 }],
])("takes the middle, the least and the most of %j", (values, spread) => {
  expect(spreadOf(values)).toEqual(spread);
});

it("calls a change certain only where the turns of two runs do not overlap", () => {
  const before = resultOf([measured("slower", [900, 950]), measured("same", [900, 950])]);
  const after = resultOf([measured("slower", [700, 800]), measured("same", [940, 990]), measured("new", [1])]);
  const lines = reportChange(before, after).split("\n");
  const lineOf = (name: string) => lines.find((line) => line.startsWith(`| ${name} `));
  expect(lineOf("slower")).toMatch(/0\.93 .*0\.75 .*\| share, CPU +\|$/);
  expect(lineOf("same")).toMatch(/\| no +\|$/);
  expect(lineOf("new")).toContain("not there");
});

it("reckons what a million operations cost from all that was counted", () => {
  const none = { databaseRoundTrips: 0, logRowsRead: 0, limiterRowsRead: 0, databaseRowsRead: 0 };
  const meters = { ...none, consumerRequests: 1, queueOperations: 3, logRequests: 1, limiterRequests: 1 };
  const rows = { logRowsWritten: 1, limiterRowsWritten: 1, databaseRowsWritten: 2 };
  const { use, dollars } = costOf({ operation: "it", requests: 1, meters: { ...meters, ...rows } });
  expect(use).toMatchObject({ workerRequest: 2, objectRequest: 2, objectRowWritten: 2, databaseRowWritten: 2 });
  expect(dollars.total).toBeCloseTo(2 * 0.3 + 3 * 0.4 + 2 * 0.15 + 2 + 2);
});

it("draws a chart without a script or anything from outside", () => {
  const chart = drawChart(resultOf([measured("hot", [900, 950]), measured("clicks", [10, 20])]));
  expect(chart).toMatch(/^<svg [^]*<\/svg>\n$/);
  expect(chart.match(/class="goal"/g)).toHaveLength(2);
  expect(chart).not.toMatch(/<script|href|url\(|NaN|Infinity/);
});

it("chooses rows by their names and the beginnings of them, and knows no others", () => {
  expect(chooseRows(["hot", "cold"]).flatMap(({ names }) => names)).toEqual(["hot", "cold-1000", "cold-1000000"]);
  expect(chooseRows([]).flatMap(({ names }) => names)).toContain("webhooks");
  expect(() => chooseRows(["warm"])).toThrow('no row "warm"');
});
