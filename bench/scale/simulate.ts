import { isDeepStrictEqual } from "node:util";
import type { CapturedClick } from "../../src/clicks/capture/click.ts";
import type { AggregateQuery, Totals } from "../../src/clicks/click-log/aggregate.ts";
import { shardName, type ClickShards } from "../../src/clicks/click-log-name.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/duration.ts";
import { expectedTotals } from "../../test/clicks/click-log/totals-model.ts";
import { insertAccount } from "../../test/support/accounts.ts";
import { buildWorker } from "../../test/e2e/support/build.ts";
import { exchange } from "../../test/e2e/support/http.ts";
import { applySchema, HOST, serviceWorker, startRuntime } from "../runtime.ts";
import { LIMITS, type Faults, type Limits, type Statistics } from "./platform.ts";
import { ACCOUNT, clickOf, LINK_IDS, timesOf, type Period } from "./traffic.ts";

/** What the Worker is told. */
export interface Run {
  isolates: number;
  limits: Limits;
  faults: Faults;
  periods: Period[];
  /** One of `of` isolates does not know the shards until then: a job has published its entries. */
  late: { of: number; until: number };
  queries: { links: string[] | null; query: AggregateQuery }[];
}

/** What a period caused, until all of its clicks were stored. */
export interface PeriodResult extends Statistics {
  /** `accounts.click_shards` at its beginning. */
  shards: string | null;
  /** From the last click until nothing was left to do. */
  drainedMs: number;
}

export interface RunResult {
  periods: PeriodResult[];
  clicks: number;
  totals: Totals[];
}

export interface Load {
  perSecond: number;
  isolates: number;
  /** Length of the load before the shards exist, and on both sides of the midnight together. Shards need over a minute. */
  seconds: readonly [before: number, around: number];
}

export interface Simulated extends RunResult {
  /** The queries whose answers differ from the model. */
  wrong: number[];
  /** Single clicks that the model has and the answers lack. */
  missing: number;
}

/** In the future, so that no alarm of the real objects goes off by itself. */
const MIDNIGHT = Date.UTC(2032, 5, 15);

/** For a short run: how much goes wrong, and shards that do not come from the load. */
interface Changes {
  limits?: Partial<Limits>;
  faults?: Partial<Faults>;
  shards?: number;
}

/** Simulates clicks of one account before it has shards, and around the midnight on which they appear. */
export async function simulate(
  { perSecond, isolates, seconds: [before, around] }: Load,
  { limits, faults, shards }: Changes = {},
): Promise<Simulated> {
  const firstDay = MIDNIGHT - 28 * HOUR_MS;
  const periods = [
    { start: firstDay, seconds: before, perSecond },
    { start: MIDNIGHT - (around / 2) * SECOND_MS, seconds: around, perSecond },
  ];
  const queueDownAt = firstDay + (before / 2) * SECOND_MS;
  const queries = queriesAt(firstDay);
  const run: Run = {
    isolates,
    limits: { ...LIMITS, ...limits },
    faults: {
      queueDown: [queueDownAt, queueDownAt + 3 * SECOND_MS],
      silent: { log: shardName(ACCOUNT, 1), from: MIDNIGHT + 2 * SECOND_MS, until: MIDNIGHT + 7 * SECOND_MS },
      lostAnswers: 200,
      deliveredTwice: 50,
      ...faults,
    },
    periods,
    late: { of: 20, until: MIDNIGHT + 10 * SECOND_MS },
    queries,
  };
  const result = await runInWorker(run, shards);
  const clicks: CapturedClick[] = [];
  for (const at of timesOf(periods)) clicks.push(clickOf(clicks.length, at));
  const expected = queries.map(({ links, query }) => expectedTotals(clicks, links, query, 0));
  const wrong = expected.flatMap((totals, n) => (isDeepStrictEqual(result.totals[n], totals) ? [] : [n]));
  const [all, found] = [expected[0], result.totals[0]].map((totals) => totals && countOf(totals));
  return { ...result, wrong, missing: (all ?? 0) - (found ?? 0) };
}

const countOf = ({ bots, timeseries }: Totals) => timeseries.reduce((sum, { clicks }) => sum + clicks, bots);

/** All links and some, by days and by minutes around the midnight, and with filters. The first one has all clicks. */
function queriesAt(first: number): Run["queries"] {
  const days = [0, 1, 2].map((day) => Math.floor(first / DAY_MS + day) * DAY_MS);
  const whole = { start: days[0] ?? 0, end: MIDNIGHT + DAY_MS, boundaries: days };
  const minutes = Array.from({ length: 20 }, (_, n) => MIDNIGHT + (n - 10) * MINUTE_MS);
  const around = { start: minutes[0] ?? 0, end: MIDNIGHT + 10 * MINUTE_MS, boundaries: minutes, filters: {} };
  const filters = { country: { is: ["de"], isNot: [] }, device: { is: [], isNot: ["mobile"] } };
  const hottest = LINK_IDS.slice(0, 1);
  return [
    { links: null, query: { ...whole, filters: {} } },
    { links: null, query: around },
    { links: null, query: { ...whole, filters } },
    { links: hottest, query: { ...whole, filters: {} } },
    { links: LINK_IDS.slice(3, 9), query: around },
  ];
}

async function runInWorker(run: Run, shards?: number): Promise<RunResult> {
  const [{ script }, isolate] = await Promise.all([
    buildWorker("bench/scale/worker.ts"),
    buildWorker("bench/scale/isolate.ts"),
  ]);
  const modules = [
    { type: "ESModule", path: "/index.js", contents: script },
    ...Array.from({ length: run.isolates }, (_, n) => ({
      type: "ESModule",
      path: `/isolate-${n}.js`,
      contents: isolate.script,
    })),
  ];
  const worker = serviceWorker("scale", "scale", { modulesRoot: "/", modules });
  const runtime = await startRuntime({ scale: worker });
  try {
    const db = await runtime.databaseOf("scale");
    await applySchema(db);
    await insertAccount(db, ACCOUNT);
    if (shards !== undefined) {
      const steps: ClickShards = [[MIDNIGHT / DAY_MS, shards, LINK_IDS.slice(0, 2)]];
      await db.prepare("UPDATE accounts SET click_shards = ?1").bind(JSON.stringify(steps)).run();
    }
    const address = await runtime.addressOf("scale");
    const body = JSON.stringify(run);
    const answer = await exchange({ address, method: "POST", path: "/", headers: { Host: HOST }, body });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json() as RunResult;
  } finally {
    await runtime.stop();
  }
}
