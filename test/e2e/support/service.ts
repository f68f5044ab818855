import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, Response as HookResponse } from "miniflare";
import { buildWorker, ROOT } from "./build.ts";
import { isolateOptions } from "./isolate-options.ts";
import { exchange, type Answer, type Exchange } from "./http.ts";
import type { DatabaseHook, DatabaseCall } from "./database.ts";
import type { Handed, HandOut, Queues, Sent } from "./queues.ts";

/**
 * The service's origin. It is not where the sockets listen: requests name it in their Host header, as
 * behind Cloudflare, so links look the same whichever port the runtime got.
 */
const ORIGIN = "https://tern.test";

const ENCRYPTION_KEYS = `test:${Buffer.alloc(32, "k").toString("base64")}`;

interface IsolateState {
  now: number;
  backgroundTasks: number;
  /** How often each fault of click-faults.js has happened. */
  clickFaults: Record<string, number>;
  evaluatedModules: string[];
}

/** One isolate of the Worker: its own memory and clock, the storage of all. */
export class Isolate {
  readonly name: string;
  readonly address: URL;
  /** Sees every round trip to the database; undefined lets all of them pass. */
  onDatabase: DatabaseHook | undefined;
  readonly #host: string;

  constructor(name: string, address: URL, host: string) {
    this.name = name;
    this.address = address;
    this.#host = host;
  }

  /** One request; redirects are not followed. */
  request(method: string, path: string, options: Partial<Exchange> = {}): Promise<Answer> {
    const headers = { Host: this.#host, "User-Agent": "curl/8.5.0", ...options.headers };
    return exchange({ ...options, address: this.address, method, path, headers });
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request("GET", path, { headers });
  }

  /** Puts this isolate's clock forward. */
  async advance(ms: number): Promise<void> {
    await this.#control(`?advance=${ms}`);
  }

  /** Puts this isolate into another data centre: it keeps its memory and finds another cache. */
  async moveTo(dataCentre: string): Promise<void> {
    await this.#control(`?move=${encodeURIComponent(dataCentre)}`);
  }

  /** Has whatever can go wrong while clicks are stored go wrong; for the isolate that has the Durable Objects. */
  async injectClickFaults(on: boolean): Promise<void> {
    await this.#control(`?faults=${on ? "on" : "off"}`);
  }

  async state(): Promise<IsolateState> {
    return this.#control("");
  }

  /** Once everything that was left to `waitUntil` is done. */
  async settled(): Promise<void> {
    while ((await this.state()).backgroundTasks > 0) await new Promise((resolve) => setTimeout(resolve, 2));
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
  /** Hands messages of {@link Options.queues} to the consumer. */
  handOut: HandOut;
  /** The log lines so far, of all isolates and of the runtime itself. */
  logLines: string[];
  stop(): Promise<void>;
}

export interface Options {
  /** Variables of the Worker; those of its configuration stay. */
  variables?: Record<string, string>;
  /** A folder that keeps the database, for a start after the end; without one it is in memory. */
  state?: string;
  /** Queues that are there longer than the service; without them the runtime has its own. */
  queues?: Queues;
}

/**
 * Starts the built Worker in as many isolates as `dataCentres` names, each with the data centre it is in:
 * all share the database and the Durable Objects, those of one data centre its cache.
 */
export async function startService<Name extends string>(
  dataCentres: Record<Name, string>,
  { variables = {}, state, queues }: Options = {},
): Promise<Service<Name>> {
  const { script } = await buildWorker();
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
      log: new Log(LogLevel.NONE),
      logRequests: false,
      ...(state === undefined ? {} : { resourcePersistencePath: state }),
      handleStructuredLogs: ({ message }) => logLines.push(message),
      workers: names.map((name) => ({
        ...isolateOptions(name, owner as string, {
          bindings: { BASE_URL: ORIGIN, ENCRYPTION_KEYS, ...variables, DATA_CENTRE: dataCentres[name] },
        }),
        ...(queues !== undefined && { queueConsumers: {} }),
        modulesRoot: "/",
        modules: [
          ...["entry.js", "click-faults.js"].map((name) => ({
            type: "ESModule",
            path: `/${name}`,
            contents: readFileSync(join(import.meta.dirname, name), "utf8"),
          })),
          { type: "ESModule", path: "/index.js", contents: recordingEvaluation(script) },
        ],
        serviceBindings: {
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
  await db.prepare(readFileSync(join(ROOT, "schema.sql"), "utf8")).run();
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

/** Writes down each module that the bundle evaluates on call: the name is that of the function which evaluates it. */
function recordingEvaluation(script: string): string {
  const evaluation = "return fn && (";
  const recorded = "return fn && (globalThis.evaluatedModules ??= []).push(__getOwnPropNames(fn)[0]) && (";
  if (!script.includes(evaluation)) throw new Error("the bundler writes lazy modules in another form");
  return script.replace(evaluation, recorded);
}
