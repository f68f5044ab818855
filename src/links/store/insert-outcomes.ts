import { isUntrustedAccount } from "../../safety/trust/store.ts";
import { toJsonPieces } from "../../database/json-pieces.ts";
import { Parameters } from "../../database/parameters.ts";
import { findExceeded, type ExceededQuota } from "../../usage/quota.ts";
import { selectUsage, USAGE_COLUMNS, type UsageRow } from "../../usage/store.ts";
import { isNested, slugKeySql } from "../../redirect/slug.ts";
import { UNTRUSTED_VERDICT } from "../../safety/verdict.ts";
import { slugsOf } from "../aliases.ts";
import { isAlias } from "./slug-holders.ts";
import { withoutRepeated, type NewLink } from "./new-links.ts";
import { bytesOf, type LinkRow } from "./row.ts";
import { selectVerified } from "./verified-domains.ts";

/** What became of new links, read in the transaction that stores those of them that can be stored. */

export type InsertOutcome =
  | { outcome: "created" }
  | { outcome: "slug_taken" }
  | { outcome: "external_id_taken" }
  /** Another transaction can store it: its id is taken, or its slug by the domain's previous owner (`isLeft`). */
  | { outcome: "storable"; isLeft: boolean }
  | { outcome: "domain_refused" }
  /** Its slug or an alias is nested, and the domain has no such slugs. */
  | { outcome: "nested_slugs_off" }
  | { outcome: "quota_exceeded"; quota: ExceededQuota }
  /** `hosts` are verified domains. */
  | { outcome: "leads_to_domain"; hosts: ReadonlySet<string> };

export interface Findings {
  /** The ids and slugs of the links, in order. */
  links: { id: string; slug: string }[];
  obstacles: Obstacles[];
  /** That of the account after the insertion. Empty for an anonymous link. */
  usage: UsageRow[];
  /** Whether the account is not trusted yet. */
  untrusted: 0 | 1;
}

/** What is in the way of a new link. Of a link that is stored, only `by_slug` and the domain are looked up. */
export interface Obstacles {
  position: number;
  /** The ids of the links that have its slug and its externalId. */
  by_slug: string | null;
  by_external_id: string | null;
  /** Whether the link that has its slug, also as an alias, is the account's; null: the account is nobody's. */
  is_own: 0 | 1 | null;
  is_alias: 0 | 1;
  /** JSON array: those of the hosts of its destinations that are verified domains. */
  verified_hosts: string | null;
  /** Whether the account has verified the domain of the link, and whether that is case-sensitive; null: the account does not have it. */
  is_verified: 0 | 1 | null;
  case_sensitive: 0 | 1 | null;
  nested_slugs: 0 | 1 | null;
}

const COLUMNS = [
  "position",
  "by_slug",
  "is_own",
  "by_external_id",
  "is_alias",
  "verified_hosts",
  "is_verified",
  "case_sensitive",
  "nested_slugs",
] as const;

const [DOMAIN, KEY] = ["j.value ->> 'domain'", slugKeySql("j.value ->> 'slug'", "d.case_sensitive")];

/** The columns of {@link Obstacles} of the account ?1. */
const OBSTACLES = `SELECT j.value ->> 'position' AS position, s.id AS by_slug,
    CASE WHEN s.id IS NOT NULL THEN s.account_id = ?1
      ELSE EXISTS (SELECT 1 FROM aliases WHERE domain = ${DOMAIN} AND slug_key = ${KEY} AND account_id = ?1) END AS is_own,
    CASE WHEN s.id IS NOT j.value ->> 'id'
      THEN (SELECT id FROM links WHERE account_id = ?1 AND external_id = j.value ->> 'external_id') END AS by_external_id,
    CASE WHEN s.id IS NOT j.value ->> 'id' THEN ${isAlias(DOMAIN, KEY, "?1")} ELSE 0 END AS is_alias,
    CASE WHEN s.id IS NOT j.value ->> 'id'
      THEN (SELECT json_group_array(domain) FROM (${selectVerified("j.value, '$.hosts'")})) END AS verified_hosts,
    d.status = 'verified' AS is_verified, d.case_sensitive, d.nested_slugs`;

/** The links of a JSON array `j` with their domains `d` and the links `s` that have their slugs. */
function joinHolders(links: string): string {
  return `json_each(${links}) j
    LEFT JOIN domains d INDEXED BY domains_by_account ON d.account_id = ?1 AND d.domain = ${DOMAIN}
    LEFT JOIN links s INDEXED BY links_by_slug ON s.domain = ${DOMAIN} AND s.slug_key = ${KEY}`;
}

