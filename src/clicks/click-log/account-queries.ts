import { mapLimit } from "../../lib/map-limit.ts";
import { MAX_VALUES_PER_DIMENSION } from "../../limits.ts";
import type { StoredClick } from "../click-record.ts";
import { Aggregator, type AggregateQuery, type Summary, type Totals } from "./aggregate.ts";
import type { Counter } from "./counters.ts";
import { latestDetailFrom, type DetailFrom } from "./detail.ts";
import type { ClickLogObject } from "./object.ts";
import { newest, type RecordQuery } from "./records.ts";
import type { LinkSelection } from "./selected-rows.ts";
import { findClickLogs, queryClickLog, type ClickContext } from "./stub.ts";
import { CONCURRENT_SHARDS } from "../limits.ts";

// Queries of an account's clicks. An account with one ClickLog needs one call; of several, the results are merged here.

type Query<T> = (clickLog: DurableObjectStub<ClickLogObject>) => Promise<T>;

/** Calls `take` with the result of each ClickLog, in no order. */
async function queryEach<T>(
  env: Env,
  names: readonly string[],
  query: Query<T>,
  take: (result: T) => void,
): Promise<void> {
  await mapLimit(names, CONCURRENT_SHARDS, async (name) => take(await queryClickLog(env, name, query)));
}

async function queryAll<T>(env: Env, names: readonly string[], query: Query<T>): Promise<T[]> {
  const results: T[] = [];
  await queryEach(env, names, query, (result) => results.push(result));
  return results;
}

/** The totals of the account's links. */
export async function aggregateClicks(
  context: ClickContext,
  links: LinkSelection,
  query: AggregateQuery,
): Promise<Totals> {
  const { env } = context;
  const names = await findClickLogs(context, links);
  const [first = "", ...others] = names;
  if (others.length === 0) return queryClickLog(env, first, (log) => log.aggregate(links, query));
  const aggregator = new Aggregator(query);
  // Visitors of a link and day are in one shard, so those of the shards add up.
  await queryEach(
    env,
    names,
    (log) => log.summarise(links, query),
    (json) => aggregator.addSummary(JSON.parse(json) as Summary),
  );
  return aggregator.totals(MAX_VALUES_PER_DIMENSION);
}

/** Single clicks, newest first. */
export async function listClickRecords(context: ClickContext, query: RecordQuery): Promise<StoredClick[]> {
  const names = await findClickLogs(context, query.links);
  const [first = "", ...others] = names;
  if (others.length === 0) return queryClickLog(context.env, first, (log) => log.listRecords(query));
  const wanted = query.offset + query.limit;
  let found: StoredClick[] = [];
  await queryEach(
    context.env,
    names,
    (log) => log.listRecords({ ...query, offset: 0, limit: wanted }),
    (records) => void (found = newest([...found, ...records], wanted)),
  );
  return found.slice(query.offset);
}

/** The start of the oldest day that has clicks, Unix milliseconds; null: there are none. */
export async function findFirstClick(context: ClickContext): Promise<number | null> {
  const found = await queryAll(context.env, await findClickLogs(context), (log) => log.firstClickAt());
  const times = found.filter((at) => at !== null);
  return times.length === 0 ? null : Math.min(...times);
}

/** From when on which details of the account's clicks are stored: in all of its ClickLogs. */
export async function readDetailFrom(context: ClickContext): Promise<DetailFrom> {
  return latestDetailFrom(await queryAll(context.env, await findClickLogs(context), (log) => log.detailFrom()));
}

/** The counters of links over the ClickLogs with these names. */
export async function sumCounters(env: Env, names: readonly string[], links: readonly string[]): Promise<Counter[]> {
  const sums = new Map(links.map((linkId): [string, Counter] => [linkId, { linkId, clicks: 0, lastClickedAt: 0 }]));
  await queryEach(
    env,
    names,
    (log) => log.countersOf(links),
    (counters) => {
      for (const { linkId, clicks, lastClickedAt } of counters) {
        const sum = sums.get(linkId);
        if (sum === undefined) continue;
        sum.clicks += clicks;
        sum.lastClickedAt = Math.max(sum.lastClickedAt, lastClickedAt);
      }
    },
  );
  return [...sums.values()];
}
