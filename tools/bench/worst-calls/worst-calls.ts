import { parseArgs } from "node:util";
import { startInstrumented } from "../instrumented/server.ts";
import { findRuntime } from "../load/process.ts";
import { describeRun } from "../result.ts";
import { createFilled } from "./account.ts";
import { fillAccount } from "./fill.ts";
import { CALLS } from "./requests.ts";
import { measureCost } from "./measure.ts";
import { describeCall, overBudget, reportCalls, writeFigures, type MeasuredCall } from "./report.ts";

// The largest calls that the holder of a key or of a session can make by the contracts, and what each costs.

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    links: { type: "string", default: "10000" },
    clicks: { type: "string", default: "200000" },
    write: { type: "boolean", default: false },
  },
});
const wanted = values.only?.split(",") ?? [""];
const chosen = CALLS.filter(({ operation }) => wanted.some((part) => operation.includes(part)));
if (chosen.length === 0) throw new Error(`No operation contains "${values.only}".`);
if (values.write && values.only !== undefined) throw new Error("--write needs all operations: leave out --only.");

const started = performance.now();
const tell = (text: string) => console.error(`${Math.round((performance.now() - started) / 1_000)} s: ${text}`);

const server = await startInstrumented("tools/bench/workers/receiver.js", { bindings: { SCREENING: "on" } });
const calls: MeasuredCall[] = [];
const refused: string[] = [];
try {
  const size = { links: Number(values.links), clicks: Number(values.clicks) };
  const account = await createFilled(server, size);
  await fillAccount(account);
  const pid = findRuntime();
  tell(`the account has ${size.links} links and ${size.clicks} clicks`);
  for (const call of chosen) {
    try {
      const { cost, ask } = await measureCost(pid, account, call);
      const what = describeCall(ask);
      calls.push({ operation: call.operation, what, cost });
      tell(`${call.operation}: ${cost.cpuMs.toFixed(1)} ms, ${(cost.bytes / 1_024 ** 2).toFixed(0)} MiB (${what})`);
    } catch (error) {
      refused.push(call.operation);
      tell(`${call.operation}: refused: ${String(error)}`);
    }
  }
} finally {
  await server.stop();
}

const { date, versions, machine } = describeRun();
const size = `${Number(values.links).toLocaleString("en")} links and ${Number(values.clicks).toLocaleString("en")} clicks`;
const figures = `Measured on ${date.slice(0, 10)} at commit ${versions.commit} with ${machine.cores} cores, ${size}.

${reportCalls(calls)}`;
console.log(`\n${figures}`);
if (values.write && refused.length === 0) writeFigures(figures);
const over = overBudget(calls);
console.log(over.length === 0 ? "\nAll bulk calls are within their budget." : `\nOver budget: ${over.join("; ")}`);
if (refused.length > 0) console.log(`\nRefused: ${refused.join("; ")}`);
if (over.length + refused.length > 0) process.exitCode = 1;
