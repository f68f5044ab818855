import type { Link } from "../../src/links/contract.ts";
import { buildWorker } from "../../test/e2e/support/build.ts";
import { exchange, type Answer } from "../../test/e2e/support/http.ts";
import {
  applySchema,
  bareWorker,
  DESTINATION,
  HOST,
  INTERNET,
  serviceWorker,
  startRuntime,
  type Runtime,
} from "../runtime.ts";

/** What Cloudflare bills, counted. */
export interface Meters {
  databaseRoundTrips: number;
  databaseRowsRead: number;
  databaseRowsWritten: number;
  logRequests: number;
  logRowsRead: number;
  logRowsWritten: number;
  limiterRequests: number;
  limiterRowsRead: number;
  limiterRowsWritten: number;
  queueOperations: number;
  consumerRequests: number;
}

interface Command {
  /** Sets the clock, which goes on from there, */
  now?: number;
  /** or puts it forward, */
  advance?: number;
  /** or has it stand still there until a command sets it anew. */
  stopAt?: number;
  /** Clicks to count: see worker.js. */
  take?: Record<string, unknown>;
  /** The name of a ClickLog that lives through a night. */
  night?: string;
  /** From then on keeps the wake-ups of webhooks from their queue, */
  hold?: true;
  /** and hands out those that it has. */
  deliver?: true;
  cron?: true;
  /** Begins or ends the record of what is asked of the database. */
  record?: boolean;
}

export interface Statement {
  sql: string;
  params: unknown[];
}

interface Control {
  meters: Meters;
  /** Of the ClickLog that lived through a night. */
  bytes: number;
  /** What was asked of the database in each round trip on record. */
  trips: Statement[][];
}

/** The service in one isolate, with meters, beside the bare Worker. */
export interface MeteredServer {
  address: URL;
  bare: URL;
  db: D1Database;
  runtime: Runtime;
  /** Answers once nothing goes on behind answers any more; what is in queues may follow. */
  control: (command?: Command) => Promise<Control>;
  /** What `run` costs, with what goes on behind its answers. */
  measure(run: () => Promise<unknown>): Promise<Meters>;
  /** What names hold, as test/support/internet.js takes it. */
  publish(records: Record<string, string[]>): Promise<void>;
  request(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Answer>;
  stop(): Promise<void>;
}

const NAME = "metered";

export async function startMetered(): Promise<MeteredServer> {
  const { script } = await buildWorker("bench/metered/worker.js");
  const runtime = await startRuntime(
    [serviceWorker(NAME, NAME, { modules: true, script }, true), bareWorker()],
    "test/support/internet.js",
  );
  const address = await runtime.addressOf(NAME);
  const internet = await runtime.addressOf(INTERNET);
  const db = await runtime.databaseOf(NAME);
  await applySchema(db);
  const control = async (command: Command = {}) => {
    const headers = { Host: "bench.control" };
    const answer = await exchange({ address, method: "POST", path: "/", headers, body: JSON.stringify(command) });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json() as Control;
  };
  return {
    address,
    bare: await runtime.addressOf("bare"),
    db,
    runtime,
    control,
    async measure(run) {
      const { meters: before } = await control();
      await run();
      const { meters } = await control();
      const names = Object.keys(before) as (keyof Meters)[];
      return Object.fromEntries(names.map((name) => [name, meters[name] - before[name]])) as unknown as Meters;
    },
    async publish(records) {
      const headers = { Host: "control" };
      await exchange({ address: internet, method: "PUT", path: "/", headers, body: JSON.stringify({ records }) });
    },
    request: (method, path, headers, body) =>
      exchange({
        address,
        method,
        path,
        headers: { Host: HOST, "Content-Type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    stop: () => runtime.stop(),
  };
}

/** A call to the API that must succeed. */
export async function call(
  server: MeteredServer,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const answer = await server.request(method, path, { Authorization: `Bearer ${key}` }, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer;
}

/** A link of the key's account, at a slug of its own. */
export async function makeLink(server: MeteredServer, key: string): Promise<Link> {
  return ((await call(server, key, "POST", "/api/links", { url: DESTINATION })).json() as { link: Link }).link;
}
