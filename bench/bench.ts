import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { drawChart } from "./chart.ts";
import { costOf } from "./costs.ts";
import { requireWrk } from "./load/wrk.ts";
import { countOperations } from "./metered/operations.ts";
import { reportChange, reportCosts, reportRows } from "./report.ts";
import { machine, toMeasured, versions, type MeasuredRow, type Result } from "./result.ts";
import { takeTurns } from "./row.ts";
import { chooseRows } from "./suites.ts";

// How quick the service is beside Workers that do the least that its operations cannot do without. Both run in one
// runtime and take turns, so that whatever else the machine does hits both; what counts is the share within a turn.

const DEFAULT_TURNS = 7;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    turns: { type: "string", default: String(DEFAULT_TURNS) },
    seconds: { type: "string" },
    json: { type: "string" },
    compare: { type: "string" },
    svg: { type: "string" },
  },
});
const options = {
  turns: positive("turns", values.turns),
  seconds: values.seconds === undefined ? null : positive("seconds", values.seconds),
  only: values.only?.split(",") ?? [],
};
const chosen = chooseRows(options.only);
const before = values.compare === undefined ? null : (JSON.parse(readFileSync(values.compare, "utf8")) as Result);
requireWrk();

const started = performance.now();
const { counted, recorded } = await countOperations();
const rows: MeasuredRow[] = [];
for (const suite of chosen) {
  await suite.run(recorded, async (row, server) => {
    const seconds = Math.max(options.seconds ?? row.seconds, row.leastSeconds ?? 0);
    const warmUpSeconds = options.seconds === null ? row.warmUpSeconds : seconds;
    const turns = await takeTurns(await row.prepare(server), { turns: options.turns, seconds, warmUpSeconds });
    rows.push(toMeasured(row, seconds, turns));
    console.error(`${row.name}: ${turns.length} turns, after ${Math.round((performance.now() - started) / 1_000)} s`);
  });
}
const result: Result = {
  date: new Date().toISOString(),
  versions: versions(),
  machine: machine(),
  options,
  rows,
  operations: counted,
  costs: counted.map(costOf),
};
console.log(`\n${reportRows(result.rows)}\n\n${reportCosts(result.costs)}`);
if (before !== null) console.log(`\n${reportChange(before, result)}`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
if (values.svg !== undefined) writeFileSync(values.svg, drawChart(result));

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} must be a whole number from 1 up, not "${text}"`);
}
