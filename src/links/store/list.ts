import type { AccountContext } from "../../context.ts";
import { Parameters } from "../../database/parameters.ts";
import type { Page } from "../../http/pagination.ts";
import { CRON_BATCH_ROWS } from "../../limits.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { expireDueLinksOfAccount } from "./expiry.ts";
import { archivedValues, candidatesOf, matchExpression, shortWordConditions, type ListFilter } from "./list-filter.ts";
import { LINK_COLUMNS, type LinkRow } from "./row.ts";
import { firstSequenceAt, sequenceOf } from "./sequence.ts";
import { MAX_COUNTED_LINKS } from "../limits.ts";

export type { ListFilter } from "./list-filter.ts";

/** Links with equal values are in the order of creation. */
export interface ListOrder {
  sort: keyof typeof SORT_COLUMNS;
  order: "asc" | "desc";
}

const SORT_COLUMNS = { createdAt: null, clicks: "clicks", lastClickedAt: "last_clicked_at" } as const;

interface List {
  /** The links of the page and one link more. */
  rows: LinkRow[];
  /** The number of links on all pages, at most one more than {@link MAX_COUNTED_LINKS}; null if they were not counted. */
  matches: number | null;
}

/**
 * Returns a page of the account's links. Every combination of filters has an index in the order of creation, so a page
 * reads only its own rows. Sorted by clicks and without filters it does so too; with filters it also reads the account's
 * links that it skips.
 */
export async function listLinks(
  context: AccountContext,
  filter: ListFilter,
  order: ListOrder,
  page: Page,
  isCounted: boolean,
): Promise<List> {
  const list = pageStatement(context, filter, order, page);
  const count = countStatement(context, filter, order, MAX_COUNTED_LINKS + 1);
  // The index only has the expired links that expiry.ts has made expired.
  for (;;) {
    const batch = new OutboxBatch(context);
    const expired =
      filter.status === "expired" ? expireDueLinksOfAccount(batch, context.principal.accountId, context) : null;
    const links = batch.add<LinkRow>(list.sql, list.values);
    const counted = isCounted ? batch.add<{ matches: number }>(count.sql, count.values) : null;
    await batch.commit();
    if (expired !== null && expired.rows.length >= CRON_BATCH_ROWS) continue;
    return { rows: links.rows, matches: counted?.first?.matches ?? null };
  }
}

/** Returns the number of the account's links that match, at most `max`. Links whose expiry the cron has not noticed yet count as active. */
export async function countLinks(context: AccountContext, filter: ListFilter, max: number): Promise<number> {
  const { sql, values } = countStatement(context, filter, { sort: "createdAt", order: "desc" }, max);
  const statement = context.env.DB.prepare(sql).bind(...values);
  return (await statement.first<number>("matches")) ?? 0;
}

