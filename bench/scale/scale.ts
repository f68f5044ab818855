import { parseArgs } from "node:util";
import { describeRun } from "../result.ts";
import { reportRun } from "./report.ts";
import { simulate, type Load } from "./simulate.ts";

// Simulates the clicks of one large account: see docs/scale.md.

const { values } = parseArgs({
  options: {
    clicks: { type: "string", default: "10000" },
    isolates: { type: "string", default: "200" },
    seconds: { type: "string", default: "66,60" },
  },
});
const [before = 0, around = 0] = values.seconds.split(",").map(Number);
const load: Load = { perSecond: Number(values.clicks), isolates: Number(values.isolates), seconds: [before, around] };
const started = performance.now();
const result = await simulate(load);
const { date, machine } = describeRun();
const took = Math.round((performance.now() - started) / 1_000);
console.log(`${date.slice(0, 10)}, ${machine.cores} cores, ${took} s\n\n${reportRun(load, result)}`);
if (result.missing !== 0 || result.wrong.length > 0) process.exitCode = 1;
