import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { HOST } from "../runtime.ts";
import { measureRound, type Round } from "./round.ts";

/** The requests that wrk sends: see load.lua and visitors.lua. */
export interface Load {
  address: URL;
  /** The same request each time, or a different one where `#` stands for a number; or different visitors of fifty links. */
  ask: "visitors" | { method?: string; path: string; body?: string; numbers?: Numbers };
  headers?: Record<string, string>;
  /** Sends a few requests from each IP address, to stay below the rate limits. */
  manyCallers?: boolean;
  /** Whether every response must be an error; otherwise none may be. */
  refused?: boolean;
}

/** The numbers that replace `#`, one for each request. */
interface Numbers {
  next: number;
  /** Largest number. With it, numbers come in a scattered order, each again after all others. */
  below?: number;
}

const CONNECTIONS = 16;
/** As in load.lua. */
const STRIDE = 618_033;

/** IP addresses used so far, so that no round reaches the rate limits of another. */
let callers = 0;

/** The number in the request with the index `n`, of the numbers up to `below`. */
export function numberOf(n: number, below: number): number {
  return ((n * STRIDE) % below) + 1;
}

export function requireWrk(): void {
  try {
    execFileSync("wrk", ["--version"], { stdio: "ignore" });
  } catch (error) {
    // `wrk --version` prints its version and exits with 1.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") return;
    throw new Error("The benchmark needs wrk: apt-get install wrk, or brew install wrk.", { cause: error });
  }
}

/** Sends requests for `seconds` and waits for `settled`, which gets their number and resolves when their work is done. */
export function runRound(
  pid: number,
  load: Load,
  seconds: number,
  settled?: (requests: number) => Promise<unknown>,
): Promise<Round> {
  return measureRound(pid, async () => {
    const { requests, microseconds, refused, failed } = await runWrk(load, seconds);
    const expected = load.refused === true ? requests : 0;
    if (failed > 0 || refused !== expected)
      throw new Error(`of ${requests} requests ${refused} got an error as response and ${failed} failed`);
    const ended = performance.now();
    await settled?.(requests);
    return { operations: requests, milliseconds: microseconds / 1_000 + (performance.now() - ended) };
  });
}

type Summary = Record<"requests" | "microseconds" | "refused" | "failed", number>;

async function runWrk({ address, ask, headers, manyCallers = false }: Load, seconds: number): Promise<Summary> {
  const isVisitors = ask === "visitors";
  const { numbers, ...request }: Partial<Exclude<Load["ask"], "visitors">> = isVisitors ? {} : ask;
  const values = {
    ...request,
    first: numbers?.next,
    below: numbers?.below,
    address: manyCallers ? callers : undefined,
  };
  const { stdout } = await promisify(execFile)("wrk", [
    "-t1",
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    ...Object.entries({ Host: HOST, ...headers }).map(([name, value]) => `--header=${name}: ${value}`),
    `--script=${join(import.meta.dirname, isVisitors ? "visitors.lua" : "load.lua")}`,
    address.href,
    "--",
    ...Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])),
  ]);
  const summary = JSON.parse(stdout.slice(stdout.lastIndexOf("{"))) as Summary;
  // wrk does not count the requests in flight at the end, but they were sent.
  const sent = summary.requests + CONNECTIONS;
  if (numbers !== undefined) numbers.next += sent;
  if (manyCallers) callers += sent;
  return summary;
}
