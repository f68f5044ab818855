import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../../test/e2e/support/build.ts";
import { table } from "../report.ts";
import type { Ask } from "./account.ts";
import type { CallCost } from "./measure.ts";
import type { Operation } from "./requests.ts";

export interface MeasuredCall {
  operation: Operation;
  what: string;
  cost: CallCost;
}

/**
 * What a bulk call may use, with the work of the database, its 900 deliveries and their receivers: about twice what it uses,
 * because the time differs from machine to machine.
 */
export const BULK_BUDGET = { cpuMs: 20_000, bytes: 256 * 1_024 ** 2 };

const HEAD = [
  "operation",
  "the largest request",
  "CPU",
  "memory",
  "D1 rows read, written",
  "ClickLog rows read, written",
];

export function reportCalls(calls: readonly MeasuredCall[]): string {
  const cells = calls.map(({ operation, what, cost: { cpuMs, bytes, counters } }) => [
    `\`${operation}\``,
    what,
    `${cpuMs < 10 ? cpuMs.toFixed(1) : toText(cpuMs)} ms`,
    `${toText(bytes / 1_024 ** 2)} MiB`,
    `${toText(counters.databaseRowsRead)}, ${toText(counters.databaseRowsWritten)}`,
    `${toText(counters.logRowsRead)}, ${toText(counters.logRowsWritten)}`,
  ]);
  return table(HEAD, cells);
}

/** For the table. */
export function describeCall({ body = "", path }: Ask): string {
  const bytes = Buffer.byteLength(body);
  const parameters = new URL(path, "http://tern.test").searchParams.size;
  const size = bytes < 10_000 ? `${bytes.toLocaleString("en")} bytes` : `${toText(bytes / 1_024)} KiB`;
  return [bytes > 0 ? size : "", parameters > 0 ? `${parameters} parameters` : ""].filter(Boolean).join(", ");
}

const toText = (value: number) => Math.round(value).toLocaleString("en");

/** The bulk calls that exceed their budget. */
export const overBudget = (calls: readonly MeasuredCall[]): string[] =>
  calls
    .filter(({ operation }) => operation.endsWith(" /api/links/bulk"))
    .filter(({ cost }) => cost.cpuMs > BULK_BUDGET.cpuMs || cost.bytes > BULK_BUDGET.bytes)
    .map(({ operation }) => operation);

const PAGE = join(ROOT, "docs/security/worst-calls.md");

/** Replaces the figures in the page. */
export function writeFigures(figures: string): void {
  const page = readFileSync(PAGE, "utf8");
  const written = page.replace(/(?<=<!-- figures -->\n).*(?=<!-- \/figures -->)/s, () => `${figures}\n`);
  if (written === page) throw new Error(`${PAGE} has no figures to replace`);
  writeFileSync(PAGE, written);
}
