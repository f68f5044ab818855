import type { AccountContext } from "../../context.ts";
import { Parameters } from "../../database/parameters.ts";
import type { Page } from "../../http/pagination.ts";
import { CRON_BATCH_ROWS, MAX_COUNTED_LINKS } from "../../limits.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { expireDueLinksOfAccount } from "./expiry.ts";
import { archivedValues, candidatesOf, matchExpression, type ListFilter } from "./list-filter.ts";
import { LINK_COLUMNS, type LinkRow } from "./row.ts";
import { firstSequenceAt, sequenceOf } from "./sequence.ts";

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
  const count = countStatement(context, filter, order);
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
  const { table, from, conditions } = describeList(context, filter, list, parameters);
  const column = SORT_COLUMNS[sort];
  if (page.after !== null) {
    const comparison = order === "desc" ? "<" : ">";
    const value = column === null ? "" : `${parameters.add(page.afterValue ?? 0)}, `;
    const key = column === null ? "" : `${column}, `;
    conditions.push(`(${key}${table}.rowid) ${comparison} (${value}${parameters.add(sequenceOf(page.after))})`);
  }
  const select = `SELECT ${columns}, ${table}.rowid AS position FROM ${from} WHERE ${conditions.join(" AND ")}`;
  const sql = `${partsOf(select, table, filter).join(" UNION ALL ")}
    ORDER BY ${column === null ? "" : `${column} ${order}, `}position ${order} LIMIT ?1 OFFSET ?2`;
  return { sql, values: parameters.values };
}

function countStatement(context: AccountContext, filter: ListFilter, list: ListOrder): Statement {
  const parameters = new Parameters([MAX_COUNTED_LINKS + 1]);
  const { table, from, conditions } = describeList(context, filter, list, parameters);
  const select = `SELECT 1 FROM ${from} WHERE ${conditions.join(" AND ")}`;
  const links = partsOf(select, table, filter).join(" UNION ALL ");
  return { sql: `SELECT count(*) AS matches FROM (${links} LIMIT ?1)`, values: parameters.values };
}

type Table = "links" | "links_fts";

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
  parameters: Parameters,
): { table: Table; from: string; conditions: string[] } {
  const { status, url, created } = filter;
  const table = usesSearchIndex(filter, sort) ? "links_fts" : "links";
  const candidates = candidatesOf(accountId, filter, parameters);
  const conditions =
    table === "links_fts"
      ? [`links_fts MATCH ${parameters.add(matchExpression(accountId, filter))}`]
      : columnConditions(accountId, filter, parameters);
  if (created.from !== undefined) conditions.push(`${table}.rowid >= ${parameters.add(firstSequenceAt(created.from))}`);
  if (created.until !== undefined)
    conditions.push(`${table}.rowid < ${parameters.add(firstSequenceAt(created.until))}`);
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
