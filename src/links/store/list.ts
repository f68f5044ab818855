import type { RequestContext } from "../../context.ts";
import { Parameters } from "../../database/parameters.ts";
import type { Page } from "../../http/pagination.ts";
import { CRON_BATCH_ROWS } from "../../limits.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import type { ListQuery } from "../contract.ts";
import { expireDueLinksOfAccount } from "./expiry.ts";
import { LINK_COLUMNS, tagsToText, type LinkRow } from "./row.ts";
import { sequenceOf } from "./sequence.ts";

export type ListFilter = Pick<ListQuery, "search" | "tag" | "status"> & {
  /** '' is the service's own domain. */
  domain: string | undefined;
  archived: "exclude" | "include" | "only";
};

/** Links with equal values are in the order of creation. */
export interface ListOrder {
  sort: keyof typeof SORT_COLUMNS;
  order: "asc" | "desc";
}

const SORT_COLUMNS = { createdAt: null, clicks: "clicks", lastClickedAt: "last_clicked_at" } as const;

/**
 * Returns a page of the account's links and one link more. Every combination of filters has an index in the order of
 * creation, so a page reads only its own rows. Sorted by clicks and without filters it does so too; with filters it also
 * reads the account's links that it skips.
 */
export async function listLinks(
  context: RequestContext,
  filter: ListFilter,
  order: ListOrder,
  page: Page,
): Promise<LinkRow[]> {
  const { sql, values } = listStatement(context, filter, order, page);
  if (filter.status !== "expired") {
    return (
      await context.env.DB.prepare(sql)
        .bind(...values)
        .all<LinkRow>()
    ).results;
  }
  // The index only has the links that expiry.ts has made expired.
  for (;;) {
    const batch = new OutboxBatch(context);
    const expired = expireDueLinksOfAccount(batch, context.principal.accountId, context);
    const links = batch.add<LinkRow>(sql, values);
    await batch.commit();
    if (expired.rows.length < CRON_BATCH_ROWS) return links.rows;
  }
}

function listStatement(
  { now, principal: { accountId } }: RequestContext,
  filter: ListFilter,
  { sort, order }: ListOrder,
  page: Page,
): { sql: string; values: Parameters["values"] } {
  const parameters = new Parameters([page.limit + 1, page.offset]);
  const isFullText = usesSearchIndex(filter);
  const conditions = isFullText
    ? [`links_fts MATCH ${parameters.add(matchExpression(accountId, filter))}`]
    : columnConditions(accountId, filter, parameters);
  if (filter.status === "active") {
    // Links that are due are still active until the next run of the cron.
    conditions.push(`(expires_at IS NULL OR expires_at > ${parameters.add(now)})`);
    conditions.push("(max_clicks IS NULL OR visits < max_clicks)");
  }
  const column = SORT_COLUMNS[sort];
  if (page.after !== null) {
    const comparison = order === "desc" ? "<" : ">";
    const value = column === null ? "" : `${parameters.add(page.afterValue ?? 0)}, `;
    const key = column === null ? "" : `${column}, `;
    conditions.push(`(${key}rowid) ${comparison} (${value}${parameters.add(sequenceOf(page.after))})`);
  }
  const select = `SELECT ${LINK_COLUMNS}, rowid AS position FROM ${isFullText ? "links_fts" : "links"} WHERE ${conditions.join(" AND ")}`;
  // Each part is read in the order of its index, and the parts are merged.
  const parts = isFullText
    ? [select]
    : archivedValues(filter).map((archived) => `${select} AND archived = ${archived}`);
  const sql = `${parts.join(" UNION ALL ")}
    ORDER BY ${column === null ? "" : `${column} ${order}, `}position ${order} LIMIT ?1 OFFSET ?2`;
  return { sql, values: parameters.values };
}

function archivedValues({ archived }: ListFilter): (0 | 1)[] {
  return { exclude: [0 as const], include: [0 as const, 1 as const], only: [1 as const] }[archived];
}

/** A link's key in a sorted list, for `nextCursor`. */
export function cursorKey(sort: ListOrder["sort"], row: LinkRow): string {
  const column = SORT_COLUMNS[sort];
  return column === null ? row.id : `${row.id}=${row[column]}`;
}

/** The table has indexes for the account, the account's status and the account's domain. */
function usesSearchIndex({ search, tag, status, domain }: ListFilter): boolean {
  return search !== undefined || tag !== undefined || (status !== undefined && domain !== undefined);
}

function columnConditions(accountId: number, { status, domain }: ListFilter, parameters: Parameters): string[] {
  const conditions = [`account_id = ${parameters.add(accountId)}`];
  if (status !== undefined) conditions.push(`iif(disabled, 'disabled', status) = ${parameters.add(status)}`);
  if (domain !== undefined) conditions.push(`domain = ${parameters.add(domain)}`);
  return conditions;
}

/** The full-text query. The view `searchable_links` in schema.sql makes the terms. */
function matchExpression(accountId: number, filter: ListFilter): string {
  const { search, tag, status, domain } = filter;
  const accounts = archivedValues(filter).map((archived) => `account_term:${quote(accountTerm(accountId, archived))}`);
  const terms = [`(${accounts.join(" OR ")})`];
  if (status !== undefined) terms.push(`status_term:${quote(status.slice(0, 3))}`);
  if (domain !== undefined) terms.push(`domain_term:${quote(`^^${domain}$$`)}`);
  if (tag !== undefined) terms.push(`tags:${quote(tagsToText([tag]))}`);
  if (search !== undefined) terms.push(`{slug url title}:${quote(search)}`);
  return terms.join(" AND ");
}

function accountTerm(accountId: number, archived: 0 | 1): string {
  const digit = (place: number, base = 6_400) => 57_344 + (Math.floor(accountId / place) % base);
  return String.fromCharCode(digit(40_960_000, 3_200) + 3_200 * archived, digit(6_400), digit(1));
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
