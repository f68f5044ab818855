import { PRICES, PRICES_READ_ON, type Cost } from "./costs.ts";
import type { MeasuredRow, Result } from "./result.ts";
import { differ, type Spread } from "./statistics.ts";

// Markdown tables, for the terminal and the documents.

export function reportRows(rows: MeasuredRow[]): string {
  const cells = rows.map((row) => [
    row.name,
    row.latencyMilliseconds === null
      ? showRate(row.perSecond)
      : `${row.latency} ${showTime(row.latencyMilliseconds, 1_000)}`,
    showShare(row),
    showTime(row.cpuMicroseconds),
    (row.unit === undefined ? row.title : `${row.unit}: ${row.title}`) + showGrowth(row),
  ]);
  return table(["", "a second", "ratio to reference", "CPU each", "what"], cells);
}

export function reportCosts(costs: Cost[]): string {
  const head = [
    "",
    "$ a million",
    "requests",
    "D1 rows read, written",
    "object requests, rows written",
    "object GB-s",
    "queue operations",
  ];
  const count = (value: number) => String(Number(value.toFixed(3)));
  const cells = costs.map(({ operation, use, dollars }) => [
    operation,
    dollars.toFixed(dollars < 0.1 ? 3 : 2),
    count(use.workerRequest),
    `${count(use.databaseRowRead)}, ${count(use.databaseRowWritten)}`,
    `${count(use.objectRequest)}, ${count(use.objectRowWritten)}`,
    String(Number(use.objectGigabyteSecond.toPrecision(1))),
    count(use.queueOperation),
  ]);
  const prices = Object.entries(PRICES).map(([resource, price]) => `${resource} ${price}`);
  return `${table(head, cells)}\n\nList prices of ${PRICES_READ_ON}, dollars a million: ${prices.join(", ")}.`;
}

/** Compares with an earlier run. A change counts only if the ranges of the two runs do not overlap. */
export function reportChange(before: Result, after: Result): string {
  const head = ["", "ratio or rate, before", "now", "CPU, before", "now", "ranges apart"];
  const cells = after.rows.map((row) => {
    const old = before.rows.find(({ name }) => name === row.name);
    if (old === undefined) return [row.name, "no such row", showMeasure(row), "", "", ""];
    const measure = row.share === null ? "rate" : "ratio";
    const apart = [
      ...(differ(old.share ?? old.perSecond, row.share ?? row.perSecond) ? [measure] : []),
      ...(differ(old.cpuMicroseconds, row.cpuMicroseconds) ? ["CPU"] : []),
    ];
    const cpu = [old, row].map(({ cpuMicroseconds }) => showTime(cpuMicroseconds));
    return [row.name, showMeasure(old), showMeasure(row), ...cpu, apart.join(", ") || "no"];
  });
  const different = (["cores", "model", "storage"] as const).filter(
    (what) => before.machine[what] !== after.machine[what],
  );
  const warning = different.length === 0 ? "" : `, on a machine with different ${different.join(", ")}`;
  return `Since ${before.date} (${before.versions.commit})${warning}:\n\n${table(head, cells)}`;
}

/** The ratio, which hardly depends on the machine, or else the rate. */
const showMeasure = (row: MeasuredRow) => (row.share === null ? showRate(row.perSecond) : showRatio(row.share));

function showShare({ share, against, goal }: MeasuredRow): string {
  if (share === null) return "";
  return `${showRatio(share)} of ${against}${goal === undefined ? "" : `, goal ${goal}`}`;
}

const showGrowth = ({ grownBytes }: MeasuredRow) =>
  grownBytes === null ? "" : `; the runtime grew by up to ${Math.round(grownBytes / 1e6)} MB`;

const showRate = (rate: Spread) =>
  showSpread(rate, (value) => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en")));

const showRatio = (ratio: Spread) =>
  showSpread(ratio, (value) => (value < 0.1 ? value.toPrecision(2) : value.toFixed(2)));

const showTime = (time: Spread, microseconds = 1) =>
  showSpread(time, (value) => {
    const milliseconds = (value * microseconds) / 1_000;
    if (milliseconds < 1) return `${(milliseconds * 1_000).toFixed(0)} µs`;
    return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
  });

function showSpread({ median, low, high }: Spread, show: (value: number) => string): string {
  return `${show(median)} (${show(low)} to ${show(high)})`;
}

/** A Markdown table. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
