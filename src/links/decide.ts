import type { Because, Fault } from "../platform/http/faults.ts";
import { fnv1a } from "../platform/lib/fnv1a.ts";
import { MAX_ALIASES_PER_LINK } from "../limits.ts";
import { isNested } from "../platform/lib/slug.ts";
import { UNTRUSTED_VERDICT } from "../redirect/verdict.ts";
import type { UpdateLink } from "./contract.ts";
import { keyOf, slugsOf } from "./aliases.ts";
import { refuse, type RefusedChange } from "./refusal.ts";
import { faultsOfBlocked, toDestinations } from "./screening.ts";
import { isReserved } from "./slugs/reserved-slugs.ts";
import { toColumns, type LinkColumns, type LinkRow } from "./store/row.ts";
import { isOfVersion, type LinkVersions } from "./store/version.ts";
import { changesTags, toTagColumns, type TagChanges } from "./tag-changes.ts";
import { addUtm } from "./utm.ts";
import { destinationsOf, NESTED_SLUGS_OFF, SLUG_RESERVED, validateHosts, validateUtm } from "./validate.ts";

/** One change of one or several links. The slug, the aliases and the externalId can only be changed of one. */
export interface Change {
  /** The settings that all links get. `url` includes `utm` if both are given. */
  fields: UpdateLink;
  /** As it is stored; '' is the service's own. undefined: the links keep their domains. */
  domain: string | undefined;
  /** Tags that are added to, and removed from, those of each link. */
  tags: TagChanges;
  /** Columns that each link gets with values of its own, by its id. */
  columnsById: ReadonlyMap<string, Partial<LinkColumns>> | null;
  versions: LinkVersions;
}

/** The short URL that a link will have. */
export interface ShortUrlFacts {
  /** Its domain, as the account has the domain. null: it does not have it, or it is the service's own, or the short URL stays. */
  domain: { isVerified: boolean; caseSensitive: 0 | 1; hasNestedSlugs: boolean } | null;
  /** Who has its slug, as a slug or as an alias. null: nobody, or the link itself, or the short URL stays. */
  holder: "own" | "other" | null;
}

/** What refuses a link for domains. */
interface DomainRules {
  domain: { isVerified: boolean; hasNestedSlugs: boolean } | null;
  verifiedHosts: ReadonlySet<string>;
}

interface DomainFacts extends ShortUrlFacts {
  /** The hosts of the new destinations that are verified domains. */
  verifiedHosts: ReadonlySet<string>;
}

/** What the decision about a link depends on beside the link and the change. */
export interface Facts extends DomainFacts {
  accountId: number;
  /** `ANONYMOUS_HOST`, whose links keep their short URLs; '' without. */
  anonymousHost: string;
  /** The new destinations that are blocked, with the reasons. */
  blocked: ReadonlyMap<string, Because>;
  /** The new password as the link stores it, if the change sets one. */
  passwordHash: string | undefined;
}

/** The columns that a change can set. */
export type NewColumns = LinkColumns & Pick<LinkRow, "aliases" | "case_sensitive">;

export interface Accepted {
  ok: true;
  /** The columns that get other values. Empty: the link has all values already. */
  columns: Partial<NewColumns>;
  /** The custom domain's previous owner has the new slug, and loses it. */
  takesSlug: boolean;
}

/**
 * Decides one change of one link. The order of the checks is the order of the errors. A check of something that is not in the row
 * stands in `AS_DECIDED` (store/change-condition.ts) too, because another request can change it before the write.
 */
