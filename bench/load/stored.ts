import { setTimeout as sleep } from "node:timers/promises";
import { cpuMicroseconds } from "./process.ts";
import type { Server } from "../server.ts";
import type { Round } from "./round.ts";

/** A moment at which something was stored. */
interface Moment {
  /** Milliseconds. */
  at: number;
  stored: number;
  cpu: number;
}

/** Often enough to see when each lot was stored, and seldom enough to cost the runtime little. */
const POLL_MS = 100;

/**
 * What the service stores of clicks while a load goes on, from the end of the first lot that it stores to the end of the last: so
 * the work for a lot counts, the time in which a queue waits for more once the load is over does not.
 */
export async function measureStored(
  { pid, countClicks }: Pick<Server, "pid" | "countClicks">,
  isOver: () => boolean,
): Promise<Round> {
  const moments: Moment[] = [];
  let before = await countClicks();
  while (!isOver()) {
    const stored = await countClicks();
    if (stored > before && !isOver()) moments.push({ at: performance.now(), stored, cpu: cpuMicroseconds(pid) });
    before = stored;
    await sleep(POLL_MS);
  }
  const [first, last] = [moments[0], moments.at(-1)];
  if (first === undefined || last === undefined || first === last)
    throw new Error("less than two lots were stored in the whole round: give it more seconds");
  const operations = last.stored - first.stored;
  return {
    operations,
    perSecond: (operations / (last.at - first.at)) * 1_000,
    cpuMicroseconds: (last.cpu - first.cpu) / operations,
  };
}
