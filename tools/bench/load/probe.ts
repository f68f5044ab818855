import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import { HOST } from "../runtime.ts";

// A thread that requests a path again and again, at fixed times whether or not earlier requests were answered: a
// runtime that is busy for a while delays many of them. It is a thread so that work on large bodies does not delay it.

/** What the thread is started with. */
export interface ProbeInput {
  address: string;
  /** A `#` stands for the number of the request. */
  path: string;
  headers: Record<string, string>;
  /** The status that each response must have; null: any. */
  status: number | null;
  intervalMs: number;
  /** IP addresses that take turns. Default: {@link ADDRESSES}, so that the rate limits of an address are not reached. */
  addresses?: number;
}

/** Of one request, in milliseconds of {@link monotonicMs}. */
export interface Sample {
  at: number;
  latency: number;
  status: number;
}

/** A clock that all threads share. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

const CONNECTIONS = 256;
const ADDRESSES = 250;

if (parentPort !== null) run(workerData as ProbeInput, parentPort);

function run(input: ProbeInput, parent: NonNullable<typeof parentPort>): void {
  const { address, path: pattern, headers, status, intervalMs, addresses = ADDRESSES } = input;
  const { hostname, port } = new URL(address);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let samples: Sample[] = [];
  let requests = 0;
  const probe = () => {
    const at = monotonicMs();
    const number = requests++;
    const from = { Host: HOST, "CF-Connecting-IP": addressOf(number % addresses) };
    const path = pattern.replace("#", String(number));
    const sent = request({ host: hostname, port, path, agent, headers: { ...headers, ...from } }, (response) => {
      const { statusCode = 0 } = response;
      if (status !== null && statusCode !== status) throw new Error(`${path}: ${statusCode}`);
      samples.push({ at, latency: monotonicMs() - at, status: statusCode });
      response.resume();
    });
    // The server may close an idle connection just when it is used again.
    sent.on("error", () => undefined);
    sent.end();
  };
  setInterval(probe, intervalMs);
  parent.on("message", () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a thread, not a window
    parent.postMessage(samples);
    samples = [];
  });
}

/** The first 250 are of one network. */
function addressOf(number: number): string {
  return number < ADDRESSES ? `192.0.2.${number}` : `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}
