import { fnv1a } from "../../lib/fnv1a.ts";
import { toSearchTerm } from "../../lib/tag-key.ts";
import type { ListFilter } from "../list-filter.ts";
import { toSearchWords } from "../search-words.ts";

/**
 * Queries of the search index, the table `links_fts`, in the language of SQLite's full-text search. The view
 * `searchable_links` in schema.sql makes the terms.
 */

/** Finds the account's links that match the filter, except for `slug`, `externalId` and `created`. */
export function searchQuery(accountId: number, filter: ListFilter): string {
  const { search, tags, tagMode, url, status, domain, archived } = filter;
  const terms = [accountQuery(accountId, archived)];
  if (status !== undefined) terms.push(`status_term:${quote(status.slice(0, 3))}`);
  if (domain !== undefined) terms.push(`domain_term:${quote(`^^${domain}$$`)}`);
  if (url !== undefined) terms.push(`url_term:${quote(toTerm(fnv1a(url)))}`);
  if (tags.length > 0) terms.push(`(${tags.map(tagQuery).join(tagMode === "all" ? " AND " : " OR ")})`);
  if (search !== undefined) terms.push(textQuery(search));
  return terms.join(" AND ");
}

/** Finds the account's links with the tag, archived ones included. */
export function tagSearchQuery(accountId: number, tag: string): string {
  return `${accountQuery(accountId, "include")} AND ${tagQuery(tag)}`;
}

function accountQuery(accountId: number, archived: ListFilter["archived"]): string {
  const [isPresent, isArchived] = [quote(accountTerm(accountId, 0)), quote(accountTerm(accountId, 1))];
  const terms = { exclude: isPresent, include: `(${isPresent} OR ${isArchived})`, only: isArchived };
  return `account_term:${terms[archived]}`;
}

function tagQuery(tag: string): string {
  return `tag_keys:${quote(toSearchTerm(tag))}`;
}

/** Titles are in NFC. The others are as they were given, so both forms are looked for. */
function textQuery(search: string): string {
  const words = toSearchWords(search).indexed.map((word) => {
    const forms = new Set([word, word.normalize("NFD")]);
    return `(${Array.from(forms, quote).join(" OR ")})`;
  });
  return `{slug url_start title external_id}:(${words.join(" AND ")})`;
}

function accountTerm(accountId: number, archived: 0 | 1): string {
  return toTerm(accountId + archived * 3_200 * 6_400 * 6_400);
}

/** A number below 2^37 as one term of the index: three private-use characters. */
function toTerm(number: number): string {
  const digit = (place: number) => 57_344 + (Math.floor(number / place) % 6_400);
  return String.fromCharCode(digit(6_400 * 6_400), digit(6_400), digit(1));
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
