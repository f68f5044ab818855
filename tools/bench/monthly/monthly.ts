import { parseArgs } from "node:util";
import { table } from "../report.ts";
import { billOf } from "./bill.ts";
import { BILLION, MIXES, OTHER_MIXES, SMALL_MIXES, type Mix } from "./mix.ts";
import { tableOfCauses, tableOfFreePlan, tableOfMix, tableOfMixes, tableOfUsage } from "./report.ts";

// Calculates what installations pay a month. An option for each parameter of the mix replaces the published mixes by one.

const names = Object.keys(BILLION) as (keyof Mix)[];
const { values } = parseArgs({ options: Object.fromEntries(names.map((name) => [name, { type: "string" as const }])) });
const changed = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, toNumber(name, String(text))]));
const isOwn = Object.keys(changed).length > 0;

const mixes = isOwn ? [{ ...BILLION, ...changed }] : MIXES;
const bills = mixes.map((mix) => ({ mix, bill: billOf(mix) }));
const largest = bills.at(-1) ?? { mix: BILLION, bill: billOf(BILLION) };
const others = isOwn ? [{}] : OTHER_MIXES;
const tables = [
  tableOfCauses(bills),
  tableOfUsage(largest.bill),
  tableOfMix(largest.mix),
  tableOfMixes(others.map((change) => ({ change, bill: billOf({ ...largest.mix, ...change }) }))),
  tableOfFreePlan(SMALL_MIXES.map((mix) => ({ mix, bill: billOf(mix) }))),
];
console.log(tables.map(([head, rows]) => table(head, rows)).join("\n\n"));

function toNumber(name: string, text: string): number {
  const value = Number(text);
  if (text !== "" && value >= 0) return value;
  throw new Error(`--${name} must be a number from 0 up, not "${text}"`);
}