/** A SELECT of {@link Obstacles} for each of the links. Without an id, a link is one that is not stored. */
export function selectObstacles(
  accountId: number | null,
  links: readonly {
    row: Pick<LinkRow, "domain" | "slug" | "external_id"> & { id?: string };
    hosts: readonly string[];
  }[],
): { select: string; parameters: Parameters } {
  const parameters = new Parameters([accountId]);
  const items = links.map(({ row: { id = "", domain, slug, external_id }, hosts }, position) => ({
    position,
    id,
    domain,
    slug,
    external_id,
    hosts,
  }));
  const pieces = items.length === 0 ? ["[]"] : toJsonPieces(items);
  const selects = pieces.map((piece) => `${OBSTACLES} FROM ${joinHolders(parameters.add(piece))}`);
  return { select: selects.join(" UNION ALL "), parameters };
}

/** A SELECT of {@link Findings}, as a JSON text. */
export function selectFindings(
  accountId: number | null,
  links: readonly NewLink[],
): { select: string; parameters: Parameters } {
  const { select: obstacles, parameters } = selectObstacles(accountId, links);
  const plan = parameters.add(JSON.stringify(links.map(({ row: { id, slug } }) => ({ id, slug }))));
  const select = `SELECT json_object('links', json(${plan}), 'obstacles', json(${jsonRows(COLUMNS, obstacles)}),
    'usage', json(${jsonRows(USAGE_COLUMNS, selectUsage("?1"))}), 'untrusted', ${isUntrustedAccount("?1")}) AS text`;
  return { select, parameters };
}

/** A subquery for the rows of a SELECT, as a JSON array of objects. */
function jsonRows(columns: readonly string[], select: string): string {
  const members = columns.map((column) => `'${column}', ${column}`);
  return `(SELECT json_group_array(json_object(${members.join(", ")})) FROM (${select}))`;
}

/**
 * The links as they are, or would be, stored: only the transaction knows the ids and slugs, which domains are case-sensitive,
 * and whether the account is trusted.
 */
export function storedLinks(links: readonly NewLink[], { links: stored, obstacles, untrusted }: Findings): NewLink[] {
  const byPosition = new Map(obstacles.map((each) => [each.position, each]));
  return links.map((link, position) => {
    const { case_sensitive: caseSensitive } = byPosition.get(position) as Obstacles;
    const verdict = untrusted === 1 && link.row.domain === "" ? UNTRUSTED_VERDICT : link.row.verdict;
    const row = { ...link.row, ...stored[position], case_sensitive: caseSensitive ?? 0, verdict };
    return { ...link, row };
  });
}

/** An outcome for each of the links as they are stored, in order. */
export function outcomesOf(links: readonly NewLink[], { obstacles, usage: [usage] }: Findings): InsertOutcome[] {
  const byPosition = new Map(obstacles.map((each) => [each.position, each]));
  const outcomes = links.map((link, position) => outcomeOf(link, byPosition.get(position) as Obstacles));
  if (usage === undefined || outcomes.some(({ outcome }) => outcome === "created")) return outcomes;
  // None is stored, although these could be. They may have no room together.
  const isStorable = ({ isRefused }: NewLink, position: number) =>
    !isRefused && outcomes[position]?.outcome === "storable";
  const storable = withoutRepeated(links.filter(isStorable));
  const bytes = storable.reduce((sum, { row }) => sum + bytesOf(row), 0);
  const quota = storable.length === 0 ? null : findExceeded(usage, storable.length, bytes);
  if (quota === null) return outcomes;
  return outcomes.map((outcome) => (outcome.outcome === "storable" ? { outcome: "quota_exceeded", quota } : outcome));
}

function outcomeOf({ row }: NewLink, found: Obstacles): InsertOutcome {
  if (found.by_slug === row.id) return { outcome: "created" };
  if (row.domain !== "" && row.account_id !== null && found.is_verified !== 1) return { outcome: "domain_refused" };
  if (found.nested_slugs !== 1 && slugsOf(row).some(isNested)) return { outcome: "nested_slugs_off" };
  const hosts = new Set(JSON.parse(found.verified_hosts ?? "[]") as string[]);
  if (hosts.size > 0) return { outcome: "leads_to_domain", hosts };
  if (found.by_external_id !== null) return { outcome: "external_id_taken" };
  if (found.by_slug === null && found.is_alias === 0) return { outcome: "storable", isLeft: false };
  const isLeft = row.domain !== "" && row.account_id !== null && found.is_own !== 1;
  return isLeft ? { outcome: "storable", isLeft } : { outcome: "slug_taken" };
}
