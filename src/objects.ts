import { DurableObject } from "cloudflare:workers";
import { loadChecks, startScreener } from "#safety";
import type { ClickLogObject } from "./click-log/log/object.ts";
import type { JobCalls } from "./jobs/job-calls.ts";
import type { Format } from "./qr/contract.ts";
import type { Code } from "./qr/style.ts";
import type { HashQueue } from "./identity/people/password-hashing/hash-queue.ts";
import type { Limiter } from "./platform/rate-limit/limiter.ts";

/** The methods that callers and the runtime call. */
type Method<T, Name extends keyof T = Exclude<keyof T, keyof Rpc.DurableObjectBranded>> = {
  [K in Name]: T[K] extends (...args: never[]) => unknown ? K : never;
}[Name];

/**
 * A class of Durable Objects whose code is loaded when the first object starts: every isolate evaluates this module, and those that
 * answer redirects have no object. The runtime holds calls back until the code is there, so a call never waits for it later.
 */
function loaded<T extends object>(
  load: (ctx: DurableObjectState, env: Env) => Promise<T>,
  methods: Record<Method<T>, true>,
): new (ctx: DurableObjectState, env: Env) => DurableObject<Env> & T {
  class Loaded extends DurableObject<Env> {
    code: unknown;

    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env);
      void ctx.blockConcurrencyWhile(async () => {
        this.code = await load(ctx, env).catch(async (error: unknown) =>
          (await import("./platform/lib/object-storage.ts")).refuse(error, Object.keys(methods), ctx.storage),
        );
      });
    }
  }
  for (const name of Object.keys(methods)) {
    const value = function (this: Loaded, ...args: unknown[]): unknown {
      return (this.code as Record<string, (...args: unknown[]) => unknown>)[name]?.(...args);
    };
    Object.defineProperty(Loaded.prototype, name, { value });
  }
  return Loaded as unknown as new (ctx: DurableObjectState, env: Env) => DurableObject<Env> & T;
}

/** The calls of one client in the last minute. */
export class RateLimiter extends loaded<Limiter>(
  async (ctx) => (await import("./platform/rate-limit/limiter.ts")).Limiter.start(ctx),
  { alarm: true, lastClaimAt: true, ping: true, recordClaim: true, take: true },
) {}

/** Hashes passwords of persons, so that the isolates of redirects do not. */
export class PasswordHasher extends loaded<HashQueue>(
  async () => new (await import("./identity/people/password-hashing/hash-queue.ts")).HashQueue(),
  { hash: true, verify: true },
) {}

/** The clicks of an account, or of the anonymous links that share a ClickLog. */
export class ClickLog extends loaded<ClickLogObject>(
  async (ctx, env) => {
    const { ClickLogObject } = await import("./click-log/log/object.ts");
    // Few accounts have a webhook that needs it.
    return new ClickLogObject(ctx, env, async (...args) =>
      (await import("./clicks/ingest/recipients.ts")).readRecipients(...args),
    );
  },
  {
    adoptClicks: true,
    aggregate: true,
    alarm: true,
    announceView: true,
    beginExport: true,
    changedCounters: true,
    confirmCounters: true,
    countExport: true,
    countOrphanVisits: true,
    countersOf: true,
    destroy: true,
    detailFrom: true,
    dropRows: true,
    endAdoption: true,
    endExport: true,
    expectRetentionChange: true,
    expectSubscriptionChange: true,
    exportClicks: true,
    fetch: true,
    findMissingKeys: true,
    firstClickAt: true,
    forgetLinks: true,
    handOver: true,
    importClicks: true,
    ingest: true,
    listRecords: true,
    logRequests: true,
    makeKeyChecks: true,
    readExport: true,
    readLink: true,
    readOrphanVisits: true,
    readRequests: true,
    readRetention: true,
    readRollups: true,
    storeForwarded: true,
    webSocketClose: true,
    webSocketMessage: true,
  },
) {}

/** What takes more than 50 ms of CPU time for a request. */
interface LongCalls {
  fetch(request: Request): Promise<Response>;
  paint(code: Code, format: Format): Promise<Uint8Array | string>;
}

/**
 * Runs the jobs of a lane of one account, and keeps the files that they wrote and what undoes them. Others of the account
 * do what takes long for requests, and store nothing.
 */
export class JobRunner extends loaded<JobCalls & LongCalls>(
  async (ctx, deployed) => {
    const env = await (await import("./platform/installation/claimed.ts")).withClaimedOrigin(deployed);
    const [{ JobCalls }, { kindOf }, { registerChecks }, checks] = await Promise.all([
      import("./jobs/job-calls.ts"),
      import("./moving/job-kinds.ts"),
      import("./links/checks.ts"),
      loadChecks(),
    ]);
    registerChecks(checks);
    return Object.assign(new JobCalls(ctx, env, kindOf), {
      fetch: async (request: Request) => (await import("./app.ts")).answerPassed(request, env, ctx),
      paint: async (code: Code, format: Format) => (await import("./qr/image.ts")).paint(code, format),
    });
  },
  {
    alarm: true,
    change: true,
    deleteAll: true,
    fetch: true,
    find: true,
    findRepeated: true,
    list: true,
    paint: true,
    readFailures: true,
    readFile: true,
    receive: true,
    start: true,
  },
) {}

/** Compares destinations with lists. There is one in an installation, and redirects never call it. */
export class Screener extends loaded<Awaited<ReturnType<typeof startScreener>>>(startScreener, {
  describeLists: true,
  judge: true,
  listDue: true,
  noteFormer: true,
  recordScreened: true,
  refresh: true,
  reload: true,
  screen: true,
  screenStranger: true,
  watch: true,
}) {}
