import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { costOf } from "./costs.ts";
import { countOperations } from "./instrumented/operations.ts";
import { reportChange, reportCosts, reportRows } from "./report.ts";
import { describeRun, toMeasured, type MeasuredRow, type Result } from "./result.ts";
import { takeTurns, type RowDescription, type Sides } from "./row.ts";
import { chooseRows } from "./suites.ts";

// Compares the speed of the service with Workers that do only the unavoidable part of its operations. Both run in one
// runtime and take turns, so that other work of the machine slows both. The ratio within a turn is what counts.

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    turns: { type: "string", default: "7" },
    seconds: { type: "string" },
    json: { type: "string" },
    compare: { type: "string" },
  },
});
const options = {
  turns: positive("turns", values.turns),
  seconds: values.seconds === undefined ? null : positive("seconds", values.seconds),
  only: values.only?.split(",") ?? [],
};
const suites = chooseRows(options.only);
const before = values.compare === undefined ? null : (JSON.parse(readFileSync(values.compare, "utf8")) as Result);

const started = performance.now();
const { counted, recorded } = await countOperations();
const measured: MeasuredRow[] = [];
for (const { start, rows } of suites) {
  const server = await start(recorded);
  try {
    for (const row of rows) measured.push(await measureRow(row, await row.prepare(server)));
  } finally {
    await server.stop();
  }
}
const result: Result = { ...describeRun(), options, rows: measured, operations: counted, costs: counted.map(costOf) };
console.log(`\n${reportRows(result.rows)}\n\n${reportCosts(result.costs)}`);
if (before !== null) console.log(`\n${reportChange(before, result)}`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);

async function measureRow(row: RowDescription, sides: Sides): Promise<MeasuredRow> {
  const seconds = Math.max(options.seconds ?? row.seconds, row.leastSeconds ?? 0);
  const warmUpSeconds = options.seconds === null ? row.warmUpSeconds : seconds;
  const turns = await takeTurns(sides, { turns: options.turns, seconds, warmUpSeconds });
  console.error(`${row.name}: ${turns.length} turns, after ${Math.round((performance.now() - started) / 1_000)} s`);
  return toMeasured({ ...row, seconds }, turns);
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} must be a whole number from 1 up, not "${text}"`);
}