/** Returns up to `limit` ids of the account's links that match, the newest first, those after `after`. */
export async function listIds(
  context: AccountContext,
  filter: ListFilter,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const page = { limit: limit - 1, offset: 0, after, afterValue: null };
  const { sql, values } = pageStatement(context, filter, { sort: "createdAt", order: "desc" }, page, "id");
  const { results } = await context.env.DB.prepare(sql)
    .bind(...values)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

interface Statement {
  sql: string;
  values: Parameters["values"];
}

function pageStatement(
  context: AccountContext,
  filter: ListFilter,
  list: ListOrder,
  page: Page,
  columns = LINK_COLUMNS,
): Statement {
  const { sort, order } = list;
  const parameters = new Parameters([page.limit + 1, page.offset]);
  const column = SORT_COLUMNS[sort];
  const range = column === null ? cutRange(rangeOf(filter), order, page.after) : rangeOf(filter);
  const { table, from, conditions } = describeList(context, filter, list, range, parameters);
  if (page.after !== null && column !== null) {
    const comparison = order === "desc" ? "<" : ">";
    const value = `${parameters.add(page.afterValue ?? 0)}, ${parameters.add(sequenceOf(page.after))}`;
    conditions.push(`(${column}, ${table}.rowid) ${comparison} (${value})`);
  }
  const select = `SELECT ${columns}, ${table}.rowid AS position FROM ${from} WHERE ${conditions.join(" AND ")}`;
  const sql = `${partsOf(select, table, filter).join(" UNION ALL ")}
    ORDER BY ${column === null ? "" : `${column} ${order}, `}position ${order} LIMIT ?1 OFFSET ?2`;
  return { sql, values: parameters.values };
}

function countStatement(context: AccountContext, filter: ListFilter, list: ListOrder, max: number): Statement {
  const parameters = new Parameters([max]);
  const { table, from, conditions } = describeList(context, filter, list, rangeOf(filter), parameters);
  const select = `SELECT 1 FROM ${from} WHERE ${conditions.join(" AND ")}`;
  const links = partsOf(select, table, filter).join(" UNION ALL ");
  return { sql: `SELECT count(*) AS matches FROM (${links} LIMIT ?1)`, values: parameters.values };
}

type Table = "links" | "links_fts";

/** Keys of links; `until` is exclusive. null: no bound. */
interface Range {
  from: bigint | null;
  until: bigint | null;
}

function rangeOf({ created }: ListFilter): Range {
  return { from: keyAt(created.from), until: keyAt(created.until) };
}

function keyAt(time: number | undefined): bigint | null {
  return time === undefined ? null : BigInt(firstSequenceAt(time));
}

/** The part of the range after the link with this id. With two bounds on one side, SQLite may read all rows up to the wider one. */
function cutRange({ from, until }: Range, order: ListOrder["order"], after: string | null): Range {
  if (after === null) return { from, until };
  const key = BigInt(sequenceOf(after));
  if (order === "desc") return { from, until: until !== null && until < key ? until : key };
  return { from: from !== null && from > key ? from : key + 1n, until };
}

/** The table has no index with and without archived links: each part is read in the order of its index and merged. */
function partsOf(select: string, table: Table, filter: ListFilter): string[] {
  if (table === "links_fts") return [select];
  return archivedValues(filter).map((archived) => `${select} AND archived = ${archived}`);
}

/** The links that match, in SQL. The order only decides which index has them. */
function describeList(
  { now, principal: { accountId } }: AccountContext,
  filter: ListFilter,
  { sort }: ListOrder,
  range: Range,
  parameters: Parameters,
): { table: Table; from: string; conditions: string[] } {
  const { status, url } = filter;
  const table = usesSearchIndex(filter, sort) ? "links_fts" : "links";
  const candidates = candidatesOf(accountId, filter, parameters);
  const conditions =
    table === "links_fts"
      ? [
          `links_fts MATCH ${parameters.add(matchExpression(accountId, filter))}`,
          ...shortWordConditions(filter, parameters),
        ]
      : columnConditions(accountId, filter, parameters);
  if (range.from !== null) conditions.push(`${table}.rowid >= ${parameters.add(range.from.toString())}`);
  if (range.until !== null) conditions.push(`${table}.rowid < ${parameters.add(range.until.toString())}`);
  // The index has a hash of the URL.
  if (url !== undefined) conditions.push(`url = ${parameters.add(url)}`);
  if (status === "active") {
    // Links that are due are still active until the next run of the cron.
    conditions.push(`(expires_at IS NULL OR expires_at > ${parameters.add(now)})`);
    conditions.push("(max_clicks IS NULL OR visits < max_clicks)");
  }
  const from =
    candidates === null
      ? `${table}${sort === "createdAt" && table === "links" ? ` INDEXED BY ${indexFor(filter)}` : ""}`
      : `(${candidates}) candidates CROSS JOIN links_fts ON links_fts.rowid = candidates.seq`;
  return { table, from, conditions };
}

/** The table has indexes for the account, the account's status and the account's domain. */
function usesSearchIndex(filter: ListFilter, sort: ListOrder["sort"]): boolean {
  const { search, tags, url, slug, externalId, status, domain, created } = filter;
  const isInSearchIndexOnly = [search, url, slug, externalId, tags[0]].some((value) => value !== undefined);
  const isRangeInOtherOrder = sort !== "createdAt" && (created.from ?? created.until) !== undefined;
  return isInSearchIndexOnly || isRangeInOtherOrder || (status !== undefined && domain !== undefined);
}

function columnConditions(accountId: number, { status, domain }: ListFilter, parameters: Parameters): string[] {
  const conditions = [`account_id = ${parameters.add(accountId)}`];
  if (status !== undefined) conditions.push(`iif(disabled, 'disabled', status) = ${parameters.add(status)}`);
  if (domain !== undefined) conditions.push(`domain = ${parameters.add(domain)}`);
  return conditions;
}

/** Without it, a range of times may be read from the links of all accounts. */
function indexFor({ status, domain }: ListFilter): string {
  if (status !== undefined) return "links_by_status";
  return domain === undefined ? "links_by_account" : "links_by_domain";
}

/** A link's key in a sorted list, for `nextCursor`. */
export function cursorKey(sort: ListOrder["sort"], row: LinkRow): string {
  const column = SORT_COLUMNS[sort];
  return column === null ? row.id : `${row.id}=${row[column]}`;
}
