import { readdirSync, readFileSync } from "node:fs";
import type { Answer } from "../../test/e2e/support/http.ts";
import { mapCounters, type Counters } from "../instrumented/server.ts";
import type { Ask, FilledAccount } from "./account.ts";
import { isAccepted, learnCall, makeCall } from "./calls.ts";
import type { Call } from "./requests.ts";
import { memoryOf, resetPeak } from "../load/memory.ts";

/** What one call costs, with everything that it causes: deliveries of webhooks, jobs, clicks. */
export interface CallCost {
  cpuMs: number;
  /** Growth of the resident memory from before the call to its highest. */
  bytes: number;
  counters: Counters;
}

/** Calls that are measured, after those in which code is compiled. Further ones follow while the two cheapest do not agree. */
const MEASURED = { least: 2, most: 5 };
/** Costs agree if they differ by less than this share, or by less than this time. */
const AGREEMENT = { share: 0.2, ms: 2 };

/** The median of the costs, with the most memory. Returns also the last request. */
export async function measureCost(
  pid: number,
  account: FilledAccount,
  call: Call,
): Promise<{ cost: CallCost; ask: Ask }> {
  await learnCall(account, call);
  await account.server.control();
  const costs: CallCost[] = [];
  for (;;) {
    const ask = await makeCall(account, call);
    costs.push(await measureCall(pid, account, ask));
    costs.sort((a, b) => a.cpuMs - b.cpuMs);
    const [first = 0, second = Infinity] = costs.map(({ cpuMs }) => cpuMs);
    const doAgree = second - first < Math.max(AGREEMENT.ms, second * AGREEMENT.share);
    const median = costs[Math.floor(costs.length / 2)];
    if (median === undefined || costs.length < MEASURED.least) continue;
    if (!doAgree && costs.length < MEASURED.most) continue;
    return { cost: { ...median, bytes: Math.max(...costs.map(({ bytes }) => bytes)) }, ask };
  }
}

/** Sends a request, and waits for everything that it causes. */
async function measureCall(pid: number, account: FilledAccount, ask: Ask): Promise<CallCost> {
  const { server } = account;
  const { counters: before } = await server.control();
  resetPeak(pid);
  const [cpu, { now }] = [cpuMsOf(pid), memoryOf(pid)];
  const answer: Answer = await account.send(ask);
  if (!isAccepted(answer)) throw new Error(`${ask.method} ${ask.path}: ${answer.status} ${answer.text.slice(0, 500)}`);
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
