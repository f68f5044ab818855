import type { Parameters } from "../../database/parameters.ts";
import { fnv1a } from "../../lib/fnv1a.ts";
import { toSearchTerm } from "../../lib/tag-key.ts";
import type { ListQuery } from "../list-contract.ts";
import { toSearchWords } from "../search-words.ts";
import { isCaseSensitive, slugKey } from "./slug-keys.ts";

/** The filters of a list. Those that are undefined match every link. */
export type ListFilter = Pick<ListQuery, "search" | "slug" | "url" | "externalId" | "status"> & {
  /** '' is the service's own domain. */
  domain: string | undefined;
  archived: "exclude" | "include" | "only";
  tags: readonly string[];
  tagMode: "any" | "all";
  /** Unix milliseconds. `until` is exclusive. */
  created: { from: number | undefined; until: number | undefined };
};

export function archivedValues({ archived }: Pick<ListFilter, "archived">): (0 | 1)[] {
  return { exclude: [0 as const], include: [0 as const, 1 as const], only: [1 as const] }[archived];
}

/** SQL for the keys of the few links that can have the slug and the externalId; null if neither is given. */
export function candidatesOf(
  accountId: number,
  { slug, externalId, domain }: ListFilter,
  parameters: Parameters,
): string | null {
  const selects: string[] = [];
  if (slug !== undefined) {
    const [account, wanted] = [parameters.add(accountId), parameters.add(slug)];
    const given = domain === undefined ? null : parameters.add(domain);
    const keys =
      given === null
        ? `SELECT '' AS domain, lower(${wanted}) AS slug_key
           UNION ALL SELECT domain, ${slugKey("case_sensitive", wanted)} FROM domains WHERE account_id = ${account}`
        : `SELECT ${given} AS domain, ${slugKey(isCaseSensitive(account, given), wanted)} AS slug_key`;
    selects.push(`SELECT seq FROM (
      SELECT seq FROM (${keys}) k CROSS JOIN links l INDEXED BY links_by_slug ON l.domain = k.domain AND l.slug_key = k.slug_key
      UNION ALL SELECT link_seq FROM (${keys}) k CROSS JOIN aliases a ON a.domain = k.domain AND a.slug_key = k.slug_key)`);
  }
  if (externalId !== undefined) {
    const [account, wanted] = [parameters.add(accountId), parameters.add(externalId)];
    selects.push(`SELECT seq FROM links WHERE account_id = ${account} AND external_id = ${wanted}`);
  }
  return selects.length === 0 ? null : selects.join(" INTERSECT ");
}

/** The full-text query. The view `searchable_links` in schema.sql makes the terms. */
export function matchExpression(accountId: number, filter: ListFilter): string {
  const { search, tags, tagMode, url, status, domain } = filter;
  const accounts = archivedValues(filter).map((archived) => `account_term:${quote(accountTerm(accountId, archived))}`);
  const terms = [`(${accounts.join(" OR ")})`];
  if (status !== undefined) terms.push(`status_term:${quote(status.slice(0, 3))}`);
  if (domain !== undefined) terms.push(`domain_term:${quote(`^^${domain}$$`)}`);
  if (url !== undefined) terms.push(`url_term:${quote(toTerm(fnv1a(url)))}`);
  if (tags.length > 0) terms.push(`(${tags.map(tagExpression).join(tagMode === "all" ? " AND " : " OR ")})`);
  if (search !== undefined) terms.push(searchExpression(search));
  return terms.join(" AND ");
}

/** Selects the account's links with the tag, archived ones included. */
export function matchTag(accountId: number, tag: string): string {
  const [first, second] = [0 as const, 1 as const].map((archived) => quote(accountTerm(accountId, archived)));
  return `account_term:(${first} OR ${second}) AND ${tagExpression(tag)}`;
}

function tagExpression(tag: string): string {
  return `tag_keys:${quote(toSearchTerm(tag))}`;
}

/** Titles are in NFC. The others are as they were given, so both forms are looked for. */
function searchExpression(search: string): string {
  const words = toSearchWords(search).indexed.map((word) => {
    const forms = new Set([word, word.normalize("NFD")]);
    return `(${Array.from(forms, quote).join(" OR ")})`;
  });
  return `{slug url_start title external_id}:(${words.join(" AND ")})`;
}

/**
 * SQL for the words that are too short for the index. It is evaluated for the links that the index finds by the other
 * words, so a page of links reads those that it leaves out, too.
 */
export function shortWordConditions({ search }: Pick<ListFilter, "search">, parameters: Parameters): string[] {
  if (search === undefined) return [];
  const text = "slug || char(10) || url_start || char(10) || ifnull(title, '') || char(10) || ifnull(external_id, '')";
  return toSearchWords(search).short.map((word) => {
    // LIKE disregards the case of ASCII letters only.
    const forms = new Set([word.toLowerCase(), word.toUpperCase()].map(toPattern));
    return `(${Array.from(forms, (form) => `${text} LIKE ${parameters.add(form)} ESCAPE '\\'`).join(" OR ")})`;
  });
}

function toPattern(word: string): string {
  return `%${word.replaceAll(/[%_\\]/g, "\\$&")}%`;
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
