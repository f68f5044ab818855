import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { exchange } from "../../test/e2e/support/http.ts";
import { buildWorker } from "../../test/e2e/support/build.ts";
import { RATE_LIMIT_WINDOW_MS } from "../../src/limits.ts";
import { startInstrumented } from "../instrumented/server.ts";
import { findRuntime } from "../load/process.ts";
import { table } from "../report.ts";
import { describeRun } from "../result.ts";
import { BEHIND, measureStart } from "../rows/startup.ts";
import { HOST } from "../runtime.ts";
import { spreadOf } from "../statistics.ts";
import { fillAccount, type Ask } from "../worst-calls/account.ts";
import { WORST_CALLS, type Operation } from "../worst-calls/calls/index.ts";
import { latenciesIn, p99Of, type Span } from "../worst-calls/latency.ts";
import { monotonicMs, type Sample } from "../worst-calls/probe.ts";
import { burn, pin } from "./cores.ts";
import { buildFront, startFront } from "./front.ts";

// Redirects of a split installation while the worst calls run, beside a control in which the other core is only busy, and
// beside redirects of the full Worker, as of an installation with one. Then the start of both Workers.

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "10" },
    starts: { type: "string", default: "5" },
    links: { type: "string", default: "5000" },
    clicks: { type: "string", default: "50000" },
    only: {
      type: "string",
      default: "POST /api/links/bulk,GET /api/clicks,GET /api/clicks/records,GET /api/links,PATCH /api/tags/:tag",
    },
  },
});

/** The cores of the front with the requests for redirects, and of everything else. */
const [FRONT_CORE, FULL_CORE] = [0, 1];
/** For redirects that are still to be answered. */
const PAUSE_MS = 200;
const WEBHOOKS = 3;

const started = performance.now();
const tell = (text: string) => console.error(`${Math.round((performance.now() - started) / 1_000)} s: ${text}`);
const calls = values.only.split(",").flatMap((operation) => {
  const known = WORST_CALLS[operation as Operation] as (typeof WORST_CALLS)[Operation] | undefined;
  if (known === undefined) throw new Error(`There is no operation "${operation}".`);
  return known.filter(({ isScarce }) => isScarce !== true);
});

const server = await startInstrumented("bench/workers/receiver.js", { bindings: { SPLIT: "on" } });
const full = findRuntime();
const front = await startFront(server.address);
const frontPid = findRuntime([full]);
const prober = fork(join(import.meta.dirname, "prober.ts"), [front.address.href, server.address.href]);
const ratios: { split: number; one: number; controlMs: number }[] = [];
try {
  await once(prober, "message");
  const size = { links: Number(values.links), clicks: Number(values.clicks), webhooks: WEBHOOKS };
  const account = await fillAccount(server, size);
  tell(`the account has ${size.links} links and ${size.clicks} clicks`);
  for (const [pid, core] of [
    [frontPid, FRONT_CORE],
    [prober.pid, FRONT_CORE],
    [full, FULL_CORE],
    [process.pid, FULL_CORE],
  ] as const)
    pin(pid, core);
  /** Sends a call through the front; returns when it ran. */
  const send = async ({ method, path, body, headers, key = account.key }: Ask): Promise<Span> => {
    const from = monotonicMs();
    const all = { Host: HOST, "Content-Type": "application/json", ...headers };
    const authorization = key === null ? {} : { Authorization: `Bearer ${key}` };
    const { status, text } = await exchange({
      address: front.address,
      method,
      path,
      headers: { ...all, ...authorization },
      body,
    });
    if (status === 429) await server.control({ advance: RATE_LIMIT_WINDOW_MS });
    else if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
    return { from, to: monotonicMs() };
  };
  let number = 0;
  for (let round = 1; round <= Number(values.rounds); round++) {
    const spans: Span[] = [];
    await takeSamples(prober);
    const end = monotonicMs() + Number(values.seconds) * 1_000;
    do
      for (const call of calls) {
        const ask = await call.prepare(account, number++);
        spans.push(await send(ask));
        await server.control();
      }
    while (monotonicMs() < end);
    await sleep(PAUSE_MS);
    const [besideCalls = [], ofOne = []] = await takeSamples(prober);
    const burner = await burn(FULL_CORE);
    await sleep(PAUSE_MS);
    const control = { from: monotonicMs(), to: monotonicMs() + Number(values.seconds) * 1_000 };
    await sleep(control.to - control.from);
    burner.kill();
    await sleep(PAUSE_MS);
    const [besideBurner = []] = await takeSamples(prober);
    const controlMs = p99Of(latenciesIn(besideBurner, [control]));
    const ratio = (samples: Sample[]) => p99Of(latenciesIn(samples, spans)) / controlMs;
    const each = { split: ratio(besideCalls), one: ratio(ofOne), controlMs };
    ratios.push(each);
    tell(`round ${round}: × ${each.split.toFixed(2)}, one Worker × ${each.one.toFixed(1)}, ${controlMs.toFixed(1)} ms`);
  }
} finally {
  prober.kill();
  await front.stop();
  await server.stop();
}

const starts: { front: number; full: number }[] = [];
const [frontScript, { script: fullScript }] = [await buildFront(), await buildWorker()];
for (let turn = 0; turn < Number(values.starts); turn++) {
  const behind = { serviceBindings: { FULL_WORKER: BEHIND } };
  const { cpuMicroseconds: ofFront } = await measureStart({ script: frontScript, ...behind });
  const { cpuMicroseconds: ofFull } = await measureStart({ script: fullScript });
  starts.push({ front: ofFront / 1_000, full: ofFull / 1_000 });
}

const show = (all: number[], digits: number) => {
  const { median, low, high } = spreadOf(all);
  return [median, low, high].map((value) => value.toFixed(digits)) as [string, string, string];
};
const row = (name: string, all: number[], digits = 2) => [name, ...show(all, digits)];
const { date, machine } = describeRun();
console.log(`${date.slice(0, 10)}, ${machine.cores} cores, ${values.rounds} rounds of ${values.seconds} s\n`);
console.log(
  table(
    ["", "median", "lowest", "highest"],
    [
      row(
        "p99 of the redirect Worker beside the calls, of the control",
        ratios.map(({ split }) => split),
      ),
      row(
        "the same with one Worker, of the control",
        ratios.map(({ one }) => one),
      ),
      row(
        "p99 of the control, ms",
        ratios.map(({ controlMs }) => controlMs),
        1,
      ),
      row(
        "CPU of a start of the redirect Worker, ms",
        starts.map((start) => start.front),
        1,
      ),
      row(
        "CPU of a start of the full Worker, ms",
        starts.map((start) => start.full),
        1,
      ),
      row(
        "start of the redirect Worker, of the full one",
        starts.map((start) => start.front / start.full),
      ),
    ],
  ),
);

async function takeSamples(child: ChildProcess): Promise<Sample[][]> {
  child.send("take");
  const [samples] = (await once(child, "message")) as [Sample[][]];
  return samples;
}
