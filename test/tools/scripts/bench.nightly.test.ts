import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { COUNTED } from "../../../tools/bench/counts.ts";
import { reportChange, reportRows } from "../../../tools/bench/report.ts";
import { toMeasured, type MeasuredRow, type Result } from "../../../tools/bench/result.ts";
import { takeTurns, type Side } from "../../../tools/bench/row.ts";
import { spreadOf } from "../../../tools/bench/statistics.ts";
import { chooseRows } from "../../../tools/bench/suites.ts";
import { ROOT } from "../../e2e/support/build.ts";

/** The operations are counted in seven services, one after the other. */
const TIMEOUT_MS = 600_000;

const round = (perSecond: number) => ({ operations: perSecond, perSecond, cpuMicroseconds: 1e6 / perSecond });

/** A row with one turn for each rate, compared with a reference of a thousand operations a second. */
function measured(name: string, rates: number[]): MeasuredRow {
  const row = { name, title: name, against: "bare", goal: 0.9, seconds: 1 };
  const turns = rates.map((rate) => ({ row: round(rate), reference: round(1_000) }));
  return toMeasured(row, turns);
}

const resultOf = (rows: MeasuredRow[]) =>
  ({ date: "2026-01-01", versions: { commit: "abc" }, machine: {}, rows }) as unknown as Result;

it(
  "measures a row, prints it, and counts exactly what each operation uses",
  () => {
    const directory = mkdtempSync(join(tmpdir(), "tern-bench-test-"));
    const json = join(directory, "result.json");
    const options = ["--only", "startup", "--turns", "1", "--seconds", "1", "--json", json];
    const { status, stdout, stderr } = spawnSync("npm", ["run", "--silent", "bench", "--", ...options], {
      cwd: ROOT,
      env: { ...process.env, START_COPIES: "2" },
      encoding: "utf8",
      timeout: TIMEOUT_MS,
    });
    expect(status, stderr).toBe(0);
    const { rows, costs } = JSON.parse(readFileSync(json, "utf8")) as Result;
    rmSync(directory, { recursive: true });
    expect(stdout).toMatch(/^\| startup +\| .+ of bare, goal /m);
    expect(rows.map(({ name, turns }) => [name, turns.length])).toEqual([["startup", 1]]);
    const counted = costs.map(({ operation, use }) => [
      operation,
      [
        use.workerRequest,
        [use.databaseRowRead, use.databaseRowWritten],
        [use.objectRequest, use.objectRowWritten],
        use.queueOperation,
      ],
    ]);
    // How many clicks share a flush depends on the machine: an isolate collects them for a quarter of a second.
    const exact = counted.filter(([operation]) => !String(operation).startsWith("click, of "));
    expect(Object.fromEntries(exact)).toEqual(COUNTED);
    expect(counted).toHaveLength(exact.length + 3);
  },
  TIMEOUT_MS,
);

it("takes a turn to warm up, then alternates which side goes first", async () => {
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
])("takes the median, the lowest and the highest of %j", (values, spread) => {
  expect(spreadOf(values)).toEqual(spread);
});

it("reports a change only if the ranges of two runs do not overlap", () => {
  const before = resultOf([measured("slower", [900, 950]), measured("same", [900, 950])]);
  const after = resultOf([measured("slower", [700, 800]), measured("same", [940, 990]), measured("new", [1])]);
  const lines = reportChange(before, after).split("\n");
  const lineOf = (name: string) => lines.find((line) => line.startsWith(`| ${name} `));
  expect(lineOf("slower")).toMatch(/0\.93 .*0\.75 .*\| ratio, CPU +\|$/);
  expect(lineOf("same")).toMatch(/\| no +\|$/);
  expect(lineOf("new")).toContain("no such row");
});

it("compares latencies by their p95: a row that is slower than its reference has a ratio below 1", () => {
  const row = { name: "isolation", title: "latency", against: "alone", latency: "p95", seconds: 1 } as const;
  const turn = { row: { ...round(10), latencyMilliseconds: 80 }, reference: { ...round(10), latencyMilliseconds: 40 } };
  expect(reportRows([toMeasured(row, [turn])])).toContain("p95 80 ms (80 ms to 80 ms) | 0.50 (0.50 to 0.50) of alone");
});

it("chooses rows by name or by the part before a hyphen, and rejects unknown names", () => {
  const namesOf = (only: string[]) => chooseRows(only).flatMap(({ rows }) => rows.map(({ name }) => name));
  expect(namesOf(["hot", "analytics"])).toEqual(["hot", "analytics-1000", "analytics-1000000"]);
  expect(namesOf([])).toEqual(expect.arrayContaining(["webhooks", "startup", "isolation"]));
  expect(() => chooseRows(["warm"])).toThrow('no row "warm"');
});
