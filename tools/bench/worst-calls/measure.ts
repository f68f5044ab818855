import { readdirSync, readFileSync } from "node:fs";
import type { Answer } from "../../../test/e2e/support/http.ts";
import { mapCounters, type Counters } from "../instrumented/server.ts";
import type { Account, Ask } from "./account.ts";
import { accept, isAccepted, makeCall, refusalOf } from "./calls.ts";
import type { Call } from "./requests.ts";
import { memoryOf, resetPeak } from "../load/memory.ts";

/** What one call costs, with everything that it causes: deliveries of webhooks, jobs, clicks. */
export interface CallCost {
  cpuMs: number;
  /** Growth of the resident memory from before the call to its highest. */
  bytes: number;
  counters: Counters;
}

/** Calls that are measured, after those in which code is compiled. One is enough if it takes so long that others hardly change it. */
const MEASURED = 3;
const LONG_MS = 1_000;

/** The median of the costs, with the most memory. Returns also the last request. */
export async function measureCost(pid: number, account: Account, call: Call): Promise<{ cost: CallCost; ask: Ask }> {
  await accept(account, call, () => makeCall(account, call));
  await account.server.control();
  const costs: CallCost[] = [];
  for (;;) {
    const ask = await makeCall(account, call);
    const cost = await measureCall(pid, account, ask);
    costs.push(cost);
    if (costs.length < MEASURED && cost.cpuMs < LONG_MS) continue;
    const median = costs.toSorted((a, b) => a.cpuMs - b.cpuMs)[Math.floor(costs.length / 2)] ?? cost;
    return { cost: { ...median, bytes: Math.max(...costs.map(({ bytes }) => bytes)) }, ask };
  }
}

/** Sends a request, and waits for everything that it causes. */
async function measureCall(pid: number, account: Account, ask: Ask): Promise<CallCost> {
  const { server } = account;
  const { counters: before } = await server.control();
  resetPeak(pid);
  const [cpu, { now }] = [cpuMsOf(pid), memoryOf(pid)];
  const answer: Answer = await account.send(ask);
  if (!isAccepted(answer)) throw refusalOf(ask, answer);
  const { counters } = await server.control();
  const [cpuMs, bytes] = [cpuMsOf(pid) - cpu, memoryOf(pid).peak - now];
  return { cpuMs, bytes, counters: mapCounters(counters, (value, name) => value - before[name]) };
}

/** CPU time of all threads so far. The kernel's scheduler counts nanoseconds, /proc/pid/stat only hundredths of a second. */
function cpuMsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]));
  return times.reduce((sum, time) => sum + time, 0) / 1e6;
}
