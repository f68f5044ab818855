import { cpuMicroseconds } from "./process.ts";

/** The result of a period of load. */
export interface Round {
  /** Requests, or what else the row counts. */
  operations: number;
  perSecond: number;
  /** User and system time of the runtime per operation. */
  cpuMicroseconds: number;
  /** Set where latency is compared instead of the rate. */
  latencyMilliseconds?: number;
  /** Set where memory is measured: growth of the runtime's resident memory to its highest, from before the job. */
  grownBytes?: number;
}

/** Measures `run`, which returns the number of operations, and their time if that is not all of the time of `run`. */
export async function measureRound(
  pid: number,
  run: () => Promise<{ operations: number; milliseconds?: number }>,
): Promise<Round> {
  const cpu = cpuMicroseconds(pid);
  const started = performance.now();
  const { operations, milliseconds = performance.now() - started } = await run();
  if (operations === 0) throw new Error("no operation was completed: use more seconds");
  return {
    operations,
    perSecond: (operations / milliseconds) * 1_000,
    cpuMicroseconds: (cpuMicroseconds(pid) - cpu) / operations,
  };
}
