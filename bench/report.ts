import type { Cost } from "./costs.ts";
import { PRICES, PRICES_READ_ON } from "./prices.ts";
import type { MeasuredRow, Result } from "./result.ts";
import { differ, type Spread } from "./statistics.ts";

// Tables in Markdown, for the terminal and the README.

export function reportRows(rows: MeasuredRow[]): string {
  const head = ["", "a second", "of the other's", "CPU each", "what"];
  return table(head, rows.map(cellsOf));
}

function cellsOf(row: MeasuredRow): string[] {
  const { name, title, unit, share, perSecond, cpuMicroseconds } = row;
  const what = unit === "requests" ? title : `${unit}: ${title}`;
  return [name, showSpread(perSecond, showRate), showShare(row, share), showSpread(cpuMicroseconds, showTime), what];
}

function showShare({ against, goal }: MeasuredRow, share: Spread | null): string {
  if (share === null) return "";
  const aim = goal === null ? "" : `, goal ${goal}`;
  return `${showSpread(share, showPart)} of ${against}${aim}`;
}

export function reportCosts(costs: Cost[]): string {
  const head = [
    "",
    "$ a million",
    "requests",
    "D1 rows read, written",
    "object requests, rows written",
    "queue operations",
  ];
  const count = (value: number) => String(Number(value.toFixed(3)));
  const rows = costs.map(({ operation, use, dollars }) => [
    operation,
    dollars.total.toFixed(dollars.total < 0.1 ? 3 : 2),
    count(use.workerRequest),
    `${count(use.databaseRowRead)}, ${count(use.databaseRowWritten)}`,
    `${count(use.objectRequest)}, ${count(use.objectRowWritten)}`,
    count(use.queueOperation),
  ]);
  const prices = Object.entries(PRICES).map(([what, price]) => `${what} ${price}`);
  return `${table(head, rows)}\n\nList prices of ${PRICES_READ_ON}, dollars a million: ${prices.join(", ")}.`;
}

/** What has changed since an earlier run; certain only where no turn of the one is among those of the other. */
export function reportChange(before: Result, after: Result): string {
  const head = ["", "share or rate, before", "now", "CPU, before", "now", "beyond both spreads"];
  const rows = after.rows.flatMap((row) => {
    const old = before.rows.find(({ name }) => name === row.name);
    if (old === undefined) return [[row.name, "not there", showMeasure(row), "", "", ""]];
    const beyond = [
      ...(differ(measureOf(old), measureOf(row)) ? [old.share === null || row.share === null ? "rate" : "share"] : []),
      ...(differ(old.cpuMicroseconds, row.cpuMicroseconds) ? ["CPU"] : []),
    ];
    const cpu = [old, row].map(({ cpuMicroseconds }) => showSpread(cpuMicroseconds, showTime));
    return [[row.name, showMeasure(old), showMeasure(row), ...cpu, beyond.length === 0 ? "no" : beyond.join(", ")]];
  });
  const elsewhere = (["cores", "model", "storage"] as const).filter(
    (what) => before.machine[what] !== after.machine[what],
  );
  const warning = elsewhere.length === 0 ? "" : `, with other ${elsewhere.join(", ")}`;
  return `Since ${before.date} (${before.versions.commit})${warning}:\n\n${table(head, rows)}`;
}

/** The share, which hardly depends on the machine, or else the rate. */
function measureOf({ share, perSecond }: MeasuredRow): Spread {
  return share ?? perSecond;
}

function showMeasure(row: MeasuredRow): string {
  return row.share === null ? showSpread(row.perSecond, showRate) : showSpread(row.share, showPart);
}

function showSpread({ median, low, high }: Spread, show: (value: number) => string): string {
  return `${show(median)} (${show(low)} to ${show(high)})`;
}

export const showRate = (perSecond: number): string =>
  perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond).toLocaleString("en");

export const showPart = (share: number): string => (share < 0.1 ? share.toPrecision(2) : share.toFixed(2));

function showTime(microseconds: number): string {
  if (microseconds < 1_000) return `${microseconds.toFixed(0)} µs`;
  const milliseconds = microseconds / 1_000;
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
