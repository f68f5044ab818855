import { Parameters, type Value } from "../../database/parameters.ts";
import { isFirst, type KeyedRequest } from "../../idempotency/store.ts";
import { fnv1a } from "../../lib/fnv1a.ts";
import { tagSql } from "../../lib/password-tag.ts";
import type { StoredForm } from "../../lib/password.ts";
import { MAX_ALIASES_PER_LINK } from "../../limits.ts";
import { isNested, isNestedSql, slugKeySql } from "../../redirect/slug.ts";
import { isReserved, RESERVED_SLUGS } from "../slugs/reserved-slugs.ts";
import { isAlias } from "./slug-holders.ts";
import { changeValues, type OwnLinks } from "./events.ts";
import type { ShortUrl } from "./previous-owner-links.ts";
import { changesBytes, type LinkColumns } from "./row.ts";
import { listedLinks } from "./sequence.ts";
import { hasNestedSlugs, isCaseSensitive, isVerifiedFor, noneVerified } from "./verified-domains.ts";
import { hasVersion, type LinkVersions } from "./version.ts";

/** One change of one or several links. The slug, the aliases and the externalId can only be set for one. */
export interface LinkUpdate {
  /** The columns to set; other columns keep their values. */
  columns: Partial<LinkColumns>;
  /** Further columns to set, which each link gets with values of its own. */
  columnsById: ColumnsById | null;
  /** Of several links whose domain is set: their short URLs afterwards, which must be different ones. */
  shortUrls: readonly ShortUrl[] | null;
  /** The aliases to keep. undefined: all. */
  aliases?: readonly string[] | undefined;
  /** The hosts of the new destinations. */
  hosts: readonly string[];
  /** By link id, a new URL that was made from the link's present one. */
  urls: ReadonlyMap<string, { from: string; to: string }> | undefined;
  /** By link id. */
  passwords: ReadonlyMap<string, NewPassword> | undefined;
  versions: LinkVersions;
  /** Of a single link: where the response is stored. If an earlier request had the same key, nothing is updated. */
  toStore: KeyedRequest | null;
}

export interface ColumnsById {
  columns: readonly (keyof LinkColumns)[];
  /** By link id, the values of all of the columns. */
  values: ReadonlyMap<string, Partial<LinkColumns>>;
}

export interface NewPassword {
  /** What is stored, unless the link has the same password already. */
  hash: string;
  /** What is stored if the link has the same password. */
  same: readonly StoredForm[];
}

/** Why a link is not updated. */
export type UpdateRefusal =
  | "forbidden"
  | "precondition_failed"
  /** The response of an earlier request is stored for the Idempotency-Key. */
  | "repeated"
  /** It is at `ANONYMOUS_HOST`. */
  | "keeps_short_url"
  | "domain_refused"
  | "nested_slugs_off"
  | "leads_to_domain"
  /** The URL is not the one that the new URL was made from. */
  | "url_changed"
  | "slug_reserved"
  /** By an alias. The unique index finds the slugs of links. */
  | "slug_taken"
  | "not_an_alias"
  | "too_many_aliases"
  | "domain_has_aliases"
  | "ends_before_start";

/**
 * SQL for an update of the links `l`, evaluated before the update. All parts are for the same {@link values}, so each statement
 * of the transaction binds these.
 */
export interface UpdateSql {
  values: Value[];
  /** A condition: the link is one of those to update. */
  isListed: string;
  /** The position of the link in their list. */
  position: string;
  /** The {@link UpdateRefusal} of the link, or NULL. */
  refusal: string;
  /** A condition: the link does not have all of the values yet. */
  changes: string;
  /** By column, its new value. */
  assignments: Record<string, string>;
}

/** Whether the update can change the bytes of a link that count for the quota. */
export function canChangeBytes(update: LinkUpdate): boolean {
  return update.urls !== undefined || update.aliases !== undefined || changesBytes(columnNames(update));
}

function columnNames({ columns, columnsById }: LinkUpdate): (keyof LinkColumns)[] {
  return [...(Object.keys(columns) as (keyof LinkColumns)[]), ...(columnsById?.columns ?? [])];
}

