import type { Value } from "../../database/parameters.ts";
import type { Page } from "../../http/pagination.ts";
import type { ListFilter } from "../list-filter.ts";
import { toSearchWords } from "../search-words.ts";
import { slugKeySql } from "../../redirect/slug-pattern.ts";
import { searchQuery } from "./search-index.ts";
import { firstSequenceAt, sequenceOf } from "./sequence.ts";
import { isCaseSensitive } from "./verified-domains.ts";

/**
 * A statement that reads a list of links. All of them bind the same values, so that each part of their SQL is a constant:
 *
 * - ?1 the account, ?2 the current time
 * - ?3 the domain, ?4 the status, ?5 the slug, ?6 the externalId, ?7 the URL
 * - ?8 the query of the search index, ?9 the words of the search that are too short for it
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

/** The columns that lists are sorted by, with their indexes. null: the order of creation, which all indexes have. */
const SORTS = {
  createdAt: null,
  clicks: { column: "clicks", index: "links_by_clicks" },
  lastClickedAt: { column: "last_clicked_at", index: "links_by_last_click" },
} as const;

/** The value of a link that the list is sorted by; null in the order of creation. */
export function sortValue(sort: ListOrder["sort"], row: { clicks: number; last_clicked_at: number }): number | null {
  const sorted = SORTS[sort];
  return sorted === null ? null : row[sorted.column];
}

/** Selects columns of the links of a page. */
export function pageStatement(request: ListRequest, list: ListOrder, page: Page, columns: string): ListStatement {
  const { filter } = request;
  const { sort, order } = list;
  const column = SORTS[sort]?.column;
  const keys = keyRange(filter, column === undefined ? page.after : null, order);
  const conditions = conditionsOf(filter, keys);
  if (column !== undefined && page.after !== null)
    conditions.push(`(l.${column}, l.rowid) ${order === "desc" ? "<" : ">"} (?12, ?13)`);
  const links = selectLinks(`${columns}, l.rowid AS position`, filter, sort, conditions);
  const orderBy = column === undefined ? `position ${order}` : `${column} ${order}, position ${order}`;
  return { sql: `${links} ORDER BY ${orderBy} LIMIT ?14 OFFSET ?15`, values: toValues(request, keys, page) };
}

/** Counts the links that match, up to `max`, as `matches`. */
export function countStatement(request: ListRequest, max: number): ListStatement {
  const { filter } = request;
  const keys = keyRange(filter, null, "desc");
  const links = selectLinks("1", filter, "createdAt", conditionsOf(filter, keys));
  const sql = `SELECT count(*) AS matches FROM (${links} LIMIT ?14 OFFSET ?15)`;
  return { sql, values: toValues(request, keys, firstPage(max)) };
}

export function firstPage(limit: number): Page {
  return { limit, offset: 0, after: null, afterValue: null };
}

function toValues({ accountId, now, filter }: ListRequest, keys: KeyRange, page: Page): Value[] {
  const { domain = null, status = null, slug = null, externalId = null, url = null } = filter;
  const filters = [
    domain,
    status,
    slug,
    externalId,
    url,
    searchQuery(accountId, filter),
    JSON.stringify(toPatterns(filter)),
  ];
  const range = [keys.from, keys.until].map((key) => key?.toString() ?? null);
  const previous = page.after === null ? [null, null] : [page.afterValue ?? 0, sequenceOf(page.after)];
  return [accountId, now, ...filters, ...range, ...previous, page.limit, page.offset];
}

