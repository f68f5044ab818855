import type { ServiceContext } from "../context.ts";
import { probe } from "./probe.ts";
import { storeReport } from "./store.ts";

/** Checks all parts, logs those that fail, and keeps the report for `npm run health`. Returns the number of failed checks. */
export async function reportHealth({ env, now }: ServiceContext): Promise<number> {
  const report = await probe(env);
  await storeReport(env.DB, report, now);
  return report.problems.length;
}
