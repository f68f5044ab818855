import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { RATE_LIMIT_WINDOW_MS } from "../../src/limits.ts";
import { RATE_LIMITS } from "../../src/app.ts";
import { mapCounters, UNCOUNTED, type Counters } from "../instrumented/server.ts";
import { cpuMicroseconds } from "../load/process.ts";
import { HOT_PATH, type Ask, type FilledAccount } from "./account.ts";
import type { WorstCall } from "./calls/call.ts";
import type { Operation } from "./calls/index.ts";
import { latenciesIn, p99Of, shareOf, type Span } from "./latency.ts";
import { memoryOf, resetPeak } from "./memory.ts";
import { monotonicMs, type ProbeInput, type Sample } from "./probe.ts";

/** What one call costs, with everything that it causes: deliveries of webhooks, jobs, clicks. */
export interface CallCost {
  cpuMs: number;
  /** Growth of the resident memory from before a call to its highest, of the call with the largest. */
  bytes: number;
  counters: Counters;
}

/** The p99 of redirects in one round, as a ratio to that without the calls. */
export interface Delay {
  idleP99Ms: number;
  /** One address makes the calls that its limit allows, one after the other. */
  one: number;
  /** Ten addresses do so, one call after the other. */
  ten: number;
  /** Ten addresses do so, always all at the same time; null for a call that is too long for that. */
  tenAtOnce: number | null;
}

const ADDRESSES = 10;
/** Calls whose cost is measured, after one in which code is compiled. */
const COUNTED = { each: 15, scarce: 2 };
/** Calls of one address in one round. */
const TIMED = { each: 4, scarce: 1 };
const IDLE_MS = 1_500;
/** Calls that take longer alone are not made by ten addresses at once: redirects wait for minutes then. */
const MAX_BURST_CALL_MS = 2_000;
/** For work that a preparation or a call leaves behind. */
const PAUSE_MS = 50;

/** Sends a call and waits for everything that it causes. Any answer but a success is an error. */
async function sendOne({ server, send }: FilledAccount, ask: Ask): Promise<Span> {
  let from = monotonicMs();
  let answer = await send(ask);
  if (answer.status === 429) {
    await server.control({ advance: RATE_LIMIT_WINDOW_MS });
    from = monotonicMs();
    answer = await send(ask);
  }
  if (answer.status >= 300) throw new Error(`${ask.method} ${ask.path}: ${answer.status} ${answer.text.slice(0, 500)}`);
  await server.control();
  return { from, to: monotonicMs() };
}

/** Sends calls at the same time. Limits may refuse some, and calls that compete for the same thing may fail. */
async function sendAll({ server, send }: FilledAccount, asks: Ask[]): Promise<Span> {
  const from = monotonicMs();
  const answers = await Promise.all(asks.map(send));
  const failed = answers.find(({ status }) => status >= 500);
  if (failed !== undefined) throw new Error(`${asks[0]?.method} ${asks[0]?.path}: ${failed.status} ${failed.text}`);
  await server.control();
  return { from, to: monotonicMs() };
}

/** Numbers of calls, so that no two prepare the same. */
const numbers = new Map<WorstCall, number>();

function prepare(account: FilledAccount, call: WorstCall): Promise<Ask> | Ask {
  const n = numbers.get(call) ?? 0;
  numbers.set(call, n + 1);
  return call.prepare(account, n);
}

/** Of calls that are scarce, the cost is that of the one that needs the most CPU time; of others, the mean. */
export async function measureCost(pid: number, account: FilledAccount, call: WorstCall): Promise<CallCost> {
  if (call.isScarce !== true) {
    await measureCalls(pid, account, [await prepare(account, call)]);
    const asks: Ask[] = [];
    for (let n = 0; n < COUNTED.each; n++) asks.push(await prepare(account, call));
    return measureCalls(pid, account, asks);
  }
  const costs: CallCost[] = [];
  for (let n = 0; n < COUNTED.scarce; n++) costs.push(await measureCalls(pid, account, [await prepare(account, call)]));
  return costs.reduce((worst, cost) => (cost.cpuMs > worst.cpuMs ? cost : worst));
}

/** Measures calls one after the other. Linux counts CPU time in hundredths of a second, so one call is too short. */
async function measureCalls(pid: number, account: FilledAccount, asks: Ask[]): Promise<CallCost> {
  const { server } = account;
  const { counters: before } = await server.control();
  const cpu = cpuMicroseconds(pid);
  let bytes = 0;
  for (const ask of asks) {
    resetPeak(pid);
    const { now } = memoryOf(pid);
    await sendOne(account, ask);
    bytes = Math.max(bytes, memoryOf(pid).peak - now);
  }
  const cpuMs = (cpuMicroseconds(pid) - cpu) / asks.length / 1_000;
  const { counters } = await server.control();
  return { cpuMs, bytes, counters: mapCounters(counters, (value, name) => (value - before[name]) / asks.length) };
}

export type Probe = Awaited<ReturnType<typeof startProbe>>;

/** What is requested, without the address of the server. */
export type ProbedRequests = Omit<ProbeInput, "address">;

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

async function sendBurst(account: FilledAccount, call: WorstCall): Promise<Span> {
  const asks: Ask[] = [];
  for (let n = 0; n < ADDRESSES; n++) asks.push(await prepare(account, call));
  await sleep(PAUSE_MS);
  return sendAll(account, asks);
}

/** Measures one round: redirects without calls, beside calls one after the other, and beside calls from ten addresses at once. */
export async function measureDelay(
  probe: Probe,
  account: FilledAccount,
  operation: Operation,
  call: WorstCall,
): Promise<Delay> {
  await probe.take();
  const idle = { from: monotonicMs(), to: monotonicMs() + IDLE_MS };
  await sleep(IDLE_MS);
  const singles: Span[] = [];
  for (let n = 0; n < (call.isScarce === true ? TIMED.scarce : TIMED.each); n++) {
    const ask = await prepare(account, call);
    await sleep(PAUSE_MS);
    singles.push(await sendOne(account, ask));
  }
  const longest = Math.max(...singles.map(({ from, to }) => to - from));
  const bursts = longest > MAX_BURST_CALL_MS ? [] : [await sendBurst(account, call)];
  // Redirects that are still to be answered.
  await sleep(PAUSE_MS);
  const samples = await probe.take();
  const quiet = latenciesIn(samples, [idle]);
  const idleP99Ms = p99Of(quiet);
  const perMinute = RATE_LIMITS[operation];
  const ratio = (spans: Span[], periodsPerMinute: number) =>
    p99Of(quiet, latenciesIn(samples, spans), shareOf(spans, periodsPerMinute)) / idleP99Ms;
  return {
    idleP99Ms,
    one: ratio(singles, perMinute),
    ten: ratio(singles, ADDRESSES * perMinute),
    tenAtOnce: bursts.length === 0 ? null : ratio(bursts, perMinute),
  };
}
