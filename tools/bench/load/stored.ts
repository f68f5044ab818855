import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "../server.ts";
import { cpuMicroseconds } from "./process.ts";
import type { Round } from "./round.ts";

/** Often enough to see each batch of clicks, and rarely enough to cost the runtime little. */
const POLL_MS = 100;

/**
 * Measures the clicks that are stored while a load runs, from the end of the first batch to the end of the last. This includes
 * the work for each batch, but not the time that the queue waits for more messages after the load.
 */
export async function measureStored(
  { pid, countClicks }: Pick<Server, "pid" | "countClicks">,
  isOver: () => boolean,
): Promise<Round> {
  const batches: { at: number; stored: number; cpu: number }[] = [];
  let before = await countClicks();
  while (!isOver()) {
    const stored = await countClicks();
    if (stored > before && !isOver()) batches.push({ at: performance.now(), stored, cpu: cpuMicroseconds(pid) });
    before = stored;
    await sleep(POLL_MS);
  }
  const [first, last] = [batches[0], batches.at(-1)];
  if (first === undefined || last === undefined || first === last)
    throw new Error("fewer than two batches of clicks were stored: use more seconds");
  const operations = last.stored - first.stored;
  return {
    operations,
    perSecond: (operations / (last.at - first.at)) * 1_000,
    cpuMicroseconds: (last.cpu - first.cpu) / operations,
  };
}