export function decide(row: LinkRow | undefined, change: Change, facts: Facts): Accepted | RefusedChange {
  if (row === undefined) return refuse("not_found");
  if (row.account_id !== facts.accountId) return refuse("forbidden");
  if (!isOfVersion(row, change.versions)) return refuse("precondition_failed");
  const settings = toNewSettings(row, change);
  if (isRefused(settings)) return settings;
  const { fields } = change;
  const blocked = faultsOfBlocked(destinationsOf(toDestinations(settings)), facts.blocked);
  if (blocked.length > 0) return refuse("destination_blocked", { errors: blocked });

  const { domain = row.domain, slug = row.slug } = settings;
  const isMoved = domain !== row.domain;
  const caseSensitive = isMoved ? (facts.domain?.caseSensitive ?? 0) : row.case_sensitive;
  const changesShortUrl = isMoved || keyOf(row, slug) !== keyOf(row, row.slug);
  if (changesShortUrl && row.domain !== "" && row.domain === facts.anonymousHost) return refuse("keeps_short_url");
  const newSlugs = isMoved || slug !== row.slug ? [slug] : [];
  const refused = refuseByDomains({ fields, domain, newSlugs, needsDomain: isMoved }, facts);
  if (refused !== null) return refused;
  const setsShortUrl = settings.slug !== undefined || settings.domain !== undefined;
  if (setsShortUrl && domain === "" && isReserved(slug)) return refuse("invalid", { errors: [SLUG_RESERVED] });
  const takesSlug = mayTakeSlug(domain, facts);
  if (facts.holder !== null && !takesSlug) return refuse("slug_taken", { slug });

  const aliases = newAliases(row, slug, isMoved, fields.aliases);
  if (aliases === null) return refuse("not_an_alias");
  if (settings.slug !== undefined && aliases.length > MAX_ALIASES_PER_LINK) return refuse("too_many_aliases");
  if (isMoved && aliases.length > 0) return refuse("domain_has_aliases");
  const { starts_at: start = row.starts_at, expires_at: end = row.expires_at } = settings;
  const setsTime = fields.startsAt != null || fields.expiresAt != null;
  if (setsTime && start !== null && end !== null && start >= end) return refuse("ends_before_start", { fields });

  const columns = {
    ...settings,
    ...(isMoved && { case_sensitive: caseSensitive }),
    ...(facts.passwordHash !== undefined && { password_hash: facts.passwordHash }),
    aliases: aliases.length === 0 ? null : JSON.stringify(aliases),
  };
  return { ok: true, columns: onlyDifferent(row, columns), takesSlug };
}

/** What a link asks of domains: its own, for its new slugs, and those of its destinations. */
interface DomainNeeds {
  fields: UpdateLink;
  domain: string;
  newSlugs: readonly string[];
  /** Whether the account must have verified the link's own domain. */
  needsDomain: boolean;
}

/** Refuses a link for its domain, its nested slugs, or destinations at verified domains. */
export function refuseByDomains({ fields, domain, newSlugs, needsDomain }: DomainNeeds, facts: DomainRules) {
  if (needsDomain && domain !== "" && facts.domain?.isVerified !== true) return refuse("domain_refused", { fields });
  if (newSlugs.some(isNested) && facts.domain?.hasNestedSlugs !== true)
    return refuse("invalid", { errors: [NESTED_SLUGS_OFF] });
  const loops = facts.verifiedHosts.size === 0 ? [] : validateHosts(fields, facts.verifiedHosts);
  return loops.length > 0 ? refuse("invalid", { errors: loops }) : null;
}

/** Whether the slug is that of the custom domain's previous owner. */
function mayTakeSlug(domain: string, { holder, domain: facts }: ShortUrlFacts): boolean {
  return holder === "other" && domain !== "" && facts?.isVerified === true;
}

/**
 * The aliases that the link will have: those that it has, and its former slug if it stays at its domain; of these, the requested ones.
 * null: others are requested. The keys are those of the present domain, because a link with aliases cannot leave it.
 */
function newAliases(row: LinkRow, slug: string, isMoved: boolean, requested?: readonly string[]): string[] | null {
  const former = isMoved ? [] : [row.slug];
  const candidates = [...(JSON.parse(row.aliases ?? "[]") as string[]), ...former].filter(
    (alias) => keyOf(row, alias) !== keyOf(row, slug),
  );
  if (requested === undefined) return candidates;
  const requestedKeys = new Set(requested.map((alias) => keyOf(row, alias)));
  const kept = candidates.filter((alias) => requestedKeys.has(keyOf(row, alias)));
  return kept.length === requestedKeys.size ? kept : null;
}

