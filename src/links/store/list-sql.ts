import type { Value } from "../../platform/database/parameters.ts";
import type { Page } from "../../platform/http/pagination.ts";
import type { ListFilter } from "../list-filter.ts";
import { toPatterns } from "../search-words.ts";
import { toSearchTerm } from "../../platform/lib/tag-key.ts";
import { slugKeySql } from "../../platform/lib/slug.ts";
import { mayHaveVerdict } from "../../redirect/lookup/store/verdict-sql.ts";
import { columnConditions, conditionsOf, onlyDomain, wordsOf, type KeyRange } from "./list-conditions.ts";
import { searchQuery } from "./search-index.ts";
import { firstSequenceAt, sequenceOf } from "./sequence.ts";
import { isCaseSensitive } from "./verified-domains.ts";

/**
 * A statement that reads a list of links. All of them bind the same values, so that each part of their SQL is a constant:
 *
 * - ?1 the account, ?2 the current time
 * - ?3 the domain, if the filter names one, ?4 the statuses, ?5 the slug, ?6 the externalId, ?7 the URL
 * - ?8 the query of the search index
 * - ?9 the patterns of the words, the tags, several domains, and the creators: the index finds candidates, and the conditions compare
 *   them with these
 * - ?10 and ?11 the range of keys: from, and until (exclusive)
 * - ?12 and ?13 the last link of the previous page: the value that the list is sorted by, and its key
 * - ?14 the number of links to read, ?15 the number of links to skip
 */
export interface ListStatement {
  sql: string;
  values: Value[];
}

export interface ListRequest {
  accountId: number;
  /** Unix milliseconds. */
  now: number;
  filter: ListFilter;
}

/** Links with equal values are in the order of creation. */
export interface ListOrder {
  sort: keyof typeof SORTS;
  order: "asc" | "desc";
}

/** The columns that lists are sorted by, with their indexes of clicked links. null: the order of creation, which all indexes have. */
const SORTS = {
  createdAt: null,
  clicks: { column: "all_clicks", index: "links_by_clicks" },
  lastClickedAt: { column: "last_clicked_at", index: "links_by_last_click" },
} as const;

/** The value of a link that the list is sorted by; null in the order of creation. */
export function sortValue(
  sort: ListOrder["sort"],
  row: { clicks: number; imported_clicks: number; last_clicked_at: number },
): number | null {
  if (SORTS[sort] === null) return null;
  return sort === "clicks" ? row.clicks + row.imported_clicks : row.last_clicked_at;
}

/** Selects columns of the links of a page. */
export function pageStatement(request: ListRequest, list: ListOrder, page: Page, columns: string): ListStatement {
  const { filter } = request;
  const { sort, order } = list;
  const column = SORTS[sort]?.column;
  const keys = keyRange(filter, column === undefined ? page.after : null, order);
  const position = positionOf(filter, sort);
  const conditions = conditionsOf(filter, position, keys);
  const sorted = column === undefined ? "" : `, l.${column} AS sorted`;
  const links = selectLinks(`${columns}, ${position} AS position${sorted}`, filter, conditions, { ...list, page });
  const orderBy = column === undefined ? `position ${order}` : `sorted ${order}, position ${order}`;
  return { sql: `${links} ORDER BY ${orderBy} LIMIT ?14 OFFSET ?15`, values: toValues(request, keys, page) };
}

/** Counts the links that match, up to `max`, as `matches`. */
export function countStatement(request: ListRequest, max: number): ListStatement {
  const { filter } = request;
  const keys = keyRange(filter, null, "desc");
  const list = { sort: "createdAt", order: "desc", page: firstPage(max) } as const;
  const links = selectLinks("1", filter, conditionsOf(filter, positionOf(filter, list.sort), keys), list);
  const sql = `SELECT count(*) AS matches FROM (${links} LIMIT ?14 OFFSET ?15)`;
  return { sql, values: toValues(request, keys, list.page) };
}

export function firstPage(limit: number): Page {
  return { limit, offset: 0, after: null, afterValue: null };
}

