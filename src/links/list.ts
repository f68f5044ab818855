import type { Page } from "../http/pagination.ts";
import type { ListQuery } from "./contract.ts";
import { expireDue } from "./expiry.ts";
import { sequenceOf } from "./id.ts";
import { LINK_COLUMNS, type LinkRow } from "./store.ts";

export interface ListFilter {
  search?: string | undefined;
  tag?: string | undefined;
  /** '' for the service's own. */
  domain?: string | undefined;
  status?: ListQuery["status"];
  order: "asc" | "desc";
}

/**
 * A page of an account's links in order of creation, and one link more. `page.after` is the id of the
 * last link of the page before. Every filter has an index that is already in this order, so a page reads
 * its own rows and no others (twice those where the search index finds them), however many links there are.
 */
export async function listLinks(
  db: D1Database,
  accountId: number,
  filter: ListFilter,
  page: Page,
  now: number,
): Promise<LinkRow[]> {
  const statement = usesSearchIndex(filter)
    ? searchIndexed(db, accountId, filter, page)
    : treeIndexed(db, accountId, filter, page);
  if (filter.status === undefined) return (await statement.all<LinkRow>()).results;
  // A filter by status is exact: what has fallen due since the cron last ran is moved first.
  const [, rows] = await db.batch<LinkRow>([expireDue(db, now), statement]);
  return rows?.results ?? [];
}

/** One B-tree serves the account, the account's status and the account's domain; all else is a question to the search index. */
function usesSearchIndex(filter: ListFilter): boolean {
  return (
    filter.search !== undefined ||
    filter.tag !== undefined ||
    (filter.status !== undefined && filter.domain !== undefined)
  );
}

function treeIndexed(db: D1Database, accountId: number, filter: ListFilter, page: Page): D1PreparedStatement {
  const parameters: (string | number)[] = [accountId, page.limit + 1, page.offset];
  const conditions = ["account_id = ?1"];
  const where = (condition: string, value: string) => conditions.push(`${condition} ?${parameters.push(value)}`);
  if (filter.status !== undefined) where("status =", filter.status);
  if (filter.domain !== undefined) where("domain =", filter.domain);
  if (page.after !== null) where(filter.order === "desc" ? "seq <" : "seq >", sequenceOf(page.after));
  return db
    .prepare(
      `SELECT ${LINK_COLUMNS} FROM links WHERE ${conditions.join(" AND ")} ORDER BY seq ${filter.order} LIMIT ?2 OFFSET ?3`,
    )
    .bind(...parameters);
}

function searchIndexed(db: D1Database, accountId: number, filter: ListFilter, page: Page): D1PreparedStatement {
  const parameters: (string | number)[] = [matchExpression(accountId, filter), page.limit + 1, page.offset];
  const conditions = ["links_fts MATCH ?1"];
  // The index knows no case; tags do.
  if (filter.tag !== undefined)
    conditions.push(`instr(links.tags, ?${parameters.push(JSON.stringify(filter.tag))}) > 0`);
  if (page.after !== null)
    conditions.push(
      `links_fts.rowid ${filter.order === "desc" ? "<" : ">"} ?${parameters.push(sequenceOf(page.after))}`,
    );
  return db
    .prepare(
      `SELECT ${LINK_COLUMNS.replaceAll(/\w+/g, "links.$&")} FROM links_fts CROSS JOIN links ON links.seq = links_fts.rowid
       WHERE ${conditions.join(" AND ")} ORDER BY links_fts.rowid ${filter.order} LIMIT ?2 OFFSET ?3`,
    )
    .bind(...parameters);
}

/** The full-text query; the terms are those of the view `link_terms` in schema.sql. */
function matchExpression(accountId: number, filter: ListFilter): string {
  const terms = [`account:${quote(accountTerm(accountId))}`];
  if (filter.status !== undefined) terms.push(`status:${quote(filter.status.slice(0, 3))}`);
  if (filter.domain !== undefined) terms.push(`domain:${quote(`^^${filter.domain}$$`)}`);
  if (filter.tag !== undefined) terms.push(`tags:${quote(`\u001f${filter.tag}\u001f`)}`);
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
