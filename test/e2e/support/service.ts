import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, Response as HookResponse } from "miniflare";
import { toMigrated } from "../../../tools/scripts/local-database.ts";
import { migrate, readSchema, type Schema } from "../../../tools/scripts/migrations.ts";
import { buildWorker, ROOT } from "./build.ts";
import type { DatabaseHook, DatabaseCall } from "./database.ts";
import { exchange, type Answer, type Exchange } from "./http.ts";
import { isolateOptions } from "./isolate-options.ts";
import { ON_REQUEST, serveModules } from "./served-modules.ts";
import { until } from "../../support/until.ts";
import type { Handed, HandOut, Queues, Sent } from "./queues.ts";

/**
 * The service's origin. The sockets listen elsewhere: requests name it in the Host header, as behind Cloudflare, so
 * short URLs do not depend on the port.
 */
export const ORIGIN = "https://tern.test";

const ENCRYPTION_KEYS = `test:${Buffer.alloc(32, "k").toString("base64")}`;

interface IsolateState {
  now: number;
  backgroundTasks: number;
  /** How often each fault of click-faults.js happened. */
  clickFaults: Record<string, number>;
  /** With {@link Options.recordsModules}. */
  evaluatedModules: string[];
}

/** An isolate of the Worker. It has its own memory and clock, and shares the storage of the others. */
export class Isolate {
  readonly name: string;
  readonly address: URL;
  /** Called before and after every round trip to the database. */
  onDatabase: DatabaseHook | undefined;
  readonly #host: string;

  constructor(name: string, address: URL, host: string) {
    this.name = name;
    this.address = address;
    this.#host = host;
  }

  /** Sends a request; does not follow redirects. */
  request(method: string, path: string, options: Partial<Exchange> = {}): Promise<Answer> {
    const headers = { Host: this.#host, "User-Agent": "curl/8.5.0", ...options.headers };
    return exchange({ ...options, address: this.address, method, path, headers });
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request("GET", path, { headers });
  }

  /** Advances this isolate's clock. */
  async advance(ms: number): Promise<void> {
    await this.#control(`?advance=${ms}`);
  }

  /** Stops this isolate's clock, which then only {@link advance} changes. */
  async stopClock(): Promise<void> {
    await this.#control("?stop");
  }

  /** Turns {@link Options.productionTimes} on or off. */
  async useProductionTimes(on: boolean): Promise<void> {
    await this.#control(`?times=${on ? "production" : "test"}`);
  }

  /** Moves this isolate to another data centre: it keeps its memory and uses another edge cache. */
  async moveTo(dataCentre: string): Promise<void> {
    await this.#control(`?move=${encodeURIComponent(dataCentre)}`);
  }

  /** Turns the faults of click-faults.js on or off, in the isolate that has the Durable Objects. */
  async injectClickFaults(on: boolean): Promise<void> {
    await this.#control(`?faults=${on ? "on" : "off"}`);
  }

  async state(): Promise<IsolateState> {
    return this.#control("");
  }

  /** Resolves when all tasks passed to `waitUntil` have ended. */
  async settled(): Promise<void> {
    await until(async () => (await this.state()).backgroundTasks === 0);
  }

  async #control(query: string): Promise<IsolateState> {
    const answer = await this.request("GET", `/${query}`, { headers: { Host: "isolate.control" } });
    return answer.json() as IsolateState;
  }
}

export interface Service<Name extends string> {
  isolates: Record<Name, Isolate>;
  db: D1Database;
  /** Runs the cron handler of an isolate, at its clock. */
  cron(name: Name): Promise<void>;
  /** Passes messages of {@link Options.queues} to the consumer. */
  handOut: HandOut;
  /** The log lines of all isolates and of the runtime itself. */
  logLines: string[];
  stop(): Promise<void>;
}

export interface Options {
  /** Variables of the Worker, in addition to those in wrangler.toml. */
  variables?: Record<string, string>;
  /** The version of the tables; without it, the newest one. */
  schema?: Schema;
  /** A folder for the storage, which a later start can use again; without it the storage is in memory. */
  state?: string;
  /** Queues that outlive the service; without them the runtime has its own. */
  queues?: Queues;
  /** False: batches wait as long as in production. */
  quickQueues?: boolean;
  /** True: the Worker waits, and waits for others, as long as in production. Else it hardly waits, and its time limits are long. */
  productionTimes?: boolean;
  /** Record the names of the modules that are evaluated on demand, in a build that is not minified. */
  recordsModules?: boolean;
}