function toValues({ accountId, now, filter }: ListRequest, keys: KeyRange, page: Page): Value[] {
  const { domains, statuses = null, slug = null, externalId = null, url = null } = filter;
  const filters = [
    onlyDomain(filter) ?? null,
    statuses && JSON.stringify(statuses.map((status) => (status === "scheduled" ? "active" : status))),
    slug,
    externalId,
    url,
    searchQuery(accountId, filter),
    JSON.stringify({
      words: wordsOf(filter).map(toPatterns),
      tags: filter.tags.map(toSearchTerm),
      withoutTags: filter.withoutTags.map(toSearchTerm),
      domains,
      creators: filter.creators,
      withoutCreators: filter.withoutCreators,
    }),
  ];
  const range = [keys.from, keys.until].map((key) => key?.toString() ?? null);
  const previous = page.after === null ? [null, null] : [page.afterValue ?? 0, sequenceOf(page.after)];
  return [accountId, now, ...filters, ...range, ...previous, page.limit, page.offset];
}

/**
 * The keys of links in the time of the filter and, in the order of creation, after the link `after`. With two conditions for
 * one end of the range, SQLite may read all rows up to the wider one.
 */
function keyRange({ created }: ListFilter, after: string | null, order: ListOrder["order"]): KeyRange {
  const [from, until] = [keyAt(created.from), keyAt(created.until)];
  if (after === null) return { from, until };
  const key = BigInt(sequenceOf(after));
  if (order === "desc") return { from, until: until !== null && until < key ? until : key };
  return { from: from !== null && from > key ? from : key + 1n, until };
}

function keyAt(time: number | undefined): bigint | null {
  return time === undefined ? null : BigInt(firstSequenceAt(time));
}

interface PageOfList extends ListOrder {
  page: Page;
}

/** Selects the links `l` that match, from indexes that have them in the order of the list. */
function selectLinks(
  columns: string,
  filter: ListFilter,
  conditions: readonly string[],
  { sort, order, page }: PageOfList,
): string {
  if (usesSearchIndex(filter, sort)) {
    const found = [...conditions, ...afterPage(sort, order, page)].join(" AND ") || "true";
    return `SELECT ${columns} FROM ${candidates(filter)} CROSS JOIN links AS l ON l.rowid = hit WHERE ${found}`;
  }
  const parts = partsOf(filter, { sort, order, page });
  const found = ["l.account_id = ?1", ...columnConditions(filter), ...conditions].join(" AND ");
  const archivedValues = { exclude: [0], include: [0, 1], only: [1] }[filter.archived];
  // No index has all of these links in one order. Each part is read in the order of its index, and all are merged.
  return archivedValues
    .flatMap((archived) =>
      parts.map(
        ({ from, condition }) =>
          `SELECT ${columns} FROM ${from} WHERE l.archived = ${archived} AND ${condition} AND ${found}`,
      ),
    )
    .join(" UNION ALL ");
}

/** A part of the account's links `l`, from the index that has it. */
interface Part {
  from: string;
  condition: string;
}

/** Unless the index is named, a range of times may be read from the links of all accounts. */
const partOf = (index: string, condition: string): Part => ({ from: `links AS l INDEXED BY ${index}`, condition });

const UNCLICKED = partOf("links_by_account_unclicked", "l.all_clicks = 0");
const CLICKED = partOf("links_by_account_clicked", "l.all_clicks <> 0");

/** Few links have a broken destination, so they are read first in each order of the list. */
const BROKEN: Part = {
  // Only these columns: others have the names of a link's.
  from: `(SELECT link_id, link_seq, visited_hash FROM destinations INDEXED BY destinations_broken
    WHERE account_id = ?1 AND broken_since IS NOT NULL) AS b CROSS JOIN links AS l ON l.rowid = b.link_seq AND l.id = b.link_id`,
  condition: "b.visited_hash = l.url_hash",
};

/** The column with the order of creation, of the index that the links are read from. */
function positionOf(filter: ListFilter, sort: ListOrder["sort"]): string {
  if (usesSearchIndex(filter, sort)) return "hit";
  return filter.destination === undefined ? "l.rowid" : "b.link_seq";
}

function partsOf(filter: ListFilter, { sort, order, page }: PageOfList): Part[] {
  if (filter.destination !== undefined) {
    const condition = [BROKEN.condition, ...afterPage(sort, order, page)].join(" AND ");
    return [{ ...BROKEN, condition }];
  }
  if (sort !== "createdAt") return sortedParts(filter, { sort, order, page });
  if (filter.verdicts?.includes("allowed") === false) return [partOf("links_by_verdict", mayHaveVerdict)];
  return onlyDomain(filter) === undefined ? [UNCLICKED, CLICKED] : [partOf("links_by_domain", "l.domain <> ''")];
}

