import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { buildWorker, ROOT } from "../test/e2e/support/build.ts";
import { exchange, type Answer } from "../test/e2e/support/http.ts";
import { isolateOptions } from "../test/e2e/support/isolate-options.ts";

const DAY_MS = 86_400_000;
const HOST = "tern.test";
/** In the future, so that no alarm goes off by itself. */
export const NOW = Math.floor(Date.now() / DAY_MS + 1_000) * DAY_MS + DAY_MS / 2;

/** What the databases have counted. */
export interface Meters {
  /** To D1, and what all their statements read and wrote there. */
  roundTrips: number;
  rowsRead: number;
  rowsWritten: number;
  /** In the ClickLogs' own databases. */
  logRowsRead: number;
  logRowsWritten: number;
}

interface Command {
  /** The clock goes on from there. */
  now?: number;
  /** The clock stands still there until another command moves it. */
  stopAt?: number;
  take?: Record<string, unknown>;
  /** The name of a ClickLog that lives through a night. */
  night?: string;
  /** Hands out the wake-ups that are in the queue of deliveries. */
  deliver?: true;
  cron?: true;
}

export interface MeteredService {
  db: D1Database;
  /** Once it is done, with all that went on behind it. */
  control: (command?: Command) => Promise<Meters & { bytes: number }>;
  /** What `run` costs, with what goes on behind it. */
  measure(run: () => Promise<unknown>): Promise<Meters>;
  request(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Answer>;
  /** Throws unless the answer is a success. */
  callApi: (key: string, method: string, path: string, body?: object) => Promise<Answer>;
  /** What names hold, as test/support/internet.js takes it. */
  publish(records: Record<string, string[]>): Promise<void>;
  stop(): Promise<void>;
}

/** The built Worker in one isolate, its clock and queues in our hands and its databases metered. */
export async function startMeteredService(): Promise<MeteredService> {
  const runtime = await startRuntime();
  const address = await runtime.unsafeGetDirectURL("metered");
  const db = (await runtime.getD1Database("DB", "metered")) as unknown as D1Database;
  await db.prepare(readFileSync(join(ROOT, "schema.sql"), "utf8")).run();
  const internet = (await runtime.getWorker("internet")) as unknown as { fetch: typeof fetch };

  const request: MeteredService["request"] = (method, path, headers, body) =>
    exchange({
      address,
      method,
      path,
      headers: { Host: HOST, "Content-Type": "application/json", ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const control: MeteredService["control"] = async (command = {}) => {
    const answer = await request("POST", "/", { Host: "bench.control" }, command);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json() as Meters & { bytes: number };
  };
  return {
    db,
    control,
    request,
    async measure(run) {
      const before = await control();
      await run();
      const after = await control();
      const { bytes: _, ...names } = before;
      const spent = Object.keys(names).map((name) => [
        name,
        after[name as keyof Meters] - before[name as keyof Meters],
      ]);
      return Object.fromEntries(spent) as Meters;
    },
    async callApi(key, method, path, body) {
      const answer = await request(method, path, { Authorization: `Bearer ${key}` }, body);
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer;
    },
    async publish(records) {
      await internet.fetch("http://control/", { method: "PUT", body: JSON.stringify({ records }) });
    },
    stop: () => runtime.dispose(),
  };
}

async function startRuntime(): Promise<Miniflare> {
  const { script } = await buildWorker();
  const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
  const bindings = { BASE_URL: `https://${HOST}`, ENCRYPTION_KEYS: `bench:${Buffer.alloc(32).toString("base64")}` };
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      log: new Log(LogLevel.ERROR),
      logRequests: false,
      handleStructuredLogs: () => undefined,
      workers: [
        {
          ...isolateOptions("metered", "metered", { bindings }),
          modulesRoot: "/",
          modules: [
            { type: "ESModule", path: "/worker.js", contents: read("bench/metered-worker.js") },
            { type: "ESModule", path: "/index.js", contents: script },
          ],
          unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
          outboundService: "internet",
        },
        {
          name: "internet",
          modules: true,
          compatibilityDate: "2026-10-20",
          script: read("test/support/internet.js"),
        },
      ] as never,
    }),
  );
  await runtime.ready;
  return runtime;
}
