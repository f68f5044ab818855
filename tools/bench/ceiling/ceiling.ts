import { parseArgs } from "node:util";
import { insertAccount } from "../../../test/support/accounts.ts";
import { buildWorker } from "../../../test/e2e/support/build.ts";
import { exchange } from "../../../test/e2e/support/http.ts";
import { findRuntime } from "../load/process.ts";
import { measureRound } from "../load/round.ts";
import { table } from "../report.ts";
import { describeRun } from "../result.ts";
import { applySchema, HOST, serviceWorker, startRuntime } from "../runtime.ts";
import { ACCOUNT } from "./traffic.ts";
import { percentileOf, spreadOf } from "../statistics.ts";
import type { Command, Stored } from "./worker.ts";

// How many clicks a second one ClickLog stores: see docs/scale.md.

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "3" }, clicks: { type: "string", default: "60000" } },
});

const NAME = "ceiling";
/** Calls that wait for the ClickLog at the same time. */
const CONCURRENCY = 32;
/** With few clicks in each call fewer clicks are sent, so that no round takes much longer than another. */
const MOST_BATCHES = 3_000;
const CASES = [
  { clicksPerBatch: 1, callsPerQuestion: null },
  { clicksPerBatch: 12, callsPerQuestion: null },
  { clicksPerBatch: 100, callsPerQuestion: null },
  { clicksPerBatch: 250, callsPerQuestion: null },
  { clicksPerBatch: 100, callsPerQuestion: 100 },
];

const { script } = await buildWorker("tools/bench/ceiling/worker.ts");
const runtime = await startRuntime({ [NAME]: serviceWorker(NAME, NAME, { modules: true, script }) });
const rows: string[][] = [];
try {
  const db = await runtime.databaseOf(NAME);
  await applySchema(db);
  await insertAccount(db, ACCOUNT);
  const address = await runtime.addressOf(NAME);
  const pid = findRuntime();
  const send = async (command: Command) => {
    const headers = { Host: HOST };
    const answer = await exchange({ address, method: "POST", path: "/", headers, body: JSON.stringify(command) });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json() as Stored;
  };
  for (const { clicksPerBatch, callsPerQuestion } of CASES) {
    const rates: number[] = [];
    const cpus: number[] = [];
    const questions: number[] = [];
    const batches = Math.min(MOST_BATCHES, Math.round(Number(values.clicks) / clicksPerBatch));
    for (let round = 0; round <= Number(values.rounds); round++) {
      await send({ prepare: { batches, clicksPerBatch } });
      const log = `ceiling:${clicksPerBatch}:${callsPerQuestion}:${round}`;
      const measured = await measureRound(pid, async () => {
        const stored = await send({ store: { log, concurrency: CONCURRENCY, callsPerQuestion } });
        if (round > 0) questions.push(...stored.questions);
        return { operations: stored.clicks };
      });
      // In the first round, code is compiled.
      if (round === 0) continue;
      rates.push(measured.perSecond);
      cpus.push(measured.cpuMicroseconds);
    }
    const rate = spreadOf(rates);
    const whole = (n: number) => Math.round(n).toLocaleString("en");
    rows.push([
      String(clicksPerBatch),
      callsPerQuestion === null ? "none" : `${questions.length}, p50 ${percentileOf(questions, 0.5)} ms`,
      `${whole(rate.median)} (${whole(rate.low)} to ${whole(rate.high)})`,
      whole(rate.median / clicksPerBatch),
      `${spreadOf(cpus).median.toFixed(0)} µs`,
    ]);
  }
} finally {
  await runtime.stop();
}
const { date, machine } = describeRun();
console.log(`${date.slice(0, 10)}, ${machine.cores} cores, ${values.rounds} rounds\n`);
console.log(table(["clicks a call", "questions beside", "clicks a second", "calls a second", "CPU a click"], rows));