export function describeUpdate(
  update: LinkUpdate,
  { accountId, ids }: OwnLinks,
  context: { env: Pick<Env, "ANONYMOUS_HOST">; now: number; baseUrl: string },
): UpdateSql {
  const parameters = new Parameters(changeValues(context, toJson(update), toJsonById(update), accountId));
  const { condition: isListed, position } = listedLinks(ids, parameters);
  const { versions, toStore } = update;
  const refusals: [UpdateRefusal, isRefused: string][] = [["forbidden", "l.account_id IS NOT ?6"]];
  if (versions !== null) refusals.push(["precondition_failed", `NOT ${hasVersion(versions, parameters)}`]);
  if (toStore !== null) refusals.push(["repeated", `NOT ${isFirst(toStore, context.now)(parameters)}`]);
  const { ANONYMOUS_HOST } = context.env;
  if (ANONYMOUS_HOST !== "" && changesShortUrl(update)) {
    const isChanged = `(${NEW_DOMAIN} <> l.domain OR ${NEW_SLUG_KEY} <> l.slug_key)`;
    refusals.push(["keeps_short_url", `l.domain = ${parameters.add(ANONYMOUS_HOST)} AND ${isChanged}`]);
  }
  for (const { refusal, applies, isRefused } of REFUSALS) {
    if (applies(update)) refusals.push([refusal, isRefused]);
  }
  const settings = settingsOf(update);
  const isNew = Object.entries(settings).map(([column, value]) => `l.${column} COLLATE BINARY IS NOT ${value}`);
  return {
    values: parameters.values,
    isListed,
    position,
    refusal: `CASE ${refusals.map(([refusal, isRefused]) => `WHEN ${isRefused} THEN '${refusal}'`).join(" ")} END`,
    changes: `(${isNew.join(" OR ")})`,
    assignments: {
      ...settings,
      ...(sets(update, "domain") && { case_sensitive: NEW_CASE_SENSITIVE }),
      // An expired link may become active again. Only expiry.ts makes an active link expired.
      status: `iif(coalesce(${settings["expires_at"] ?? "l.expires_at"} <= ?1, false)
        OR coalesce(${settings["max_clicks"] ?? "l.max_clicks"} <= l.visits, false), l.status, 'active')`,
      updated_at: "CAST(max(?1, l.updated_at + 1) AS INTEGER)",
    },
  };
}

/** SQL for the new values of the settings, by column. */
function settingsOf(update: LinkUpdate): Record<string, string> {
  const { columns, columnsById, urls, passwords } = update;
  const own = [...(columnsById?.columns ?? []), ...(urls === undefined ? [] : ["url", "url_hash"])];
  return {
    ...Object.fromEntries(Object.keys(columns).map((column) => [column, `(?4 ->> '${column}')`])),
    ...Object.fromEntries(own.map((column) => [column, `(?5 -> l.id ->> '${column}')`])),
    ...(passwords !== undefined && { password_hash: NEW_PASSWORD }),
    ...(canChangeAliases(update) && { aliases: NEW_ALIASES }),
  };
}

function sets({ columns, columnsById }: LinkUpdate, column: keyof LinkColumns): boolean {
  return columns[column] !== undefined || columnsById?.columns.includes(column) === true;
}

/** Whether the update can give links other slugs or domains. */
function changesShortUrl(update: LinkUpdate): boolean {
  return update.columns.slug !== undefined || sets(update, "domain");
}

function canChangeAliases(update: LinkUpdate): boolean {
  return changesShortUrl(update) || update.aliases !== undefined;
}

/** What all links get (?4): columns, and what they are checked by. */
function toJson({ columns, hosts, aliases }: LinkUpdate): string {
  return JSON.stringify({ ...columns, hosts, aliases });
}

/** What each link gets for itself (?5): by its id, columns, the URL that its new one was made from, and its password. */
function toJsonById({ columnsById, urls, passwords }: LinkUpdate): string {
  const byId: Record<string, object> = Object.fromEntries(columnsById?.values ?? []);
  for (const [id, { from, to }] of urls ?? [])
    byId[id] = { ...byId[id], url: to, url_hash: fnv1a(to), former_url: from };
  for (const [id, password] of passwords ?? []) byId[id] = { ...byId[id], password };
  return JSON.stringify(byId);
}

// SQL about the link `l`, what all links get (?4), what each link gets (?5), and the account ?6.

const NEW_DOMAIN = "coalesce(?5 -> l.id ->> 'domain', ?4 ->> 'domain', l.domain)";
const NEW_SLUG = "coalesce(?4 ->> 'slug', l.slug)";
const NEW_CASE_SENSITIVE = `iif(${NEW_DOMAIN} = l.domain, l.case_sensitive, ${isCaseSensitive("?6", NEW_DOMAIN)})`;
const NEW_SLUG_KEY = slugKeySql(NEW_SLUG, NEW_CASE_SENSITIVE);

/** The stored password if it is the same one, so that an equal password is no change and cookies stay valid. */
const NEW_PASSWORD = `coalesce(
  (SELECT l.password_hash FROM json_each(?5 -> l.id, '$.password.same')
   WHERE l.password_hash = (value ->> 'start') || ${tagSql("l.password_hash")} || (value ->> 'end')),
  ?5 -> l.id ->> '$.password.hash')`;

/** An update can set a time to NULL. */
function newTime(column: "starts_at" | "expires_at"): string {
  return `iif(json_type(?4, '$.${column}') IS NULL, l.${column}, ?4 ->> '${column}')`;
}

