import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { ROOT } from "../test/e2e/support/build.ts";
import type { Cost } from "./costs.ts";
import type { Counted } from "./metered/meter.ts";
import type { Row, Turn } from "./row.ts";
import { isStorageInMemory } from "./runtime.ts";
import { spreadOf, type Spread } from "./statistics.ts";

/** What a run of the benchmark writes. */
export interface Result {
  date: string;
  /** `commit` ends with a plus where files were changed since. */
  versions: { commit: string; node: string; wrangler: string; workerd: string };
  /** `storage` is where the runtime has its databases and objects. */
  machine: { cores: number; model: string; storage: "memory" | "disk" };
  options: { turns: number; seconds: number | null; only: string[] };
  rows: MeasuredRow[];
  operations: Counted[];
  costs: Cost[];
}

export interface MeasuredRow {
  name: string;
  title: string;
  unit: string;
  against: string | null;
  goal: number | null;
  seconds: number;
  turns: Turn[];
  perSecond: Spread;
  cpuMicroseconds: Spread;
  /** Of the other's operations per second, turn by turn; null without another. */
  share: Spread | null;
}

export function toMeasured(row: Omit<Row<never>, "prepare">, seconds: number, turns: Turn[]): MeasuredRow {
  const shares = turns.flatMap(({ row, reference }) =>
    reference === null ? [] : [row.perSecond / reference.perSecond],
  );
  return {
    name: row.name,
    title: row.title,
    unit: row.unit ?? "requests",
    against: row.against,
    goal: row.goal ?? null,
    seconds,
    turns,
    perSecond: spreadOf(turns.map(({ row }) => row.perSecond)),
    cpuMicroseconds: spreadOf(turns.map(({ row }) => row.cpuMicroseconds)),
    share: shares.length === 0 ? null : spreadOf(shares),
  };
}

export function versions(): Result["versions"] {
  return {
    commit: commit(),
    node: process.versions.node,
    wrangler: versionOf("wrangler"),
    workerd: versionOf("workerd"),
  };
}

export function machine(): Result["machine"] {
  return {
    cores: cpus().length,
    model: cpus()[0]?.model ?? "unknown",
    storage: isStorageInMemory() ? "memory" : "disk",
  };
}

function versionOf(name: string): string {
  const path = join(ROOT, "node_modules", name, "package.json");
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}

function commit(): string {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
  try {
    return git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain") === "" ? "" : "+");
  } catch {
    return "unknown";
  }
}
