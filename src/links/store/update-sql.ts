import type { Parameters } from "../../database/parameters.ts";
import { isFirst, type KeyedRequest } from "../../idempotency/store.ts";
import { fnv1a } from "../../lib/fnv1a.ts";
import { tagSql } from "../../lib/password-tag.ts";
import type { StoredForm } from "../../lib/password.ts";
import { MAX_ALIASES_PER_LINK } from "../../limits.ts";
import { isReserved, RESERVED_SLUGS } from "../slug.ts";
import { isAlias } from "./aliases.ts";
import type { ShortUrl } from "./previous-owner-links.ts";
import { changesBytes, type LinkColumns } from "./row.ts";
import { isCaseSensitive, slugKey } from "./slug-keys.ts";
import { isVerifiedFor, noneVerified } from "./verified-domains.ts";
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
export type Refusal =
  | "forbidden"
  | "precondition_failed"
  /** The response of an earlier request is stored for the Idempotency-Key. */
  | "repeated"
  | "domain_refused"
  | "leads_to_domain"
  /** The URL is not the one that the new URL was made from. */
  | "url_changed"
  | "slug_reserved"
  /** By an alias. The unique index finds the slugs of links. */
  | "slug_taken"
  | "not_an_alias"
  | "too_many_aliases"
  | "domain_has_aliases";

/** Returns the placeholder of a column's new value. */
type ValueOf = (column: keyof LinkColumns, otherwise: string) => string;

export interface UpdateSql {
  /** The {@link Refusal} of the link, or NULL. */
  refusal: string;
  /** By column, its new value. */
  assignments: () => Record<string, string>;
  /** A condition: the link does not have all of the values yet. */
  changes: () => string;
}

/** Whether the update can change the bytes of a link that count for the quota. */
export function canChangeBytes(update: LinkUpdate): boolean {
  return update.urls !== undefined || update.aliases !== undefined || changesBytes(columnNames(update));
}

function columnNames({ columns, columnsById }: LinkUpdate): (keyof LinkColumns)[] {
  return [...(Object.keys(columns) as (keyof LinkColumns)[]), ...(columnsById?.columns ?? [])];
}

function sets(update: LinkUpdate, column: keyof LinkColumns): boolean {
  return update.columns[column] !== undefined || update.columnsById?.columns.includes(column) === true;
}

/** SQL for an update of the link `l` at the time ?1, evaluated before the update. Parts that are not used bind no values. */
export function describeUpdate(update: LinkUpdate, accountId: number, parameters: Parameters, now: number): UpdateSql {
  const { urls, passwords, versions, toStore } = update;
  const account = parameters.add(accountId);
  const valueOf = describeValues(update, parameters);
  const byId = urls && parameters.add(toUrlsJson(urls));
  const caseSensitive = sets(update, "domain") ? isCaseSensitive(account, valueOf("domain", "")) : null;
  const aliases = describeAliases(update, valueOf, parameters);
  const refusals: [Refusal, isRefused: string][] = [
    ["forbidden", `l.account_id IS NOT ${account}`],
    ...(versions === null
      ? []
      : [["precondition_failed", `NOT ${hasVersion(versions, parameters)}`] as [Refusal, string]]),
    ...(toStore === null ? [] : [["repeated", `NOT ${isFirst(toStore, now)(parameters)}`] as [Refusal, string]]),
    ...refusalsOfDomains(update, valueOf, account, parameters),
    ...(byId === undefined ? [] : [["url_changed", `l.url <> (${byId} -> l.id ->> 'from')`] as [Refusal, string]]),
    ...refusalsOfSlug(update, valueOf, account, caseSensitive ?? "l.case_sensitive", parameters),
    ...(aliases === null ? [] : aliases.refusals),
  ];
  const settings = (): Record<string, string> => ({
    ...Object.fromEntries(columnNames(update).map((column) => [column, valueOf(column, "NULL")])),
    ...(byId !== undefined && { url: `(${byId} -> l.id ->> 'to')`, url_hash: `(${byId} -> l.id ->> 'hash')` }),
    ...(passwords !== undefined && { password_hash: toPasswordSql(passwords, parameters) }),
    ...(aliases !== null && { aliases: aliases.value }),
  });
  return {
    refusal: `CASE ${refusals.map(([refusal, isRefused]) => `WHEN ${isRefused} THEN '${refusal}'`).join(" ")} END`,
    assignments: () => ({
      ...settings(),
      ...(caseSensitive !== null && { case_sensitive: caseSensitive }),
      // An expired link may become active again. Only expiry.ts makes an active link expired.
      status: `iif(coalesce(${valueOf("expires_at", "l.expires_at")} <= ?1, false)
        OR coalesce(${valueOf("max_clicks", "l.max_clicks")} <= l.visits, false), l.status, 'active')`,
      updated_at: "CAST(max(?1, l.updated_at + 1) AS INTEGER)",
    }),
    changes: () => {
      const isNew = Object.entries(settings()).map(([column, value]) => `l.${column} COLLATE BINARY IS NOT ${value}`);
      return `(${isNew.join(" OR ")})`;
    },
  };
}

function describeValues({ columns, columnsById }: LinkUpdate, parameters: Parameters): ValueOf {
  const placeholders = new Map<string, string>();
  const values = columnsById && parameters.add(JSON.stringify(Object.fromEntries(columnsById.values)));
  return (column, otherwise) => {
    if (columnsById?.columns.includes(column) === true) return `(${values} -> l.id ->> '${column}')`;
    const value = columns[column];
    if (value === undefined) return otherwise;
    // D1 binds numbers as REAL, and the JSON of events would have a decimal point.
    const placeholder = () =>
      typeof value === "number" ? `CAST(${parameters.add(value)} AS INTEGER)` : parameters.add(value);
    const sql = placeholders.get(column) ?? placeholder();
    placeholders.set(column, sql);
    return sql;
  };
}

