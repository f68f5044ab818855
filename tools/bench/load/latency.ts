import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { UNCOUNTED } from "../instrumented/server.ts";
import type { ProbeInput, Sample } from "./probe.ts";

// The latency of redirects, or of something else, while other things happen.

export type Probe = Awaited<ReturnType<typeof startProbe>>;

/** What is requested, without the address of the server. */
export type ProbedRequests = Omit<ProbeInput, "address">;

/** A link that is redirected while calls are measured. */
export const HOT_PATH = "/l1";

const REDIRECTS: ProbedRequests = { path: HOT_PATH, headers: UNCOUNTED, status: 302, intervalMs: 4 };

/** Starts to request a redirect, or something else. */
export async function startProbe(address: URL, requests = REDIRECTS) {
  const input: ProbeInput = { address: address.href, ...requests };
  const thread = new Worker(join(import.meta.dirname, "probe.ts"), { workerData: input });
  const take = async () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a thread, not a window
    thread.postMessage("take");
    const [samples] = (await once(thread, "message")) as [Sample[]];
    return samples;
  };
  return { take, stop: () => thread.terminate() };
}

/** A period in milliseconds of the monotonic clock. */
export interface Span {
  from: number;
  to: number;
}

export const latenciesIn = (samples: readonly Sample[], spans: readonly Span[]): number[] =>
  samples.filter(({ at }) => spans.some(({ from, to }) => at >= from && at < to)).map(({ latency }) => latency);

/** The 99th percentile. */
export const p99Of = (latencies: readonly number[]): number =>
  latencies.toSorted((a, b) => b - a)[Math.floor(latencies.length / 100)] ?? Number.NaN;
