import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../test/e2e/support/build.ts";
import { memoryStorage } from "../../test/support/memory-storage.ts";
import type { Cost } from "./costs.ts";
import type { CountedOperation } from "./instrumented/operations.ts";
import type { Round } from "./load/round.ts";
import type { RowDescription, Turn } from "./row.ts";
import { spreadOf, type Spread } from "./statistics.ts";

/** What `--json` writes and `--compare` reads. */
export interface Result {
  date: string;
  /** `commit` ends with a plus sign if files were changed since. */
  versions: { commit: string; node: string; wrangler: string; workerd: string };
  /** `storage` is where the databases and Durable Objects of the runtime are. */
  machine: { cores: number; model: string; storage: "memory" | "disk" };
  options: { turns: number; seconds: number | null; only: string[] };
  rows: MeasuredRow[];
  operations: CountedOperation[];
  costs: Cost[];
}

export interface MeasuredRow extends RowDescription {
  turns: Turn[];
  perSecond: Spread;
  cpuMicroseconds: Spread;
  /** Set where a latency is compared instead of a rate. */
  latencyMilliseconds: Spread | null;
  /** The most that the runtime grew by, in bytes; null: not measured. */
  grownBytes: number | null;
  /** Ratio to the reference, turn by turn: above 1 the row is faster. */
  share: Spread | null;
}

export function toMeasured(description: RowDescription, turns: Turn[]): MeasuredRow {
  const rounds = turns.map(({ row }) => row);
  const latencies = rounds.flatMap(({ latencyMilliseconds }) => latencyMilliseconds ?? []);
  const growths = rounds.flatMap(({ grownBytes }) => grownBytes ?? []);
  const shares = turns.flatMap(({ row, reference }) => (reference === null ? [] : speedOf(row) / speedOf(reference)));
  return {
    ...description,
    turns,
    perSecond: spreadOf(rounds.map(({ perSecond }) => perSecond)),
    cpuMicroseconds: spreadOf(rounds.map(({ cpuMicroseconds }) => cpuMicroseconds)),
    latencyMilliseconds: latencies.length === 0 ? null : spreadOf(latencies),
    grownBytes: growths.length === 0 ? null : Math.max(...growths),
    share: shares.length === 0 ? null : spreadOf(shares),
  };
}

const speedOf = ({ latencyMilliseconds, perSecond }: Round) =>
  latencyMilliseconds === undefined ? perSecond : 1 / latencyMilliseconds;

export function describeRun(): Pick<Result, "date" | "versions" | "machine"> {
  const versionOf = (name: string) =>
    (JSON.parse(readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8")) as { version: string }).version;
  const git = spawnSync("git", ["describe", "--always", "--exclude=*", "--dirty=+"], { cwd: ROOT, encoding: "utf8" });
  const versions = { node: process.versions.node, wrangler: versionOf("wrangler"), workerd: versionOf("workerd") };
  // On a disk, most rows would measure the disk.
  const storage = memoryStorage() === null ? "disk" : "memory";
  return {
    date: new Date().toISOString(),
    versions: { commit: git.stdout.trim() || "unknown", ...versions },
    machine: { cores: cpus().length, model: cpus()[0]?.model ?? "unknown", storage },
  };
}
