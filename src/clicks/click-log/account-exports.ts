import { DAY_MS } from "../../duration.ts";
import { MAX_EXPORT_CLICKS } from "../../limits.ts";
import type { ExportCursor, ExportPage, ExportQuery, ExportStart } from "./exports.ts";
import type { RollupCursor, RollupPage } from "./rollup-pages.ts";
import { clickLogsOn, findClickLogs, findShards, queryClickLog, type ClickContext } from "./stub.ts";
import { retentionBounds } from "../retention-days.ts";
import { MAX_EMPTY_READS_PER_PAGE } from "../limits.ts";

// Exports of an account's clicks, page by page. An account with one ClickLog needs one call for a page; several are read one after
// the other, the single clicks day by day, so that the newest day comes first all the same.

/** Where the next page of an account with several ClickLogs starts. */
interface ShardCursor<Cursor> {
  /** The name of the ClickLog. */
  log: string;
  /** The UTC day, days since 1970. */
  day: number;
  /** The `next` of the page before; null: the ClickLog is read from the beginning of the day. */
  after: Cursor | null;
}

/** Where the next page of single clicks starts. */
export type AccountExportCursor = ExportCursor | ShardCursor<ExportCursor>;

/** Where the next page of counted clicks starts. */
export type AccountRollupCursor = RollupCursor | Omit<ShardCursor<RollupCursor>, "day">;

type Page<P, Cursor> = Omit<P, "next"> & { next: Cursor | null };

/** Single clicks of the period's days, without crawlers. Each ClickLog stops above `max`; null: there is none. */
export async function countExport(
  context: ClickContext,
  query: ExportQuery,
  max: number | null = null,
): Promise<number> {
  let count = 0;
  for (const name of await findClickLogs(context, query.links)) {
    count += await queryClickLog(context.env, name, (log) => log.countExport(query, max));
    if (max !== null && count > max) return count;
  }
  return count;
}

/** Begins an export if no other one of the account has its turn, and if the period does not have too many clicks. */
export async function beginExport(context: ClickContext, id: string, query: ExportQuery): Promise<ExportStart> {
  const names = await findClickLogs(context, query.links);
  const [first = ""] = names;
  const start = await queryClickLog(context.env, first, (log) => log.beginExport(id, query));
  if (names.length === 1 || start.waitMs > 0 || start.isTooLarge) return start;
  const isTooLarge = (await countExport(context, query, MAX_EXPORT_CLICKS)) > MAX_EXPORT_CLICKS;
  if (isTooLarge) await endExport(context, id, query);
  return { waitMs: 0, isTooLarge };
}

export async function endExport(
  context: ClickContext,
  id: string,
  { links }: Pick<ExportQuery, "links">,
): Promise<void> {
  for (const name of await findClickLogs(context, links))
    await queryClickLog(context.env, name, (log) => log.endExport(id));
}

/** The next page of single clicks, the newest day first. */
export async function readExport(
  context: ClickContext,
  id: string,
  query: ExportQuery,
  after: AccountExportCursor | null,
): Promise<Page<ExportPage, AccountExportCursor>> {
  const { env } = context;
  const shards = await findShards(context);
  const [first = ""] = clickLogsOn(context, [], query.links);
  if (shards.length === 0 && !isShardCursor(after))
    return queryClickLog(env, first, (log) => log.readExport(id, query, after));
  const days = daysOf(query, retentionBounds(env).most);
  let next: ShardCursor<ExportCursor> | null = isShardCursor(after)
    ? after
    : { log: first, day: after?.day ?? days.last, after };
  for (let reads = 1; next !== null; reads++) {
    const { log, day, after: row }: ShardCursor<ExportCursor> = next;
    const page: ExportPage = await queryClickLog(env, log, (each) => each.readExport(id, onlyDay(query, day), row));
    if (page.waitMs > 0) return { ...page, next };
    if (page.next !== null) next = { log, day, after: page.next };
    else next = nextLog(clickLogsOn(context, shards, query.links, day), log, day, days.first);
    if (page.clicks.length > 0 || reads === MAX_EMPTY_READS_PER_PAGE) return { ...page, next };
  }
  return { waitMs: 0, clicks: [], next: null };
}

function onlyDay(query: ExportQuery, day: number): ExportQuery {
  return { ...query, start: Math.max(query.start, day * DAY_MS), end: Math.min(query.end, (day + 1) * DAY_MS) };
}

/** The ClickLog to read after this one, which has no more clicks of the day. `names` are those with clicks of the day. */
function nextLog(
  names: readonly string[],
  log: string,
  day: number,
  firstDay: number,
): ShardCursor<ExportCursor> | null {
  const [first = ""] = names;
  const following = nextName(names, log);
  if (following !== null) return { log: following, day, after: null };
  return day > firstDay ? { log: first, day: day - 1, after: null } : null;
}

function nextName(names: readonly string[], name: string): string | null {
  const at = names.indexOf(name);
  return at === -1 ? null : (names[at + 1] ?? null);
}

/** The days of the period that can have single clicks. `most` is for how many days any account keeps them. */
function daysOf({ start, end }: ExportQuery, most: number): { first: number; last: number } {
  const today = Math.floor(Date.now() / DAY_MS);
  return {
    first: Math.max(Math.floor(start / DAY_MS), today - most - 1),
    // The clocks of the isolates that captured the clicks may be ahead.
    last: Math.min(Math.floor((end - 1) / DAY_MS), today + 1),
  };
}

/** The next page of clicks that are only counted, the oldest day of each ClickLog first. */
export async function readRollups(
  context: ClickContext,
  after: AccountRollupCursor | null,
): Promise<Page<RollupPage, AccountRollupCursor>> {
  const names = await findClickLogs(context);
  const [first = ""] = names;
  const { log, after: row } = isShardCursor(after) ? after : { log: first, after };
  const page = await queryClickLog(context.env, log, (each) => each.readRollups(row));
  if (names.length === 1) return page;
  if (page.next !== null) return { ...page, next: { log, after: page.next } };
  const following = nextName(names, log);
  return { ...page, next: following === null ? null : { log: following, after: null } };
}

function isShardCursor<S extends { log: string }>(cursor: object | S | null): cursor is S {
  return cursor !== null && "log" in cursor;
}
