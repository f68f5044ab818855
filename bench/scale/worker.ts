// The Worker of the simulation. One request runs all of it: many isolates by copies of their module, and the real ClickLogs and
// consumer behind a model of the platform.

import { env as bindings } from "cloudflare:workers";
import { consumeQueue } from "../../src/queue.ts";
import { aggregateClicks } from "../../src/clicks/click-log/account-queries.ts";
import { shardsOfLink } from "../../src/clicks/click-log-name.ts";
import { ClickLog as RealClickLog } from "../../src/index.ts";
import type * as isolate from "./isolate.ts";
import { runUntil, startClock, track, waitReally } from "./clock.ts";
import { newStatistics, ObjectsModel, QueueModel, standIn, type Statistics } from "./platform.ts";
import type { Run, RunResult, PeriodResult } from "./simulate.ts";
import { ACCOUNT, clickOf, isolateOf, LINK_IDS, linkOf, timesOf } from "./traffic.ts";

export { JobRunner, PasswordHasher, RateLimiter, Screener } from "../../src/index.ts";

type Isolate = typeof isolate;

/** Objects store new shards in the background. */
const BACKGROUND_MS = 1_000;

let objects: ObjectsModel;

/** Calls other ClickLogs through the model. */
export class ClickLog extends RealClickLog {
  constructor(state: DurableObjectState) {
    const logs = { get: (_: object, name: string) => (objects.namespaceOfObjects() as never)[name] };
    super(state, { ...bindings, CLICK_LOG: new Proxy({}, logs) as Env["CLICK_LOG"] });
  }
}

export default {
  async fetch(request: Request): Promise<Response> {
    return Response.json(await simulate((await request.json()) as Run));
  },
};

async function simulate({ isolates: count, limits, faults, periods, late, queries }: Run): Promise<RunResult> {
  startClock(periods[0]?.start ?? 0);
  const isolates = await Promise.all(
    Array.from({ length: count }, (_, n): Promise<Isolate> => import(moduleOf(n)) as Promise<Isolate>),
  );
  let statistics = newStatistics();
  objects = new ObjectsModel(bindings.CLICK_LOG, limits, faults, statistics);
  const env = { ...bindings, CLICK_LOG: objects.namespace() };
  const tasks = new Set<Promise<unknown>>();
  const ctx = {
    waitUntil(promise: Promise<unknown>) {
      const task = promise.finally(() => tasks.delete(task));
      tasks.add(task);
    },
  } as ExecutionContext;
  const queue = new QueueModel(limits, faults, statistics, (messages) =>
    consumeQueue(standIn({ messages, queue: "clicks" }), env, ctx),
  );
  const isolateEnv = { ...env, CLICKS: queue.producer() } as unknown as Env;
  const results: PeriodResult[] = [];
  let number = 0;
  for (const period of periods) {
    objects.statistics = queue.statistics = statistics = newStatistics();
    await runUntil(period.start);
    const { click_shards: json } = (await track(
      bindings.DB.prepare("SELECT click_shards FROM accounts WHERE id = ?").bind(ACCOUNT).first(),
    )) as { click_shards: string | null };
    const shards = LINK_IDS.map((id) => shardsOfLink(json, id));
    const knows = (n: number, at: number) => n % late.of > 0 || at >= late.until;
    for (const at of timesOf([period])) {
      if (at > Date.now()) await runUntil(at);
      const chosen = isolateOf(number, count);
      const click = clickOf(number, at);
      isolates[chosen]?.bufferClick(
        click,
        isolateEnv,
        ctx,
        knows(chosen, at) ? (shards[linkOf(number)] ?? null) : null,
      );
      number++;
    }
    const end = Date.now();
    await runUntil(Infinity);
    results.push({ ...(statistics satisfies Statistics), shards: json, drainedMs: Date.now() - end });
    await waitReally(BACKGROUND_MS);
  }
  if (tasks.size > 0) throw new Error(`${tasks.size} flushes have not ended`);
  const context = { env: bindings, principal: { accountId: ACCOUNT } };
  const totals = [];
  for (const { links, query } of queries) totals.push(await aggregateClicks(context, links, query));
  return { periods: results, clicks: number, totals };
}

const moduleOf = (n: number) => `./isolate-${n}.js`;
