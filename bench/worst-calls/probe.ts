import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import { HOST } from "../runtime.ts";

// A thread that requests a path again and again, at fixed times whether or not earlier requests were answered: a
// runtime that is busy for a while delays many of them. It is a thread so that work on large bodies does not delay it.

/** What the thread is started with. */
export interface ProbeInput {
  address: string;
  path: string;
  headers: Record<string, string>;
  /** The status that each response must have. */
  status: number;
  intervalMs: number;
}

/** Of one request, in milliseconds of {@link monotonicMs}. */
export interface Sample {
  at: number;
  latency: number;
}

/** A clock that all threads share. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

const CONNECTIONS = 256;
/** Requests come from this many addresses by turns, so that the rate limits of an address are not reached. */
const ADDRESSES = 250;

if (parentPort !== null) run(workerData as ProbeInput, parentPort);

function run({ address, path, headers, status, intervalMs }: ProbeInput, parent: NonNullable<typeof parentPort>): void {
  const { hostname, port } = new URL(address);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let samples: Sample[] = [];
  let requests = 0;
  const probe = () => {
    const at = monotonicMs();
    const from = { Host: HOST, "CF-Connecting-IP": `192.0.2.${requests++ % ADDRESSES}` };
    const sent = request({ host: hostname, port, path, agent, headers: { ...from, ...headers } }, (response) => {
      if (response.statusCode !== status) throw new Error(`${path}: ${response.statusCode}`);
      samples.push({ at, latency: monotonicMs() - at });
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
