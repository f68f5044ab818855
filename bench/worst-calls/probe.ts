import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import { UNCOUNTED } from "../instrumented/server.ts";
import { HOST } from "../runtime.ts";

// A thread that requests a redirect again and again, at fixed times whether or not earlier ones were answered: a
// runtime that is busy for a while delays many of them. It is a thread so that work on large bodies does not delay it.

/** What the thread is started with. */
export interface ProbeInput {
  address: string;
  path: string;
}

/** Of one redirect, in milliseconds of {@link monotonicMs}. */
export interface Sample {
  at: number;
  latency: number;
}

/** A clock that all threads share. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

const INTERVAL_MS = 4;
const CONNECTIONS = 256;

if (parentPort !== null) run(workerData as ProbeInput, parentPort);

function run({ address, path }: ProbeInput, parent: NonNullable<typeof parentPort>): void {
  const { hostname, port } = new URL(address);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let samples: Sample[] = [];
  const probe = () => {
    const at = monotonicMs();
    const sent = request({ host: hostname, port, path, agent, headers: { Host: HOST, ...UNCOUNTED } }, (response) => {
      if (response.statusCode !== 302) throw new Error(`${path}: ${response.statusCode}`);
      samples.push({ at, latency: monotonicMs() - at });
      response.resume();
    });
    // The server may close an idle connection just when it is used again.
    sent.on("error", () => undefined);
    sent.end();
  };
  setInterval(probe, INTERVAL_MS);
  parent.on("message", () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a thread, not a window
    parent.postMessage(samples);
    samples = [];
  });
}
