import { parseArgs } from "node:util";
import { startInstrumented } from "../instrumented/server.ts";
import { findRuntime } from "../load/process.ts";
import { describeRun } from "../result.ts";
import { spreadOf } from "../statistics.ts";
import { fillAccount, MOST_WEBHOOKS } from "./account.ts";
import { WORST_CALLS, type Operation } from "./calls/index.ts";
import { measureCost, measureDelay, startProbe } from "./measure.ts";
import { overBudget, reportCalls, writeFigures, type MeasuredCall } from "./report.ts";

// The worst calls that the holder of a key or of a session can make: what each costs, and how much it delays redirects in the same runtime.

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    rounds: { type: "string", default: "3" },
    links: { type: "string", default: "10000" },
    clicks: { type: "string", default: "200000" },
    write: { type: "boolean", default: false },
  },
});
const wanted = values.only?.split(",") ?? [];
const isWanted = (operation: string) => wanted.length === 0 || wanted.some((part) => operation.includes(part));
const chosen = (Object.keys(WORST_CALLS) as Operation[])
  .filter(isWanted)
  .flatMap((operation) => WORST_CALLS[operation].map((call) => ({ operation, call })));
if (chosen.length === 0) throw new Error(`No operation contains "${values.only}".`);
if (values.write && wanted.length > 0) throw new Error("--write needs all operations: leave out --only.");

/** A call gets no further round once its rounds have taken this long, ms. */
const ROUNDS_MS = 15_000;

const started = performance.now();
const tell = (text: string) => console.error(`${Math.round((performance.now() - started) / 1_000)} s: ${text}`);

const server = await startInstrumented("bench/workers/receiver.js", { bindings: { SCREENING: "on" } });
const calls: MeasuredCall[] = [];
try {
  const size = { links: Number(values.links), clicks: Number(values.clicks), webhooks: MOST_WEBHOOKS };
  const account = await fillAccount(server, size);
  const pid = findRuntime();
  tell(`the account has ${size.links} links and ${size.clicks} clicks`);
  for (const { operation, call } of chosen) {
    const cost = await measureCost(pid, account, call);
    calls.push({ operation, what: call.what, cost, delays: [] });
    tell(`${operation}: ${cost.cpuMs.toFixed(1)} ms, ${(cost.bytes / 1_024 ** 2).toFixed(0)} MiB (${call.what})`);
  }
  const probe = await startProbe(server.address);
  const spent = chosen.map(() => 0);
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const [index, { operation, call }] of chosen.entries()) {
      if ((spent[index] ?? 0) >= ROUNDS_MS) continue;
      const from = performance.now();
      const delay = await measureDelay(probe, account, operation, call);
      spent[index] = (spent[index] ?? 0) + performance.now() - from;
      calls[index]?.delays.push(delay);
      tell(
        `round ${round}, ${operation}: × ${delay.one.toFixed(1)}, × ${delay.ten.toFixed(1)}, × ${delay.tenAtOnce?.toFixed(1) ?? "–"} (${call.what})`,
      );
    }
  }
  await probe.stop();
} finally {
  await server.stop();
}

const { date, versions, machine } = describeRun();
const idle = calls.flatMap(({ delays }) => delays.map(({ idleP99Ms }) => idleP99Ms));
const rounds =
  idle.length === 0
    ? "The ratios of redirects are missing: no round was measured."
    : `${values.rounds} round${values.rounds === "1" ? "" : "s"}, one of slow calls. The p99 of redirects without calls was ${spreadOf(idle).median.toFixed(1)} ms.`;
const size = `${Number(values.links).toLocaleString("en")} links and ${Number(values.clicks).toLocaleString("en")} clicks`;
const figures = `Measured on ${date.slice(0, 10)} at commit ${versions.commit} with ${machine.cores} cores, ${size}.
${rounds}

${reportCalls(calls)}`;
console.log(`\n${figures}`);
if (values.write) writeFigures(figures);
const over = overBudget(calls);
console.log(over.length === 0 ? "\nAll bulk calls are within their budget." : `\nOver budget: ${over.join("; ")}`);
if (over.length > 0) process.exitCode = 1;