function toUrlsJson(urls: NonNullable<LinkUpdate["urls"]>): string {
  const entries = Array.from(urls, ([id, { from, to }]) => [id, { from, to, hash: fnv1a(to) }] as const);
  return JSON.stringify(Object.fromEntries(entries));
}

/** The stored password if it is the same one, so that an equal password is no change and cookies stay valid. */
function toPasswordSql(passwords: NonNullable<LinkUpdate["passwords"]>, parameters: Parameters): string {
  const byId = parameters.add(JSON.stringify(Object.fromEntries(passwords)));
  const isSame = `EXISTS (SELECT 1 FROM json_each(${byId} -> l.id -> 'same')
    WHERE l.password_hash = (value ->> 'start') || ${tagSql("l.password_hash")} || (value ->> 'end'))`;
  return `iif(${isSame}, l.password_hash, ${byId} -> l.id ->> 'hash')`;
}

function refusalsOfDomains(
  { columns, columnsById, hosts }: LinkUpdate,
  valueOf: ValueOf,
  account: string,
  parameters: Parameters,
): [Refusal, string][] {
  const refusals: [Refusal, string][] = [];
  if (columns.domain) refusals.push(["domain_refused", `NOT ${isVerifiedFor(account, valueOf("domain", ""))}`]);
  if (columnsById?.columns.includes("domain")) {
    const domain = valueOf("domain", "");
    refusals.push(["domain_refused", `${domain} NOT IN ('', l.domain) AND NOT ${isVerifiedFor(account, domain)}`]);
  }
  if (hosts.length > 0)
    refusals.push(["leads_to_domain", `NOT ${noneVerified(parameters.add(JSON.stringify(hosts)))}`]);
  return refusals;
}

/** Slugs are reserved on the service's own domain only. */
function refusalsOfSlug(
  update: LinkUpdate,
  valueOf: ValueOf,
  account: string,
  caseSensitive: string,
  parameters: Parameters,
): [Refusal, string][] {
  const { columns } = update;
  if (!sets(update, "domain") && columns.slug === undefined) return [];
  const refusals: [Refusal, string][] = [];
  if (!sets(update, "domain") && isReserved(columns.slug ?? "")) refusals.push(["slug_reserved", "l.domain = ''"]);
  if (columns.domain === "" && columns.slug === undefined) {
    const reserved = parameters.add(JSON.stringify([...RESERVED_SLUGS]));
    refusals.push(["slug_reserved", `lower(l.slug) IN (SELECT value FROM json_each(${reserved}))`]);
  }
  const domain = valueOf("domain", "l.domain");
  const key = slugKey(caseSensitive, valueOf("slug", "l.slug"));
  refusals.push(["slug_taken", isAlias(domain, key, account, "l.seq")]);
  if (update.shortUrls !== null)
    refusals.push([
      "slug_taken",
      `EXISTS (SELECT 1 FROM links o WHERE o.domain = ${domain} AND o.slug_key = ${key} AND o.seq <> l.seq)`,
    ]);
  return refusals;
}

/**
 * The aliases after the update: the present ones, and the former slug if the domain stays, without the new slug and
 * without those that the request removes. They are compared as at the present domain, because a link with aliases cannot
 * leave it. Null if the update cannot change them.
 */
function describeAliases(
  update: LinkUpdate,
  valueOf: ValueOf,
  parameters: Parameters,
): { value: string; refusals: [Refusal, string][] } | null {
  const { columns, aliases } = update;
  if (columns.slug === undefined && !sets(update, "domain") && aliases === undefined) return null;
  const [domain, slug] = [valueOf("domain", "l.domain"), valueOf("slug", "l.slug")];
  const present = `(SELECT value AS slug FROM json_each(l.aliases) UNION ALL SELECT l.slug WHERE l.domain = ${domain})`;
  const isFormer = `${presentKey("slug")} <> ${presentKey(slug)}`;
  const refusals: [Refusal, string][] = [];
  let isKept = "true";
  if (aliases !== undefined) {
    const kept = `(SELECT value FROM json_each(${parameters.add(JSON.stringify(aliases))}))`;
    isKept = `${presentKey("slug")} IN (SELECT ${presentKey("value")} FROM ${kept})`;
    const isUnknown = `${presentKey("value")} NOT IN (SELECT ${presentKey("slug")} FROM ${present} WHERE ${isFormer})`;
    refusals.push(["not_an_alias", `EXISTS (SELECT 1 FROM ${kept} WHERE ${isUnknown})`]);
  }
  const value = `(SELECT nullif(json_group_array(slug), '[]') FROM ${present}
    WHERE ${isFormer} AND ${isKept})`;
  if (columns.slug !== undefined)
    refusals.push(["too_many_aliases", `json_array_length(${value}) > ${MAX_ALIASES_PER_LINK}`]);
  if (sets(update, "domain")) refusals.push(["domain_has_aliases", `l.domain <> ${domain} AND ${value} IS NOT NULL`]);
  return { value, refusals };
}

/** The key that a slug has at the present domain of the link. */
function presentKey(slug: string): string {
  return slugKey("l.case_sensitive", slug);
}
