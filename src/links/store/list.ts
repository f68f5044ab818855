import type { Page } from "../../http/pagination.ts";
import type { ListQuery } from "../contract.ts";
import { CRON_BATCH_ROWS } from "../../limits.ts";
import { expireDueOfAccount } from "./expiry.ts";
import { sequenceOf } from "./sequence.ts";
import { LINK_COLUMNS, tagsToText, type LinkRow } from "./row.ts";

export interface ListFilter {
  search?: string | undefined;
  tag?: string | undefined;
  /** '' for the service's own. */
  domain?: string | undefined;
  status?: ListQuery["status"];
  sort: keyof typeof SORT_COLUMNS;
  order: "asc" | "desc";
}

/** Links of equal value are in order of creation, like all are without one. */
const SORT_COLUMNS = { createdAt: null, clicks: "clicks", lastClickedAt: "last_clicked_at" } as const;

/**
 * A page of an account's links, and one link more. `page.after` is the id of the last link of the page
 * before. Every filter, and every combination, has an index that is already in order of creation, so a
 * page reads its own rows and no others, however many links there are. So does a page in order of
 * clicks; together with filters that reads as many of the account's links as it passes over.
 */
export async function listLinks(
  db: D1Database,
  accountId: number,
  filter: ListFilter,
  page: Page,
  { now, baseUrl }: { now: number; baseUrl: string },
): Promise<{ rows: LinkRow[]; webhookIds: string[] }> {
  const parameters: (string | number)[] = [page.limit + 1, page.offset];
  const bound = (value: string | number) => `?${parameters.push(value)}`;
  const { table, conditions } = usesSearchIndex(filter)
    ? inSearchIndex(accountId, filter, bound)
    : inTree(accountId, filter, bound);
  // What is over since the cron last ran is not active any more,
  if (filter.status === "active") {
    conditions.push(`(expires_at IS NULL OR expires_at > ${bound(now)})`);
    conditions.push("(max_clicks IS NULL OR visits < max_clicks)");
  }
  const sorted = SORT_COLUMNS[filter.sort];
  const place = sorted === null ? "rowid" : `(${sorted}, rowid)`;
  if (page.after !== null) {
    const seq = bound(sequenceOf(page.after));
    const last = sorted === null ? seq : `(${bound(page.afterValue ?? 0)}, ${seq})`;
    conditions.push(`${place} ${filter.order === "desc" ? "<" : ">"} ${last}`);
  }
  const { order } = filter;
  const statement = db
    .prepare(
      `SELECT ${LINK_COLUMNS} FROM ${table} WHERE ${conditions.join(" AND ")}
       ORDER BY ${sorted === null ? "" : `${sorted} ${order}, `}rowid ${order} LIMIT ?1 OFFSET ?2`,
    )
    .bind(...parameters);
  if (filter.status !== "expired") return { rows: (await statement.all<LinkRow>()).results, webhookIds: [] };
  // and all of it is moved before the expired links are read.
  const woken: string[] = [];
  for (;;) {
    const expiry = expireDueOfAccount(db, accountId, now, baseUrl);
    const results = await db.batch<LinkRow>([...expiry.statements, statement]);
    const { moved, webhookIds } = expiry.read(results);
    woken.push(...webhookIds);
    if (moved < CRON_BATCH_ROWS) return { rows: results.at(-1)?.results ?? [], webhookIds: woken };
  }
}

/** A link's place in a sorted list, for `nextCursor`. */
export function keyIn(sort: ListFilter["sort"], row: LinkRow): string {
  const column = SORT_COLUMNS[sort];
  return column === null ? row.id : `${row.id}=${row[column]}`;
}

/** One B-tree serves the account, the account's status and the account's domain; all else is a question to the search index. */
function usesSearchIndex(filter: ListFilter): boolean {
  return (
    filter.search !== undefined ||
    filter.tag !== undefined ||
    (filter.status !== undefined && filter.domain !== undefined)
  );
}

type Bound = (value: string | number) => string;

function inTree(accountId: number, filter: ListFilter, bound: Bound) {
  const conditions = [`account_id = ${bound(accountId)}`];
  if (filter.status !== undefined) conditions.push(`status = ${bound(filter.status)}`);
  if (filter.domain !== undefined) conditions.push(`domain = ${bound(filter.domain)}`);
  return { table: "links", conditions };
}

function inSearchIndex(accountId: number, filter: ListFilter, bound: Bound) {
  return { table: "links_fts", conditions: [`links_fts MATCH ${bound(matchExpression(accountId, filter))}`] };
}

/** The full-text query; its terms are those of the view `searchable_links` in schema.sql. */
function matchExpression(accountId: number, filter: ListFilter): string {
  const terms = [`account_term:${quote(accountTerm(accountId))}`];
  if (filter.status !== undefined) terms.push(`status_term:${quote(filter.status.slice(0, 3))}`);
  if (filter.domain !== undefined) terms.push(`domain_term:${quote(`^^${filter.domain}$$`)}`);
  if (filter.tag !== undefined) terms.push(`tags:${quote(tagsToText([filter.tag]))}`);
  if (filter.search !== undefined) terms.push(`{slug url title}:${quote(filter.search)}`);
  return terms.join(" AND ");
}

function accountTerm(accountId: number): string {
  const digit = (place: number) => 57_344 + (Math.floor(accountId / place) % 6_400);
  return String.fromCharCode(digit(40_960_000), digit(6_400), digit(1));
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
