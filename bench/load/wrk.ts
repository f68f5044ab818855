import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { HOST } from "../runtime.ts";
import { measureRound, type Round } from "./round.ts";

/** What wrk asks for: see load.lua and visitors.lua. */
export interface Load {
  address: URL;
  /** One request again and again, or with `#` for a number a request for each; or all kinds of visitors of fifty links. */
  ask: "visitors" | { method?: string; path: string; body?: string; numbers?: Numbers };
  headers?: Record<string, string>;
  /** Each caller asks a few times and is followed by another, as rate limits have it. */
  manyCallers?: boolean;
  /** Whether every answer is to be a refusal; otherwise none may be. */
  refused?: boolean;
}

/** Numbers that requests take one after the other. */
interface Numbers {
  next: number;
  /** Then it begins again, and the numbers up to this one come in a scattered order. */
  below?: number;
}

interface Summary {
  requests: number;
  microseconds: number;
  refused: number;
  failed: number;
}

const CONNECTIONS = 16;
/** As in load.lua. */
const STRIDE = 618_033;
const MICROSECONDS_PER_MS = 1_000;

/** Callers of all rounds, so that none meets its own rate limit of a minute ago. */
let callers = 0;

/** The number of the request after `n` others, of those up to `below`. */
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

/**
 * Sends requests for `seconds` and measures, until `settled`, which gets the number of requests, says that
 * all that they set off is done.
 */
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
      throw new Error(`of ${requests} requests ${refused} were refused and ${failed} failed`);
    const ended = performance.now();
    await settled?.(requests);
    return { operations: requests, milliseconds: microseconds / MICROSECONDS_PER_MS + (performance.now() - ended) };
  });
}

async function runWrk(load: Load, seconds: number): Promise<Summary> {
  const headers = Object.entries({ Host: HOST, ...load.headers }).map(([name, value]) => `--header=${name}: ${value}`);
  const script = load.ask === "visitors" ? "visitors.lua" : "load.lua";
  const { stdout } = await promisify(execFile)("wrk", [
    "-t1",
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    ...headers,
    `--script=${join(import.meta.dirname, script)}`,
    load.address.href,
    "--",
    ...argumentsOf(load),
  ]);
  const summary = JSON.parse(stdout.slice(stdout.lastIndexOf("{"))) as Summary;
  // Those that were on their way at the end are not counted, but have been sent.
  const sent = summary.requests + CONNECTIONS;
  if (load.ask !== "visitors" && load.ask.numbers !== undefined) load.ask.numbers.next += sent;
  if (load.manyCallers === true) callers += sent;
  return summary;
}

function argumentsOf({ ask, manyCallers = false }: Load): string[] {
  if (ask === "visitors") return [];
  const { method, path, body, numbers } = ask;
  const given = {
    method,
    path,
    body,
    first: numbers?.next,
    below: numbers?.below,
    address: manyCallers ? callers : undefined,
  };
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
}
