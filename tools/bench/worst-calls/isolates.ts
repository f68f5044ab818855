import { setTimeout as sleep } from "node:timers/promises";
import { buildWorker } from "../../../test/e2e/support/build.ts";
import { exchange } from "../../../test/e2e/support/http.ts";
import { ON_REQUEST, serveModules } from "../../../test/e2e/support/served-modules.ts";
import type { InstrumentedServer } from "../instrumented/server.ts";
import { applySchema, HOST, serviceWorker, startRuntime } from "../runtime.ts";
import { Profiler, type Profile } from "./profiler.ts";

// The service in three isolates, as in production: of requests, of Durable Objects, and of queue consumers.

export const ISOLATES = ["requests", "objects", "consumers"] as const;
type Isolate = (typeof ISOLATES)[number];
export type Profiles = Record<Isolate, Profile>;

type Server = Pick<InstrumentedServer, "send" | "control" | "db" | "stop">;
type Command = Parameters<InstrumentedServer["control"]>[0];

const POLL_MS = 20;
const MAX_POLLS = 2_000;
const ENTRY = {
  type: "ESModule",
  path: "/entry.js",
  contents: 'export * from "./worker.js"; export { default } from "./worker.js";',
};

export async function startIsolates() {
  // Not minified, so that a profile has the names of functions.
  const { script } = await buildWorker("tools/bench/instrumented/worker.js", false);
  const main = { ...ON_REQUEST, modules: [ENTRY], d1Databases: { DB: "tern" } };
  const bindings = { NOT_RECORDED: "requests", SCREENING: "on" };
  const workerOf = (name: string) => serviceWorker(name, "objects", main, { quickQueues: true, bindings });
  const { queueConsumers, ...ofObjects } = workerOf("objects");
  const workers = {
    requests: workerOf("requests"),
    objects: { ...ofObjects, queueConsumers: {} },
    consumers: { ...workerOf("consumers"), queueConsumers },
  };
  const options = { ...serveModules({ "/worker.js": script }), inspectorPort: 0 };
  const runtime = await startRuntime(workers, "tools/bench/workers/receiver.js", options);
  const db = await runtime.databaseOf("objects");
  await applySchema(db);
  const inspector = await runtime.inspector();
  const connect = (name: Isolate) => Profiler.connect(inspector, `core:user:${name}`);
  const [requests, objects, consumers] = [
    await connect("requests"),
    await connect("objects"),
    await connect("consumers"),
  ];
  const profilers = [requests, objects, consumers];
  const address = await runtime.addressOf("requests");
  const send: Server["send"] = (method, path, headers, body) =>
    exchange({ address, method, path, headers: { Host: HOST, "Content-Type": "application/json", ...headers }, body });
  const tell = async (isolate: Isolate, command: Command) => {
    const headers = { Host: "bench.control", "Content-Type": "application/json" };
    const body = JSON.stringify({ ...command, busy: true });
    const at = await runtime.addressOf(isolate);
    const answer = await exchange({ address: at, method: "POST", path: "/", headers, body });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json() as Awaited<ReturnType<Server["control"]>> & { unfinished: Unfinished };
  };
  /** All isolates have the same time. The one of consumers obeys all other commands. */
  const control: Server["control"] = async (command) => {
    const { now, advance, ...others } = command ?? {};
    const clock = { ...(now !== undefined && { now }), ...(advance !== undefined && { advance }) };
    await tell("requests", clock);
    await tell("objects", clock);
    const done = await tell("consumers", { ...clock, ...others });
    for (let tries = 0; tries < MAX_POLLS; tries++) {
      const states = await Promise.all(ISOLATES.map((name) => tell(name, {})));
      const sumOf = (kind: keyof Unfinished) => states.reduce((sum, { unfinished }) => sum + unfinished[kind], 0);
      if (sumOf("tasks") === 0 && sumOf("messages") <= 0) return done;
      await sleep(POLL_MS);
    }
    throw new Error("what the call left to do does not end");
  };
  /** Profiles all isolates during a run, and until what it left to do has ended. */
  const profile = async (run: () => Promise<unknown>): Promise<Profiles> => {
    await control();
    await Promise.all(profilers.map((profiler) => profiler.start()));
    await run();
    await control();
    return {
      requests: await requests.stop(),
      objects: await objects.stop(),
      consumers: await consumers.stop(),
    };
  };
  const server: Server = { db, send, control, stop: () => runtime.stop() };
  return { server: server as InstrumentedServer, profile };
}

interface Unfinished {
  tasks: number;
  messages: number;
}