/**
 * Links without clicks are in the order of creation, before or after all others. A link with imported clicks alone has a last click
 * at 0, and is among them.
 */
function sortedParts({ archived }: ListFilter, { sort, order, page }: PageOfList): Part[] {
  const sorted = SORTS[sort];
  if (sorted === null) return [];
  const { column, index } = sorted;
  const side = order === "desc" ? "<" : ">";
  // Of a row value, SQLite uses the first column of the index alone, and reads equal links of the pages before again. With archived
  // links, D1 refuses so many parts.
  const rests =
    page.after === null || archived === "include"
      ? [afterPage(sort, order, page)]
      : [[`l.${column} = ?12`, `l.rowid ${side} ?13`], [`l.${column} ${side} ?12`]];
  const clicked = rests.map((rest) => partOf(index, [CLICKED.condition, ...rest].join(" AND ")));
  // SQLite would read the unclicked links of the pages before.
  const wasClicked = page.after !== null && (page.afterValue ?? 0) > 0;
  if (wasClicked && order === "asc") return clicked;
  const after = page.after === null || wasClicked ? "" : ` AND l.rowid ${side} ?13`;
  const condition = `${UNCLICKED.condition} AND l.${column} = 0${after}`;
  return [...clicked, { ...UNCLICKED, condition }];
}

/** The condition on the links after the last one of the previous page, in an order other than that of creation. */
function afterPage(sort: keyof typeof SORTS, order: ListOrder["order"], page: Page): string[] {
  const column = SORTS[sort]?.column;
  if (column === undefined || page.after === null) return [];
  return [`(l.${column}, l.rowid) ${order === "desc" ? "<" : ">"} (?12, ?13)`];
}

/** The table has indexes for the account and for its custom domains. In other orders, it is read with these filters too. */
function usesSearchIndex(filter: ListFilter, sort: ListOrder["sort"]): boolean {
  const { search, tags, url, slug, externalId, statuses, domains, created, destination } = filter;
  const namesCreators = filter.creators.length + filter.withoutCreators.length > 0;
  const isInSearchIndexOnly = [search, url, slug, externalId, tags[0]].some((value) => value !== undefined);
  if (!isInSearchIndexOnly && destination !== undefined) return false;
  if (isInSearchIndexOnly || ((statuses !== undefined || namesCreators) && domains.length > 0)) return true;
  // The table has the links of one custom domain in the order of creation.
  const isListed = statuses !== undefined || namesCreators || domains.length > 1 || domains[0] === "";
  return sort === "createdAt" ? isListed : (created.from ?? created.until) !== undefined;
}

/** The keys of links that the search index finds: among the few that can have the slug or the externalId, or among all. */
function candidates(filter: ListFilter): string {
  const { slug, externalId } = filter;
  const found = "SELECT rowid AS hit FROM links_fts WHERE links_fts MATCH ?8";
  if (slug !== undefined)
    return `(${found} AND rowid IN (${onlyDomain(filter) === undefined ? WITH_SLUG : WITH_SLUG_AT_DOMAIN}))`;
  return externalId === undefined ? `(${found})` : `(${found} AND rowid IN (${WITH_EXTERNAL_ID}))`;
}

const WITH_EXTERNAL_ID = "SELECT seq FROM links WHERE account_id = ?1 AND external_id = ?6";

const WITH_SLUG_KEY = `
  SELECT seq FROM keys CROSS JOIN links o INDEXED BY links_by_slug ON o.domain = keys.domain AND o.slug_key = keys.slug_key
  UNION ALL
  SELECT link_seq FROM keys CROSS JOIN aliases a ON a.domain = keys.domain AND a.slug_key = keys.slug_key`;

const WITH_SLUG = `
  WITH keys (domain, slug_key) AS NOT MATERIALIZED (
    SELECT '', ${slugKeySql("?5", "false")}
    UNION ALL
    SELECT domain, ${slugKeySql("?5", "case_sensitive")} FROM domains WHERE account_id = ?1)
  ${WITH_SLUG_KEY}`;

const WITH_SLUG_AT_DOMAIN = `
  WITH keys (domain, slug_key) AS NOT MATERIALIZED (
    SELECT ?3, ${slugKeySql("?5", isCaseSensitive("?1", "?3"))})
  ${WITH_SLUG_KEY}`;