function keyAtPresentDomain(slug: string): string {
  return slugKeySql(slug, "l.case_sensitive");
}

/**
 * The aliases that the link can have, with their keys: the present ones, and the former slug if the domain stays, without the
 * new slug. The keys are those of the present domain, because a link with aliases cannot leave it.
 */
const POSSIBLE_ALIASES = `(SELECT slug, ${keyAtPresentDomain("slug")} AS alias_key
  FROM (SELECT value AS slug FROM json_each(l.aliases) UNION ALL SELECT l.slug WHERE l.domain = ${NEW_DOMAIN})
  WHERE alias_key <> ${keyAtPresentDomain(NEW_SLUG)})`;
/** The aliases to keep, if the request lists them. */
const KEPT_ALIASES = `(SELECT ${keyAtPresentDomain("value")} AS alias_key FROM json_each(?4, '$.aliases'))`;
const NEW_ALIASES = `(SELECT nullif(json_group_array(slug), '[]') FROM ${POSSIBLE_ALIASES}
  WHERE ?4 -> 'aliases' IS NULL OR alias_key IN ${KEPT_ALIASES})`;

/** What refuses an update, in the order of the errors. `applies`: whether the update can meet the condition. */
const REFUSALS: readonly { refusal: UpdateRefusal; applies: (update: LinkUpdate) => boolean; isRefused: string }[] = [
  {
    refusal: "domain_refused",
    applies: ({ columns }) => Boolean(columns.domain),
    isRefused: `?4 ->> 'domain' <> l.domain AND NOT ${isVerifiedFor("?6", "?4 ->> 'domain'")}`,
  },
  {
    refusal: "domain_refused",
    applies: ({ columnsById }) => columnsById?.columns.includes("domain") === true,
    isRefused: `${NEW_DOMAIN} NOT IN ('', l.domain) AND NOT ${isVerifiedFor("?6", NEW_DOMAIN)}`,
  },
  {
    refusal: "nested_slugs_off",
    applies: (update) => sets(update, "domain") || isNested(update.columns.slug ?? ""),
    isRefused: `${isNestedSql(NEW_SLUG)} AND (${NEW_SLUG} <> l.slug OR ${NEW_DOMAIN} <> l.domain)
      AND NOT ${hasNestedSlugs("?6", NEW_DOMAIN)}`,
  },
  {
    refusal: "leads_to_domain",
    applies: ({ hosts }) => hosts.length > 0,
    isRefused: `NOT ${noneVerified("?4, '$.hosts'")}`,
  },
  {
    refusal: "url_changed",
    applies: ({ urls }) => urls !== undefined,
    isRefused: "l.url <> (?5 -> l.id ->> 'former_url')",
  },
  // Slugs are reserved on the service's own domain only.
  {
    refusal: "slug_reserved",
    applies: (update) => !sets(update, "domain") && isReserved(update.columns.slug ?? ""),
    isRefused: "l.domain = ''",
  },
  {
    refusal: "slug_reserved",
    applies: ({ columns }) => columns.domain === "" && columns.slug === undefined,
    isRefused: `lower(l.slug) IN ('${[...RESERVED_SLUGS].join("', '")}')`,
  },
  {
    refusal: "slug_taken",
    applies: changesShortUrl,
    isRefused: isAlias(NEW_DOMAIN, NEW_SLUG_KEY, "?6", "l.seq"),
  },
  {
    refusal: "slug_taken",
    applies: ({ shortUrls }) => shortUrls !== null,
    isRefused: `EXISTS (SELECT 1 FROM links o WHERE o.domain = ${NEW_DOMAIN} AND o.slug_key = ${NEW_SLUG_KEY} AND o.seq <> l.seq)`,
  },
  {
    refusal: "not_an_alias",
    applies: ({ aliases }) => aliases !== undefined,
    isRefused: `EXISTS (SELECT 1 FROM ${KEPT_ALIASES} WHERE alias_key NOT IN (SELECT alias_key FROM ${POSSIBLE_ALIASES}))`,
  },
  {
    refusal: "too_many_aliases",
    applies: ({ columns }) => columns.slug !== undefined,
    isRefused: `json_array_length(${NEW_ALIASES}) > ${MAX_ALIASES_PER_LINK}`,
  },
  {
    refusal: "domain_has_aliases",
    applies: (update) => sets(update, "domain"),
    isRefused: `l.domain <> ${NEW_DOMAIN} AND ${NEW_ALIASES} IS NOT NULL`,
  },
  {
    refusal: "ends_before_start",
    applies: ({ columns }) => columns.starts_at != null || columns.expires_at != null,
    isRefused: `coalesce(${newTime("starts_at")} >= ${newTime("expires_at")}, false)`,
  },
];
