import { buildWorker } from "../../../test/e2e/support/build.ts";
import { exchange } from "../../../test/e2e/support/http.ts";
import { cpuMicroseconds, findRuntime } from "../load/process.ts";
import type { Round } from "../load/round.ts";
import type { Row } from "../row.ts";
import { bareWorker, HOST, startRuntime } from "../runtime.ts";

/**
 * Workers in one runtime, so that the start of the runtime itself matters less. The configuration of 20 takes seconds to
 * write, so a test of the command has fewer.
 */
const COPIES = Number(process.env["START_COPIES"] ?? 20);

/** The row starts its own runtimes, and finds each by being the only one of this process. */
export const withoutServer = async () => ({ stop: async () => undefined });

/** CPU time of a runtime that starts copies of a Worker, until each has sent a response. */
async function measureStart(main: object): Promise<Round> {
  const names = Array.from({ length: COPIES }, (_, n) => `copy-${n}`);
  const bindings = { BASE_URL: `http://${HOST}`, DESTINATION: "/" };
  const worker = { ...bareWorker(), ...main, bindings };
  const runtime = await startRuntime(Object.fromEntries(names.map((name) => [name, worker])));
  try {
    for (const name of names) {
      const address = await runtime.addressOf(name);
      await exchange({ address, method: "GET", path: "/robots.txt", headers: { Host: HOST } });
    }
    const cpu = cpuMicroseconds(findRuntime()) / COPIES;
    return { operations: COPIES, perSecond: 1_000_000 / cpu, cpuMicroseconds: cpu };
  } finally {
    await runtime.stop();
  }
}

export const startup: Row<unknown> = {
  name: "startup",
  title: `a Worker until its first response, per second of CPU time; ${COPIES} Workers in a new runtime`,
  unit: "starts",
  against: "bare",
  goal: 0.2,
  seconds: 1,
  async prepare() {
    const { script } = await buildWorker();
    return { row: () => measureStart({ script }), reference: () => measureStart({}) };
  },
};
