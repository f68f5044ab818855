// Wraps the built Worker so that a test can control its clock, data centre, database, background tasks and ClickLogs.
// service.ts loads it as the entry point of each isolate.

import { env as bindings } from "cloudflare:workers";
import { ClickLog as FaultyClickLog, deliver, setClickFaults } from "./click-faults.js";
import worker from "./index.js";

export { JobRunner, PasswordHasher, RateLimiter, Screener } from "./index.js";

const realNow = Date.now;
let aheadMs = 0;
let stoppedAt = null;
Date.now = () => (stoppedAt ?? realNow()) + aheadMs;

// Tests wait for nothing that the Worker gathers before it sends, and a busy machine is not a fault of the database.
const MAX_WAIT_MS = 20;
const TIMEOUT_FACTOR = 20;
let productionTimes = bindings.PRODUCTION_TIMES !== undefined;
const toTimeout = (ms) => (productionTimes ? ms : ms * TIMEOUT_FACTOR);
const wait = scheduler.wait.bind(scheduler);
scheduler.wait = (ms, options) => wait(productionTimes ? ms : Math.min(ms, MAX_WAIT_MS), options);
const { setTimeout } = globalThis;
globalThis.setTimeout = (run, ms, ...args) => setTimeout(run, toTimeout(ms), ...args);
const timeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => timeout(toTimeout(ms));

// The isolates of a data centre share its caches.
let dataCentre = bindings.DATA_CENTRE;
const openCache = caches.open.bind(caches);
caches.open = (name) => openCache(`${dataCentre}-${name}`);

// Errors that nothing handles are logged, so that tests can check that there are none.
const report = (event, error) => console.error(JSON.stringify({ event, error: String(error) }));
addEventListener("unhandledrejection", ({ reason }) => report("unhandled_rejection", reason));

let backgroundTasks = 0;
const env = {
  ...bindings,
  CLICK_LOG: watchedClickLogs(bindings.CLICK_LOG),
  DB: hookedDatabase(bindings.DB),
  CLICKS: externalQueue("tern-clicks", bindings.CLICKS),
  DELIVERIES: hookedQueue(externalQueue("tern-deliveries", bindings.DELIVERIES)),
  CLICK_EVENTS: hookedQueue(externalQueue("tern-click-events", bindings.CLICK_EVENTS)),
};

/** The ClickLog sends events, so it gets the steered queues too. */
export class ClickLog extends FaultyClickLog {
  constructor(state) {
    super(state, env);
  }
}

export default {
  async fetch(request, _env, ctx) {
    const url = URL.parse(request.url);
    if (url?.hostname === "isolate.control") return control(url);
    return worker.fetch(request, env, countingContext(ctx));
  },
  queue: (batch, _env, ctx) => deliver(batch, (batch) => worker.queue(batch, env, countingContext(ctx))),
  scheduled: (controller, _env, ctx) => worker.scheduled(controller, env, countingContext(ctx)),
};

function control(url) {
  aheadMs += Number(url.searchParams.get("advance") ?? 0);
  if (url.searchParams.has("stop")) stoppedAt = realNow();
  dataCentre = url.searchParams.get("move") ?? dataCentre;
  if (url.searchParams.has("times")) productionTimes = url.searchParams.get("times") === "production";
  return Response.json({
    now: Date.now(),
    backgroundTasks,
    clickFaults: setClickFaults(url.searchParams.get("faults")),
    evaluatedModules: globalThis.evaluatedModules,
  });
}

function countingContext(ctx) {
  return {
    waitUntil(promise) {
      backgroundTasks++;
      const task = Promise.resolve(promise).catch((error) => report("background_task_failed", error));
      ctx.waitUntil(task.finally(() => backgroundTasks--));
    },
    passThroughOnException: () => ctx.passThroughOnException(),
  };
}

/** Calls the test before and after each round trip: it may delay it, make it fail, or replace its result. */
function hookedDatabase(db, replica = false) {
  const trip = async (statements, run) => {
    const call = { replica, sql: statements.map((each) => each.sql), params: statements.map((each) => each.params) };
    await ask({ ...call, moment: "before" });
    const result = await run();
    const { changed } = await ask({ ...call, moment: "after", result });
    return changed === undefined ? result : changed;
  };
  const statement = (sql, real, params) => ({
    sql,
    real,
    params,
    bind: (...values) => statement(sql, real.bind(...values), values),
    ...Object.fromEntries(
      ["first", "all", "run", "raw"].map((name) => [
        name,
        (...args) => trip([{ sql, params }], () => real[name](...args)),
      ]),
    ),
  });
  return {
    prepare: (sql) => statement(sql, db.prepare(sql), []),
    batch: (statements) => trip(statements, () => db.batch(statements.map((each) => each.real))),
    withSession: (start) => hookedDatabase(db.withSession(start), start === "first-unconstrained"),
  };
}

/** Calls the test before and after messages are sent, as if that were a round trip to the database. */
function hookedQueue(queue) {
  const call = { replica: false, sql: ["deliveries"], params: [] };
  const hooked = (put) => async (input, options) => {
    await ask({ ...call, moment: "before" });
    await put(input, options);
    await ask({ ...call, moment: "after" });
  };
  return {
    send: hooked((message, options) => queue.send(message, options)),
    sendBatch: hooked((messages, options) => queue.sendBatch(messages, options)),
    metrics: () => queue.metrics(),
  };
}

/** A queue in the test (queues.ts), which outlives this isolate; without one, the runtime's own queue. */
function externalQueue(name, queue) {
  const { QUEUES } = bindings;
  if (QUEUES === undefined) return queue;
  const put = async (messages) => {
    const body = JSON.stringify({ name, messages });
    const response = await QUEUES.fetch("http://test/", { method: "POST", body });
    if (!response.ok) throw new Error("the queue did not accept the messages");
  };
  return {
    send: (body, { delaySeconds } = {}) => put([{ body, delaySeconds }]),
    sendBatch: (messages, { delaySeconds } = {}) => put(messages.map(({ body }) => ({ body, delaySeconds }))),
    metrics: () => queue.metrics(),
  };
}

/** With queues in the test, it is told which clicks an isolate offers to a ClickLog, and which the ClickLog has acknowledged. */
function watchedClickLogs(clickLogs) {
  const { QUEUES } = bindings;
  if (QUEUES === undefined) return clickLogs;
  const tell = (name, batches) => {
    const messages = [{ body: { kind: "clicks", batches } }];
    return QUEUES.fetch("http://test/", { method: "POST", body: JSON.stringify({ name, messages }) });
  };
  return {
    getByName(name) {
      const stub = clickLogs.getByName(name);
      const ingest = async (batches) => {
        await tell("offered", batches);
        const moved = await stub.ingest(batches);
        await tell("acknowledged", batches);
        return moved;
      };
      return new Proxy(stub, {
        get: (_, method) => (method === "ingest" ? ingest : (...args) => stub[method](...args)),
      });
    },
  };
}

async function ask(call) {
  const response = await bindings.DATABASE_HOOK.fetch("http://test/", { method: "POST", body: JSON.stringify(call) });
  const verdict = await response.json();
  if (verdict.error !== undefined) throw new Error(verdict.error);
  return verdict;
}
