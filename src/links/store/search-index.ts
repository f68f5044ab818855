import { fnv1a } from "../../platform/lib/fnv1a.ts";
import { toSearchTerm } from "../../platform/lib/tag-key.ts";
import type { LinkStatus } from "../list-contract.ts";
import type { ListFilter } from "../list-filter.ts";
import { toSearchWords, toSpellings, toTrigrams } from "../search-words.ts";

/**
 * Queries of the search index, the table `links_fts`, in the language of SQLite's full-text search. The view
 * `searchable_links` in schema.sql makes the terms. The index does not have their places in a text, so what it finds are
 * candidates: texts that have all trigrams of a word, tag or domain. The conditions of a statement decide.
 */

/** Finds the candidates for the account's links that match the filter, except for `slug`, `externalId` and `created`. */
export function searchQuery(accountId: number, filter: ListFilter): string {
  const { search, tags, tagMode, url, statuses, domains, archived, creators, withoutCreators } = filter;
  const ofAccount = (column: string, kind: number) => accountQuery(column, accountId, archived, kind);
  const terms: string[] = [];
  const domainQuery = (domain: string) =>
    domain === "" ? ofAccount("domain_term", SERVICE_DOMAIN_KIND) : `domain_term:${allOf(toTrigrams(`^^${domain}$$`))}`;
  if (statuses !== undefined) terms.push(anyOf(kindsOf(statuses).map((kind) => ofAccount("status_term", kind))));
  if (domains.length > 0 && domains.every((domain) => domain === "")) terms.push(domainQuery(""));
  // The others have the account in their terms.
  if (terms.length === 0) terms.push(ofAccount("account_term", ALL_KIND));
  if (domains.some((domain) => domain !== "")) terms.push(anyOf(domains.map(domainQuery)));
  if (url !== undefined) terms.push(`url_term:${quote(toTerm(fnv1a(url)))}`);
  if (tags.length > 0) terms.push(`(${tags.map(tagQuery).join(tagMode === "all" ? " AND " : " OR ")})`);
  if (search !== undefined) terms.push(...wordQueries(search));
  if (creators.length > 0) terms.push(anyOf(creators.map(creatorQuery)));
  const found = terms.join(" AND ");
  return withoutCreators.length > 0 ? `(${found}) NOT ${anyOf(withoutCreators.map(creatorQuery))}` : found;
}

/** Finds the candidates for the account's links with the tag, archived ones included. */
export function tagSearchQuery(accountId: number, tag: string): string {
  return `${accountQuery("account_term", accountId, "include", ALL_KIND)} AND ${tagQuery(tag)}`;
}

/** What a term of an account stands for. Archived links have the next number. */
const ALL_KIND = 0;
const WITH_START_KIND = 10;
const STATUS_KINDS = {
  active: [2, WITH_START_KIND],
  scheduled: [WITH_START_KIND],
  expired: [4],
  disabled: [6],
} as const;
const SERVICE_DOMAIN_KIND = 8;
/** The numbers of accounts that each kind has room for, in units of 6,400 * 6,400. */
const KIND_ROOM = 530;

/** Links that are stored as active have a kind of their own if they have a start, in the past or in the future. */
function kindsOf(statuses: readonly LinkStatus[]): number[] {
  return [...new Set(statuses.flatMap((status): readonly number[] => STATUS_KINDS[status]))];
}

function accountQuery(column: string, accountId: number, archived: ListFilter["archived"], kind: number): string {
  const [isPresent, isArchived] = [kind, kind + 1].map((each) => quote(accountTerm(accountId, each)));
  const terms = { exclude: isPresent, include: `(${isPresent} OR ${isArchived})`, only: isArchived };
  return `${column}:${terms[archived]}`;
}

function tagQuery(tag: string): string {
  return `tag_keys:${allOf(toTrigrams(toSearchTerm(tag)))}`;
}

/** The last nine hexadecimal digits of an id, three in each character. */
function creatorQuery(id: string): string {
  const digits = id.slice(-9).match(/.{3}/g) ?? [];
  return `creator_term:${quote(String.fromCharCode(...digits.map((each) => 57_344 + Number.parseInt(each, 16))))}`;
}

function wordQueries(search: string): string[] {
  return toSearchWords(search)
    .filter((word) => toTrigrams(word).length > 0)
    .map((word) => {
      const spellings = toSpellings(word)
        .map(toTrigrams)
        .filter((trigrams) => trigrams.length > 0);
      return `{slug url_start title external_id}:(${spellings.map(allOf).join(" OR ")})`;
    });
}

function anyOf(queries: readonly string[]): string {
  return `(${queries.join(" OR ")})`;
}

function allOf(trigrams: readonly string[]): string {
  return `(${trigrams.map(quote).join(" AND ")})`;
}

/** For account numbers below 21 billion. */
function accountTerm(accountId: number, kind: number): string {
  return toTerm(accountId + kind * KIND_ROOM * 6_400 * 6_400);
}

/** A number below 2^37 as one term of the index: three private-use characters. */
function toTerm(number: number): string {
  const digit = (place: number) => 57_344 + (Math.floor(number / place) % 6_400);
  return String.fromCharCode(digit(6_400 * 6_400), digit(6_400), digit(1));
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
