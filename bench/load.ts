import { execFile, execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** One round of load. */
export interface Round {
  requests: number;
  requestsPerSecond: number;
  /** User and system time of the runtime, microseconds a request. */
  cpuMicroseconds: number;
  /** Answers that were neither 2xx nor 3xx. */
  errors: number;
}

const CONNECTIONS = 16;
/** /proc counts in hundredths of a second, on every Linux. */
const TICK_MICROSECONDS = 10_000;

export function requireWrk(): void {
  try {
    execFileSync("wrk", ["--version"], { stdio: "ignore" });
  } catch (error) {
    // `wrk --version` prints its version and exits with 1.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") return;
    throw new Error("The benchmark needs wrk: apt-get install wrk, or brew install wrk.", { cause: error });
  }
}

/**
 * Sends requests for `seconds` and measures. `paths` is one path, or the numbered paths `prefix` + n from
 * `first` on, each of which is asked for once.
 */
export async function runRound(
  pid: number,
  address: URL,
  host: string,
  paths: string | { prefix: string; first: number },
  seconds: number,
): Promise<Round> {
  const [path, numbered] = typeof paths === "string" ? [paths, ["0"]] : ["/", [String(paths.first), paths.prefix]];
  const before = cpuTicks(pid);
  const { stdout } = await promisify(execFile)("wrk", [
    "-t1",
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    `--script=${join(import.meta.dirname, "load.lua")}`,
    `--header=Host: ${host}`,
    "--header=CF-Connecting-IP: 192.0.2.1",
    new URL(path, address).href,
    "--",
    ...numbered,
  ]);
  const ticks = cpuTicks(pid) - before;
  const result = JSON.parse(stdout.slice(stdout.lastIndexOf("{"))) as {
    requests: number;
    microseconds: number;
    errors: number;
  };
  return {
    requests: result.requests,
    requestsPerSecond: result.requests / (result.microseconds / 1e6),
    cpuMicroseconds: (ticks * TICK_MICROSECONDS) / result.requests,
    errors: result.errors,
  };
}

/** The runtime that this process started. */
export function findRuntime(): number {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const fields = statOf(Number(pid));
    if (fields?.name === "workerd" && fields.parent === process.pid) return Number(pid);
  }
  throw new Error("workerd is not running; the benchmark reads its CPU time from /proc, so it needs Linux");
}

function cpuTicks(pid: number): number {
  const fields = statOf(pid);
  if (fields === null) throw new Error("workerd has ended");
  return fields.ticks;
}

function statOf(pid: number): { name: string; parent: number; ticks: number } | null {
  try {
    const [, name = "", rest = ""] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    // Counted from the state, which is the third field of proc(5): 4 is the parent, 14 and 15 the times.
    const field = (number: number) => Number(rest.split(" ")[number - 3]);
    return { name, parent: field(4), ticks: field(14) + field(15) };
  } catch {
    return null;
  }
}
