import { cpuMicroseconds } from "./process.ts";

/** What a while of load came to. */
export interface Round {
  /** Requests, or whatever else is counted. */
  operations: number;
  perSecond: number;
  /** User and system time of the runtime for each. */
  cpuMicroseconds: number;
}

/** Measures `run`, which answers how many operations were done, and in how long if that is not all of its time. */
export async function measureRound(
  pid: number,
  run: () => Promise<{ operations: number; milliseconds?: number }>,
): Promise<Round> {
  const cpu = cpuMicroseconds(pid);
  const started = performance.now();
  const { operations, milliseconds = performance.now() - started } = await run();
  if (operations === 0) throw new Error("nothing was done in the whole round: give it more seconds");
  return {
    operations,
    perSecond: (operations / milliseconds) * 1_000,
    cpuMicroseconds: (cpuMicroseconds(pid) - cpu) / operations,
  };
}
