import { readFileSync } from "node:fs";
import { join } from "node:path";
import { accountLogName } from "../../src/click-log/click-log-name.ts";
import { RATE_LIMITS } from "../../src/app.ts";
import { buildDashboard } from "../scripts/build-dashboard.ts";
import { buildWorker } from "../../test/e2e/support/build.ts";
import { insertLinks } from "../../test/e2e/support/many-links.ts";
import { copyAccount } from "./account.ts";
import type { RecordedStatements } from "./instrumented/recorded.ts";
import { findRuntime } from "./load/process.ts";
import { requireWrk } from "./load/wrk.ts";
import {
  applySchema,
  bareWorker,
  DESTINATION,
  plainWorker,
  serviceWorker,
  startRuntime,
  type ServiceOptions,
  type WorkerOptions,
} from "./runtime.ts";
import { ENTRY_FRESH_MS, MEMORY_CACHE_FRESH_MS, STALE_ENTRY_TTL_MS } from "../../src/redirect/limits.ts";

/** Links without an account, at `/l1` and up, in the database of most rows. */
export const MANY_LINKS = 1_000_000;
/** The same in the small database. */
export const FEW_LINKS = 1_000;

/** Links that the row `cached` requests, one after the other. */
export const CACHED_LINKS = 2_000;
/** A link is requested again when it is no longer fresh in memory. The margin allows for requests that overtake others. */
const CACHED_STEP_MS = (1.1 * MEMORY_CACHE_FRESH_MS) / CACHED_LINKS;
/** How many times each link is found in the edge cache before its entry there is no longer fresh. */
export const CACHED_ROUNDS = Math.floor(ENTRY_FRESH_MS / (CACHED_STEP_MS * CACHED_LINKS)) - 1;
/** A link is cold again after this many requests. The margin allows for requests that overtake others. */
const COLD_AFTER_REQUESTS = 0.9 * FEW_LINKS;

const FEW = { d1Databases: { DB: "few" } };
/** The database of isolate-options.ts. */
const MANY = { d1Databases: { DB: "tern" } };

type Name = keyof Awaited<ReturnType<typeof workersOf>>;

export type Server = Awaited<ReturnType<typeof startServer>>;

/** Starts the service and its references in one runtime. */
export async function startServer(recorded: RecordedStatements) {
  requireWrk();
  buildDashboard();
  const workers = await workersOf(recorded);
  const runtime = await startRuntime(workers);
  const addresses = {} as Record<Name, URL>;
  for (const name of Object.keys(workers) as Name[]) addresses[name] = await runtime.addressOf(name);
  const fill = async (name: Name, last: number) => {
    const db = await runtime.databaseOf(name);
    await applySchema(db);
    await insertLinks(db, { prefix: "l", first: 1, last, url: DESTINATION });
    return db;
  };
  await fill("coldOfFew", FEW_LINKS);
  const db = await fill("service", MANY_LINKS);
  const { accountId, key } = recorded.create.account;
  await copyAccount(db, { accountId, key });
  const logs = await runtime.objectsOf<Env["CLICK_LOG"]>("service", "CLICK_LOG");
  return {
    /** Process id of the runtime. */
    pid: findRuntime(),
    addresses,
    db,
    runtime,
    /** An account whose key has all permissions. `creates` uses it too. */
    accountId,
    key,
    /** Returns the number of clicks that the account's ClickLog has stored. */
    async countClicks() {
      const counters = await logs.getByName(accountLogName(accountId)).changedCounters();
      return counters.reduce((sum, { clicks }) => sum + clicks, 0);
    },
    stop: () => runtime.stop(),
  };
}

const withClickLog = (worker: WorkerOptions, CLICK_LOG: object): WorkerOptions => ({
  ...worker,
  durableObjects: { ...(worker["durableObjects"] as object), CLICK_LOG },
});

async function workersOf({ read, create }: RecordedStatements) {
  const { script } = await buildWorker();
  const sourceOf = (name: string) => readFileSync(join(import.meta.dirname, "workers", name), "utf8");
  /** A Worker behind clocked.js. */
  const behindClock = (contents: string): WorkerOptions => ({
    modulesRoot: "/",
    modules: [
      { type: "ESModule", path: "/clocked.js", contents: sourceOf("clocked.js") },
      { type: "ESModule", path: "/index.js", contents },
    ],
  });
  const service = (name: string, main: WorkerOptions = { modules: true, script }, options: ServiceOptions = {}) =>
    serviceWorker(name, "service", main, options);
  const clocked = (name: string, clock: object) => {
    const options = service(name, behindClock(script));
    return { ...options, bindings: { ...(options["bindings"] as object), CLOCK: { name, ...clock } } };
  };
  const coldSteps = { requestsPerStep: COLD_AFTER_REQUESTS, requestsPerDataCentre: COLD_AFTER_REQUESTS };
  const operation = "POST /api/links";
  return {
    service: service("service"),
    bare: bareWorker(),
    /** The service whose ClickLogs do nothing. In production they run elsewhere. */
    capturing: withClickLog(service("capturing"), { className: "ClickLog", scriptName: "nothing", useSQLite: true }),
    nothing: plainWorker("tools/bench/workers/click-log.js", {
      durableObjects: { CLICK_LOG: { className: "ClickLog", useSQLite: true } },
    }),
    /** The service behind the local stand-in for the router of the static files. */
    routed: service("routed", undefined, { pages: true }),
    /** Every link is in the edge cache and no longer fresh in memory. */
    cached: clocked("cached", { stepMs: CACHED_STEP_MS, requestsPerStep: 1, requestsPerDataCentre: null }),
    /** Every link must be read from the database: among few links and among many. */
    coldOfFew: { ...clocked("coldOfFew", { stepMs: STALE_ENTRY_TTL_MS, ...coldSteps }), ...FEW },
    coldOfMany: service("coldOfMany"),
    /** The references of the two. */
    readsOfFew: plainWorker("tools/bench/workers/reads.js", {
      ...FEW,
      ...behindClock(sourceOf("reads.js")),
      bindings: { READ: read, CLOCK: { name: "readsOfFew", stepMs: 0, ...coldSteps } },
    }),
    readsOfMany: plainWorker("tools/bench/workers/reads.js", { ...MANY, bindings: { READ: read } }),
    creates: plainWorker("tools/bench/workers/creates.js", {
      ...MANY,
      durableObjects: { RATE_LIMITER: { className: "RateLimiter", scriptName: "service", useSQLite: true } },
      bindings: { CREATE: create, OPERATION: operation, LIMIT: RATE_LIMITS[operation] },
    }),
  };
}
