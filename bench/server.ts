import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clickLogName } from "../src/clicks/click-log-name.ts";
import { CACHE_FRESH_MS, MEMO_FRESH_MS, RATE_LIMITS, STALE_KEPT_MS } from "../src/limits.ts";
import { buildWorker } from "../test/e2e/support/build.ts";
import { insertLinks } from "../test/e2e/support/many-links.ts";
import { copyAccount } from "./account.ts";
import { findRuntime } from "./load/process.ts";
import type { Recorded } from "./metered/operations.ts";
import {
  applySchema,
  bareWorker,
  DESTINATION,
  plainWorker,
  serviceWorker,
  startRuntime,
  type Runtime,
} from "./runtime.ts";

/** Links that belong to nobody, at `/l1` and on: in the one database that all but the smallest rows share, and in the other. */
export const MANY_LINKS = 1_000_000;
export const FEW_LINKS = 1_000;

/** The service and what it is measured against, side by side in one runtime. */
export interface Server {
  pid: number;
  addresses: Record<Name, URL>;
  db: D1Database;
  runtime: Runtime;
  /** An account with a key that may do everything, which is also that of `creates`. */
  accountId: number;
  key: string;
  /** Clicks that the account's ClickLog has stored. */
  countClicks(): Promise<number>;
  stop(): Promise<void>;
}

type Name =
  | "bare"
  | "service"
  /** Where every link is in the cache and too old in memory (clocked.js). */
  | "cached"
  /** Where every link is cold, among few (clocked.js) and among many; and the Workers that only read, of the same databases. */
  | "coldOfFew"
  | "coldOfMany"
  | "readsOfFew"
  | "readsOfMany"
  | "creates";

/** Links that the row `cached` follows, one after the other. */
export const CACHED_LINKS = 2_000;
/** Past the time for which a link is fresh in memory, by as much as requests may overtake each other. */
const CACHED_STEP_MS = (1.1 * MEMO_FRESH_MS) / CACHED_LINKS;
/** So many times each link is found in the cache until it is too old there as well. */
export const CACHED_ROUNDS = Math.floor(CACHE_FRESH_MS / (CACHED_STEP_MS * CACHED_LINKS)) - 1;
/** So many requests after its last, a link is cold: less than there are links, by as much as requests may overtake each other. */
const COLD_AFTER_REQUESTS = 0.9 * FEW_LINKS;

const FEW = { d1Databases: { DB: "few" } };
const MANY = { d1Databases: { DB: "tern" } };

export async function startServer(recorded: Recorded): Promise<Server> {
  const runtime = await startRuntime(await workersOf(recorded));
  const names: Name[] = [
    "bare",
    "service",
    "cached",
    "coldOfFew",
    "coldOfMany",
    "readsOfFew",
    "readsOfMany",
    "creates",
  ];
  const addresses = {} as Record<Name, URL>;
  for (const name of names) addresses[name] = await runtime.addressOf(name);
  const db = await runtime.databaseOf("service");
  const few = await runtime.databaseOf("coldOfFew");
  for (const [filled, last] of [
    [db, MANY_LINKS],
    [few, FEW_LINKS],
  ] as const) {
    await applySchema(filled);
    await insertLinks(filled, { prefix: "l", first: 1, last, url: DESTINATION });
  }
  const { accountId, key } = recorded.create.account;
  await copyAccount(db, { accountId, key });
  const logs = await runtime.objectsOf<Env["CLICK_LOG"]>("service", "CLICK_LOG");
  return {
    pid: findRuntime(),
    addresses,
    db,
    runtime,
    accountId,
    key,
    async countClicks() {
      const counters = await logs.getByName(clickLogName(accountId, "")).changedCounters();
      return counters.reduce((sum, { clicks }) => sum + clicks, 0);
    },
    stop: () => runtime.stop(),
  };
}

async function workersOf({ read, create }: Recorded): Promise<Record<string, unknown>[]> {
  const { script } = await buildWorker();
  const asItIs = { modules: true, script };
  const inFront = {
    modulesRoot: "/",
    modules: [
      {
        type: "ESModule",
        path: "/clocked.js",
        contents: readFileSync(join(import.meta.dirname, "workers", "clocked.js"), "utf8"),
      },
      { type: "ESModule", path: "/index.js", contents: script },
    ],
  };
  const clocked = (name: Name, database: object, clock: object) => {
    const worker = serviceWorker(name, "service", inFront);
    return { ...worker, ...database, bindings: { ...(worker["bindings"] as object), CLOCK: { name, ...clock } } };
  };
  const step = { requestsPerStep: COLD_AFTER_REQUESTS, requestsPerDataCentre: COLD_AFTER_REQUESTS };
  const operation = "POST /api/links";
  return [
    serviceWorker("service", "service", asItIs),
    clocked("cached", MANY, { stepMs: CACHED_STEP_MS, requestsPerStep: 1, requestsPerDataCentre: null }),
    clocked("coldOfFew", FEW, { stepMs: STALE_KEPT_MS, ...step }),
    { ...serviceWorker("coldOfMany", "service", asItIs), ...MANY },
    bareWorker(),
    plainWorker("readsOfFew", "bench/workers/reads.js", { ...FEW, bindings: { READ: read } }),
    plainWorker("readsOfMany", "bench/workers/reads.js", { ...MANY, bindings: { READ: read } }),
    plainWorker("creates", "bench/workers/creates.js", {
      ...MANY,
      durableObjects: { RATE_LIMITER: { className: "RateLimiter", scriptName: "service", useSQLite: true } },
      bindings: { CREATE: create, OPERATION: operation, LIMIT: RATE_LIMITS[operation] },
    }),
  ];
}