/**
 * Starts the built Worker in one isolate for each name in `dataCentres`. All share the database and the Durable Objects;
 * those in the same data centre share its edge cache.
 */
export async function startService<Name extends string>(
  dataCentres: Record<Name, string>,
  {
    variables = {},
    schema = readSchema(),
    state,
    queues,
    quickQueues = true,
    productionTimes = false,
    recordsModules = false,
  }: Options = {},
): Promise<Service<Name>> {
  const { script } = await buildWorker(undefined, !recordsModules);
  const names = Object.keys(dataCentres) as Name[];
  const { host } = new URL(variables["BASE_URL"] ?? ORIGIN);
  const [owner] = names;
  const isolates = {} as Record<Name, Isolate>;
  const logLines: string[] = [];
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      ...serveModules({ "/index.js": recordsModules ? recordingEvaluation(script) : script }),
      log: new Log(LogLevel.NONE),
      logRequests: false,
      ...(state === undefined ? {} : { resourcePersistencePath: state }),
      handleStructuredLogs: ({ message }) => logLines.push(message),
      workers: names.map((name) => ({
        ...isolateOptions(name, owner as string, {
          quickQueues,
          // The log of requests would keep each of them running for ten seconds.
          bindings: {
            BASE_URL: ORIGIN,
            ENCRYPTION_KEYS,
            NOT_RECORDED: "requests",
            ...variables,
            DATA_CENTRE: dataCentres[name],
            ...(productionTimes && { PRODUCTION_TIMES: "true" }),
          },
        }),
        ...(queues !== undefined && { queueConsumers: {} }),
        ...ON_REQUEST,
        modules: ["entry.js", "click-faults.js"].map((name) => ({
          type: "ESModule",
          path: `/${name}`,
          contents: readFileSync(join(import.meta.dirname, name), "utf8"),
        })),
        serviceBindings: {
          ASSETS: (request: { url: string }) => {
            const file = join(ROOT, "dist", new URL(request.url).pathname);
            return existsSync(file) ? new HookResponse(readFileSync(file)) : new HookResponse(null, { status: 404 });
          },
          DATABASE_HOOK: async (request: { json(): Promise<unknown> }) => {
            const verdict = await isolates[name].onDatabase?.((await request.json()) as DatabaseCall);
            return HookResponse.json(verdict ?? {});
          },
          ...(queues !== undefined && {
            QUEUES: async (request: { text(): Promise<string> }) => {
              queues.take(JSON.parse(await request.text()) as Sent);
              return new HookResponse();
            },
          }),
        },
        unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      })) as never,
    }),
  );
  await runtime.ready;
  for (const name of names) isolates[name] = new Isolate(name, await runtime.unsafeGetDirectURL(name), host);
  const db = (await runtime.getD1Database("DB", owner)) as unknown as D1Database;
  await migrate(toMigrated(db, "The database"), schema);
  // It has an owner, although no person exists yet.
  await db.prepare("UPDATE installation SET claimed_at = coalesce(claimed_at, 1)").run();
  const cron = async (name: Name) => {
    const worker = (await runtime.getWorker(name)) as unknown as { scheduled(options: object): Promise<unknown> };
    await worker.scheduled({ cron: "* * * * *", scheduledTime: new Date((await isolates[name].state()).now) });
  };
  const handOut: HandOut = async (queue, messages) => {
    const worker = (await runtime.getWorker(owner)) as unknown as { queue: (...of: unknown[]) => unknown };
    return (await worker.queue(queue, messages)) as Handed;
  };
  return { isolates, db, cron, handOut, logLines, stop: () => runtime.dispose() };
}

/** Makes the bundle record the name of each module that it evaluates on demand. */
function recordingEvaluation(script: string): string {
  const evaluation = "return fn && (";
  const recorded = "return fn && (globalThis.evaluatedModules ??= []).push(__getOwnPropNames(fn)[0]) && (";
  if (!script.includes(evaluation)) throw new Error("the bundler has changed the form of lazy modules");
  return script.replace(evaluation, recorded);
}
