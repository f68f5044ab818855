import { setTimeout as sleep } from "node:timers/promises";
import type { MeteredServer, Meters } from "./server.ts";

/** What one operation costs, on the average. */
export interface Counted {
  operation: string;
  /** Requests that come to the Worker from outside. */
  requests: number;
  meters: Meters;
}

interface Way {
  requests?: number;
  /** By how much the isolate's clock goes on before each run: what is done once a second is then done each time. */
  stepMs?: number;
  /** How many operations one run is. */
  each?: number;
  /** Whether nothing of a run may meet the next one. */
  apart?: boolean;
}

const TIMES = 5;
const STEP_MS = 1_500;
/** A click waits for a quarter of a second, and its message is taken at once. */
const QUIET_MS = 450;
const POLL_MS = 50;

/** Counts operations in an isolate that nobody else asks for anything. */
export class Meter {
  readonly server: MeteredServer;

  constructor(server: MeteredServer) {
    this.server = server;
  }

  /** `run` gets a number of its own each time, and runs once more beforehand, for what only the first one takes. */
  async count(
    operation: string,
    run: (n: number) => Promise<unknown>,
    { requests = 1, stepMs = STEP_MS, each = 1, apart = false }: Way = {},
  ): Promise<Counted> {
    await run(TIMES);
    await this.#settle();
    const meters = await this.server.measure(async () => {
      for (let n = 0; n < TIMES; n++) {
        await this.server.control({ advance: stepMs });
        await run(n);
        if (apart) await this.#settle();
      }
      await this.#settle();
    });
    return { operation, requests, meters: mapMeters(meters, (value) => value / (TIMES * each)) };
  }

  /** Waits until nothing more is counted. */
  async #settle(): Promise<void> {
    let last = "";
    for (let quietSince = performance.now(); performance.now() - quietSince < QUIET_MS; await sleep(POLL_MS)) {
      const now = JSON.stringify((await this.server.control()).meters);
      if (now !== last) quietSince = performance.now();
      last = now;
    }
  }
}

/** What one operation costs beyond another. */
export function difference(operation: string, whole: Counted, part: Counted): Counted {
  const meters = mapMeters(whole.meters, (value, name) => value - part.meters[name]);
  return { operation, requests: whole.requests - part.requests, meters };
}

function mapMeters(meters: Meters, change: (value: number, name: keyof Meters) => number): Meters {
  const names = Object.keys(meters) as (keyof Meters)[];
  return Object.fromEntries(names.map((name) => [name, change(meters[name], name)])) as unknown as Meters;
}
