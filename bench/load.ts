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

/** Header lines of somebody with a phone in Germany. */
const PHONE = [
  "User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  "Accept-Language: de-DE,de;q=0.9,en;q=0.8",
  "Referer: https://www.search.example/find?q=tern",
  'MF-CF-Blob: {"country":"DE","regionCode":"BE","city":"Berlin","continent":"EU"}',
];

/**
 * What is asked for: one path, also by somebody of whom more is known, or numbered paths from `first` on, each once, as by browsers that prepare for
 * a click, which is not recorded; or fifty links by all kinds of visitors, each of whom is.
 */
export type Load = { path: string; phone?: true } | { prefix: string; first: number } | "visitors";

/**
 * Sends requests for `seconds` and measures, until `settled`, which gets the number of requests, says that
 * all that they set off is done.
 */
export async function runRound(
  pid: number,
  address: URL,
  host: string,
  load: Load,
  seconds: number,
  settled?: (requests: number) => Promise<unknown>,
): Promise<Round> {
  const before = cpuTicks(pid);
  const { stdout } = await promisify(execFile)("wrk", [
    "-t1",
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    `--header=Host: ${host}`,
    ...argumentsFor(load, address),
  ]);
  const ended = performance.now();
  const { requests, microseconds, errors } = JSON.parse(stdout.slice(stdout.lastIndexOf("{"))) as {
    requests: number;
    microseconds: number;
    errors: number;
  };
  await settled?.(requests);
  const ticks = cpuTicks(pid) - before;
  const microsecondsInAll = microseconds + (performance.now() - ended) * 1e3;
  return {
    requests,
    requestsPerSecond: requests / (microsecondsInAll / 1e6),
    cpuMicroseconds: (ticks * TICK_MICROSECONDS) / requests,
    errors,
  };
}

function argumentsFor(load: Load, address: URL): string[] {
  const script = (name: string) => `--script=${join(import.meta.dirname, name)}`;
  if (load === "visitors") return [script("visitors.lua"), address.href];
  const headers = ["--header=CF-Connecting-IP: 192.0.2.1", "--header=Sec-Purpose: prefetch"];
  if ("path" in load) {
    const more = load.phone === true ? PHONE.map((line) => `--header=${line}`) : [];
    return [script("load.lua"), ...headers, ...more, new URL(load.path, address).href];
  }
  return [script("load.lua"), ...headers, address.href, "--", String(load.first), load.prefix];
}

/** The runtime that this process started. */
export function findRuntime(): number {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const fields = statOf(Number(pid));
    if (fields?.name === "workerd" && fields.parent === process.pid) return Number(pid);
  }
  throw new Error("workerd is not running; the benchmark reads its CPU time from /proc, so it needs Linux");
}

export function cpuTicks(pid: number): number {
  const fields = statOf(pid);
  if (fields === null) throw new Error("workerd has ended");
  return fields.ticks;
}

/** Memory that the process has at this moment. */
export function residentBytes(pid: number): number {
  const [, kibibytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) * 1_024;
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