/**
 * The columns that the change sets, whether or not the link has the values already. The password is not among them. Refuses a campaign
 * or tags that do not fit.
 */
export function toNewSettings(row: LinkRow, change: Change): Partial<LinkColumns> | RefusedChange {
  const { fields, domain, tags, columnsById } = change;
  const settings = { ...toSettings(fields, domain), ...columnsById?.get(row.id) };
  if (fields.url === undefined && fields.utm !== undefined) {
    const url = addUtm(row.url, fields.utm);
    const errors = validateUtm(url);
    if (errors.length > 0) return refuse("invalid", { errors });
    Object.assign(settings, { url, url_hash: fnv1a(url) });
  }
  const ownTags = changesTags(tags) ? toTagColumns(row, tags) : {};
  return ownTags instanceof Error ? { ok: false, reason: "invalid", error: ownTags } : { ...settings, ...ownTags };
}

/** The columns that the request sets to the same values for all links. */
export function toSettings(fields: UpdateLink, domain: string | undefined): Partial<LinkColumns> {
  return {
    ...toColumns(fields),
    ...(domain !== undefined && { domain }),
    ...(fields.password === null && { password_hash: null }),
  };
}

export function isRefused(settings: Partial<LinkColumns> | RefusedChange): settings is RefusedChange {
  return "ok" in settings;
}

/** A link to create. The slug, the externalId and the aliases are in its row. */
export interface NewLink {
  /** Without what only the facts tell: the case rule of its domain, and whether the account is trusted. */
  row: LinkRow;
  /** The request, whose paths the faults name. */
  fields: UpdateLink;
  /** Those of all destinations. */
  hosts: readonly string[];
  /** The destinations that are blocked. */
  blocked: Fault[];
}

/** What the decision about a new link depends on beside the link. */
export interface CreationFacts extends DomainFacts {
  isExternalIdTaken: boolean;
  /** Whether the account is not trusted yet. */
  isUntrusted: boolean;
}

export interface AcceptedCreation {
  ok: true;
  /** As it is stored. */
  row: LinkRow;
}

/**
 * Decides one creation. The order of the checks is the order of the errors. A link that was not stored is refused by the facts that
 * its transaction found: `INSERT` (store/insert.ts) has the same conditions, or a unique index holds them.
 */
export function decideCreation(
  { row, fields, blocked }: NewLink,
  facts: CreationFacts,
): AcceptedCreation | RefusedChange {
  if (blocked.length > 0) return refuse("destination_blocked", { errors: blocked });
  const { account_id: accountId, domain, slug } = row;
  const needs = { fields, domain, newSlugs: slugsOf(row), needsDomain: accountId !== null };
  const refused = refuseByDomains(needs, facts);
  if (refused !== null) return refused;
  if (facts.isExternalIdTaken) return refuse("external_id_taken", { fields });
  const takesSlug = accountId !== null && mayTakeSlug(domain, facts);
  if (facts.holder !== null && !takesSlug) return refuse("slug_taken", { slug });
  const stored = { case_sensitive: facts.domain?.caseSensitive ?? 0, verdict: newVerdict(row, facts.isUntrusted) };
  return { ok: true, row: { ...row, ...stored } };
}

/** The packed verdict of a new link. Links at verified domains are trusted, whoever has them. */
export function newVerdict({ domain, verdict }: LinkRow, isUntrusted: boolean): number {
  return domain === "" && isUntrusted ? UNTRUSTED_VERDICT : verdict;
}

function onlyDifferent(row: LinkRow, columns: Partial<NewColumns>): Partial<NewColumns> {
  const present = new Map<string, unknown>(Object.entries(row));
  return Object.fromEntries(Object.entries(columns).filter(([column, value]) => present.get(column) !== value));
}
