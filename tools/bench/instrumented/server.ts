import type { Link } from "../../../src/links/contract.ts";
import { buildWorker } from "../../../test/e2e/support/build.ts";
import { ON_REQUEST, serveModules } from "../../../test/e2e/support/served-modules.ts";
import { exchange, type Answer } from "../../../test/e2e/support/http.ts";
import {
  applySchema,
  bareWorker,
  DESTINATION,
  HOST,
  INTERNET,
  serviceWorker,
  startRuntime,
  type ServiceOptions,
} from "../runtime.ts";

/** Counters of what Cloudflare bills. `log` is a ClickLog, `limiter` a RateLimiter. Alarms are requests too. */
export type Counters = Record<
  | "databaseRoundTrips"
  | `${"database" | "log" | "limiter"}Rows${"Read" | "Written"}`
  | `${"log" | "limiter"}${"Requests" | "ActiveMs"}`
  | "queueOperations"
  | "consumerRequests",
  number
>;

/** See worker.js. */
type Command = Partial<{
  now: number;
  advance: number;
  pass: number;
  stopAt: number;
  take: Record<string, unknown>;
  night: string;
  hold: true;
  deliver: true;
  cron: true;
  record: boolean;
  busy: true;
}>;

export interface Statement {
  sql: string;
  params: unknown[];
}

interface State {
  counters: Counters;
  /** Size of the ClickLog of the command `night`. */
  bytes: number;
  /** The statements of each recorded round trip. */
  trips: Statement[][];
}

/** Headers of a prefetch by a browser: the redirect is not counted as a click. */
export const UNCOUNTED = { "Sec-Purpose": "prefetch", "CF-Connecting-IP": "192.0.2.1" };

const NAME = "instrumented";
const ENTRY = {
  type: "ESModule",
  path: "/entry.js",
  contents: 'export * from "./worker.js"; export { default } from "./worker.js";',
};

export type InstrumentedServer = Awaited<ReturnType<typeof startInstrumented>>;

/**
 * Starts the service in one isolate with counters, and the bare Worker. `internetScript` is as in startRuntime, `options`
 * as in serviceWorker.
 */
export async function startInstrumented(internetScript = "test/support/internet.js", options: ServiceOptions = {}) {
  const { script } = await buildWorker("tools/bench/instrumented/worker.js");
  const main = { ...ON_REQUEST, modules: [ENTRY], d1Databases: { DB: "tern" } };
  const service = serviceWorker(NAME, NAME, main, {
    quickQueues: true,
    ...options,
    // Its flush would hold up each count.
    bindings: { NOT_RECORDED: "requests", ...options.bindings },
  });
  const modules = serveModules({ "/worker.js": script });
  const runtime = await startRuntime({ [NAME]: service, bare: bareWorker() }, internetScript, modules);
  const address = await runtime.addressOf(NAME);
  const db = await runtime.databaseOf(NAME);
  await applySchema(db);
  const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    exchange({ address, method, path, headers: { Host: HOST, "Content-Type": "application/json", ...headers }, body });
  const request = (method: string, path: string, headers: Record<string, string>, body?: object) =>
    send(method, path, headers, body && JSON.stringify(body));
  /** Executes a command, and waits for background tasks and queues. */
  const control = async (command: Command = {}) => {
    const answer = await request("POST", "/", { Host: "bench.control" }, command);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json() as State;
  };
  /** Counts what `run` causes, with its background tasks and queue messages. */
  const count = async (run: () => Promise<unknown>) => {
    const { counters: before } = await control();
    await run();
    const { counters } = await control();
    return mapCounters(counters, (value, name) => value - before[name]);
  };
  const [bare, internet] = [await runtime.addressOf("bare"), await runtime.addressOf(INTERNET)];
  /** Sets DNS records, in the form of test/support/internet.js. */
  const publish = async (records: Record<string, string[]>) => {
    const headers = { Host: "control" };
    await exchange({ address: internet, method: "PUT", path: "/", headers, body: JSON.stringify({ records }) });
  };
  return { address, bare, db, send, request, control, count, publish, stop: () => runtime.stop() };
}

export function mapCounters(counters: Counters, change: (value: number, name: keyof Counters) => number): Counters {
  const names = Object.keys(counters) as (keyof Counters)[];
  return Object.fromEntries(names.map((name) => [name, change(counters[name], name)])) as Counters;
}

/** A request to the API that must succeed. */
export async function call(
  server: InstrumentedServer,
  key: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await server.request(method, path, { Authorization: `Bearer ${key}`, ...headers }, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer;
}

/** Creates a link with a generated slug. */
export async function makeLink(server: InstrumentedServer, key: string): Promise<Link> {
  return ((await call(server, key, "POST", "/api/links", { url: DESTINATION })).json() as { link: Link }).link;
}

/** A GET request that must have this status; by default a prefetch that is redirected. */
export async function visit(
  server: InstrumentedServer,
  path: string,
  headers: Record<string, string> = UNCOUNTED,
  status = 302,
): Promise<void> {
  const answer = await server.request("GET", path, headers);
  if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${answer.text}`);
}