/** Keys of links. null: no bound. */
interface KeyRange {
  from: bigint | null;
  /** Exclusive. */
  until: bigint | null;
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

/** Selects the links `l` that match, from an index that has them in the order of the list. */
function selectLinks(
  columns: string,
  filter: ListFilter,
  sort: ListOrder["sort"],
  conditions: readonly string[],
): string {
  if (usesSearchIndex(filter, sort)) {
    const found = ["l.links_fts MATCH ?8", ...conditions].join(" AND ");
    return `SELECT ${columns} FROM ${searchedLinks(filter)} WHERE ${found}`;
  }
  const index = SORTS[sort]?.index ?? indexOf(filter);
  const found = ["l.account_id = ?1", ...columnConditions(filter), ...conditions].join(" AND ");
  // No index has archived and other links in one order. Each part is read in the order of its index, and both are merged.
  return { exclude: [0], include: [0, 1], only: [1] }[filter.archived]
    .map(
      (archived) => `SELECT ${columns} FROM links AS l INDEXED BY ${index} WHERE l.archived = ${archived} AND ${found}`,
    )
    .join(" UNION ALL ");
}

/** The table has indexes for the account, the account's status and the account's domain. */
function usesSearchIndex(filter: ListFilter, sort: ListOrder["sort"]): boolean {
  const { search, tags, url, slug, externalId, status, domain, created } = filter;
  const isInSearchIndexOnly = [search, url, slug, externalId, tags[0]].some((value) => value !== undefined);
  const isRangeInOtherOrder = sort !== "createdAt" && (created.from ?? created.until) !== undefined;
  return isInSearchIndexOnly || isRangeInOtherOrder || (status !== undefined && domain !== undefined);
}

/** The index in the order of creation. Unless it is named, a range of times may be read from the links of all accounts. */
function indexOf({ status, domain }: ListFilter): string {
  if (status !== undefined) return "links_by_status";
  return domain === undefined ? "links_by_account" : "links_by_domain";
}

/** Conditions that the search index has as terms. */
function columnConditions({ status, domain }: ListFilter): string[] {
  const conditions: string[] = [];
  if (status !== undefined) conditions.push("iif(l.disabled, 'disabled', l.status) = ?4");
  if (domain !== undefined) conditions.push("l.domain = ?3");
  return conditions;
}

/** Conditions on the links that an index finds. */
function conditionsOf({ search, status, externalId, url }: ListFilter, keys: KeyRange): string[] {
  const conditions: string[] = [];
  if (keys.from !== null) conditions.push("l.rowid >= ?10");
  if (keys.until !== null) conditions.push("l.rowid < ?11");
  // The search index has a hash of the URL.
  if (url !== undefined) conditions.push("l.url = ?7");
  if (externalId !== undefined) conditions.push("l.external_id = ?6");
  // Links that are due are still active until the next run of the cron.
  if (status === "active") conditions.push(IS_NOT_DUE);
  return [...conditions, ...toPatterns({ search }).map((_, word) => hasShortWord(word))];
}

const IS_NOT_DUE = "(l.expires_at IS NULL OR l.expires_at > ?2) AND (l.max_clicks IS NULL OR l.visits < l.max_clicks)";

/**
 * The link has one of the words that are too short for the search index. It is evaluated for the links that the index finds
 * by the other words, so a page of links reads those that it leaves out, too.
 */
function hasShortWord(word: number): string {
  const text =
    "l.slug || char(10) || l.url_start || char(10) || ifnull(l.title, '') || char(10) || ifnull(l.external_id, '')";
  return `(${text} LIKE ?9 ->> '$[${word}].lower' ESCAPE '\\' OR ${text} LIKE ?9 ->> '$[${word}].upper' ESCAPE '\\')`;
}

/** Patterns of the short words. LIKE disregards the case of ASCII letters only. */
function toPatterns({ search }: Pick<ListFilter, "search">): { lower: string; upper: string }[] {
  if (search === undefined) return [];
  return toSearchWords(search).short.map((word) => ({
    lower: toPattern(word.toLowerCase()),
    upper: toPattern(word.toUpperCase()),
  }));
}

function toPattern(word: string): string {
  return `%${word.replaceAll(/[%_\\]/g, "\\$&")}%`;
}

/** The links of the search index: the few that can have the slug or the externalId, or all. */
function searchedLinks({ slug, externalId, domain }: ListFilter): string {
  if (slug !== undefined)
    return `(${domain === undefined ? WITH_SLUG : WITH_SLUG_AT_DOMAIN}) CROSS JOIN links_fts AS l ON l.rowid = seq`;
  if (externalId !== undefined) return `(${WITH_EXTERNAL_ID}) CROSS JOIN links_fts AS l ON l.rowid = seq`;
  return "links_fts AS l";
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
