import { listedVerdict } from "../../redirect/lookup/store/verdict-sql.ts";
import { stateSql, VERDICT_STATES } from "../../redirect/verdict.ts";
import { SEARCHED_URL_CHARS } from "../limits.ts";
import type { ListFilter } from "../list-filter.ts";
import { toPatterns, toSearchWords } from "../search-words.ts";

// The conditions on the links `l` of a list. list-sql.ts says what their parameters are.

/** Keys of links. null: no bound. */
export interface KeyRange {
  from: bigint | null;
  /** Exclusive. */
  until: bigint | null;
}

/** Conditions that the search index has as terms. */
export function columnConditions(filter: ListFilter): string[] {
  const conditions: string[] = [];
  if (filter.statuses !== undefined)
    conditions.push("iif(l.disabled, 'disabled', l.status) IN (SELECT value FROM json_each(?4))");
  if (onlyDomain(filter) === "") conditions.push("l.domain = ?3");
  return conditions;
}

/** Conditions on the links that an index finds. */
export function conditionsOf(filter: ListFilter, position: string, keys: KeyRange): string[] {
  const { statuses, externalId, url } = filter;
  const conditions: string[] = [];
  if (keys.from !== null) conditions.push(`${position} >= ?10`);
  if (keys.until !== null) conditions.push(`${position} < ?11`);
  // The search index has a hash of the URL.
  if (url !== undefined) conditions.push("l.url = ?7");
  if (externalId !== undefined) conditions.push("l.external_id = ?6");
  // Links that are due are still active until the next run of the cron.
  const [active, scheduled] = [statuses?.includes("active") === true, statuses?.includes("scheduled") === true];
  if ((active || scheduled) && statuses?.includes("expired") !== true) conditions.push(IS_NOT_DUE);
  if (active !== scheduled) conditions.push(active ? HAS_STARTED : IS_SCHEDULED);
  return [...conditions, ...candidateConditions(filter)];
}

const IS_NOT_DUE = `(l.disabled
  OR (l.expires_at IS NULL OR l.expires_at > ?2) AND (l.max_clicks IS NULL OR l.visits < l.max_clicks))`;

/** A link becomes active without a write: until then it is stored as active. */
const HAS_ENDED = "l.disabled OR l.expires_at <= ?2 OR l.visits >= l.max_clicks";
const HAS_STARTED = `(l.starts_at IS NULL OR l.starts_at <= ?2 OR ${HAS_ENDED})`;
const IS_SCHEDULED = `(l.starts_at > ?2 OR ${HAS_ENDED})`;

/**
 * Conditions on the candidates of the search index. They are evaluated for the links that the index finds, so a page of links
 * also reads the candidates that it leaves out.
 */
function candidateConditions(filter: ListFilter): string[] {
  const { domains, tags, tagMode, withoutTags, creators, withoutCreators, verdicts, destination } = filter;
  const domain = onlyDomain(filter);
  const conditions = wordsOf(filter).map(hasWord);
  if (verdicts !== undefined) {
    const states = verdicts.map((state) => VERDICT_STATES.indexOf(state)).join(", ");
    conditions.push(`${stateSql(listedVerdict)} IN (${states})`);
  }
  if (destination !== undefined) conditions.push(IS_BROKEN);
  if (domain !== undefined && domain !== "") conditions.push("l.domain = ?3");
  if (domains.length > 1) conditions.push("l.domain IN (SELECT value FROM json_each(?9, '$.domains'))");
  if (creators.length > 0) conditions.push(`instr(?9 ->> '$.creators', ${CREATOR}) > 0`);
  if (withoutCreators.length > 0) conditions.push(`instr(?9 ->> '$.withoutCreators', ${CREATOR}) = 0`);
  // In the texts of several tags, the index can find one that is none of them, so it leaves out nothing.
  withoutTags.forEach((_, tag) => conditions.push(`ifnull(instr(l.tag_keys, ?9 ->> '$.withoutTags[${tag}]'), 0) = 0`));
  const hasTags = tags.map((_, tag) => `instr(l.tag_keys, ?9 ->> '$.tags[${tag}]') > 0`);
  if (hasTags.length > 0) conditions.push(`(${hasTags.join(tagMode === "all" ? " AND " : " OR ")})`);
  return conditions;
}

/** No list of ids has a space. */
const CREATOR = "coalesce(l.created_by_key, l.created_by_user, ' ')";

const IS_BROKEN = `EXISTS (SELECT 1 FROM destinations d
  WHERE d.link_id = l.id AND d.visited_hash = l.url_hash AND d.broken_since IS NOT NULL)`;

function hasWord(word: string, index: number): string {
  const patterns = toPatterns(word).map(
    (_, pattern) => `${TEXTS} LIKE ?9 ->> '$.words[${index}][${pattern}]' ESCAPE '\\'`,
  );
  return `(${patterns.join(" OR ")})`;
}

const TEXTS = `l.slug || char(10) || substr(l.url, 1, ${SEARCHED_URL_CHARS}) || char(10) || ifnull(l.title, '')
  || char(10) || ifnull(l.external_id, '')`;

/** The domain of a filter that names one. */
export function onlyDomain({ domains }: ListFilter): string | undefined {
  return domains.length === 1 ? domains[0] : undefined;
}

export function wordsOf({ search }: ListFilter): string[] {
  return search === undefined ? [] : toSearchWords(search);
}
