import { parseArgs } from "node:util";
import { describeRun } from "../result.ts";
import { prove, reportProof } from "./prove.ts";

// Compares a service with three databases with a model of its links: see docs/scale.md.

const { values } = parseArgs({
  options: { links: { type: "string", default: "30000" }, accounts: { type: "string", default: "12" } },
});
const started = performance.now();
const proof = await prove({ links: Number(values.links), accounts: Number(values.accounts) }, console.error);
const { date, machine } = describeRun();
const took = Math.round((performance.now() - started) / 1_000);
console.log(`${date.slice(0, 10)}, ${machine.cores} cores, ${took} s\n\n${reportProof(proof)}`);
if (proof.differences.count > 0) process.exitCode = 1;
