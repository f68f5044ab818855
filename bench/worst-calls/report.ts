import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../test/e2e/support/build.ts";
import { table } from "../report.ts";
import { BUDGETS } from "./budgets.ts";
import type { Operation } from "./requests.ts";
import type { CallCost } from "./measure.ts";

export interface MeasuredCall {
  operation: Operation;
  what: string;
  cost: CallCost;
}

const HEAD = [
  "operation",
  "the largest request",
  "CPU",
  "memory",
  "D1 rows read, written",
  "ClickLog rows read, written",
];

export function reportCalls(calls: readonly MeasuredCall[]): string {
  const cells = calls.map(({ operation, what, cost }) => [
    `\`${operation}\``,
    what,
    `${cost.cpuMs < 10 ? cost.cpuMs.toFixed(1) : Math.round(cost.cpuMs).toLocaleString("en")} ms`,
    `${(cost.bytes / 1_024 ** 2).toFixed(0)} MiB`,
    showRows(cost.counters.databaseRowsRead, cost.counters.databaseRowsWritten),
    showRows(cost.counters.logRowsRead, cost.counters.logRowsWritten),
  ]);
  return table(HEAD, cells);
}

const showRows = (read: number, written: number) =>
  [read, written].map((rows) => Math.round(rows).toLocaleString("en")).join(", ");

/** The operations with a budget that a call exceeds. */
export function overBudget(calls: readonly MeasuredCall[]): string[] {
  return calls.flatMap(({ operation, what, cost }) => {
    const budget = BUDGETS[operation];
    const isWithin = budget === undefined || (cost.cpuMs <= budget.cpuMs && cost.bytes <= budget.bytes);
    return isWithin ? [] : [`${operation} (${what})`];
  });
}

const PAGE = join(ROOT, "docs/security/worst-calls.md");
const BEGIN = "<!-- figures -->\n";
const END = "<!-- /figures -->";

/** Replaces the figures in the page. */
export function writeFigures(figures: string): void {
  const page = readFileSync(PAGE, "utf8");
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${PAGE} has no figures to replace`);
  writeFileSync(PAGE, `${page.slice(0, from)}${BEGIN}${figures}\n${page.slice(to)}`);
}
