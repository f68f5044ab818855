import type { Batch, Result } from "../../platform/database/batch.ts";
import { toJsonPieces } from "../../platform/database/json-pieces.ts";
import { Parameters } from "../../platform/database/parameters.ts";
import type { Fault } from "../../platform/http/faults.ts";
import { MAX_ERROR_DETAILS } from "../../platform/http/limits.ts";
import { isUntrustedAccount } from "../../platform/database/account-states.ts";
import { selectUsage, type UsageRow } from "../../access/usage/store.ts";
import type { CreationFacts, NewLink } from "../decide.ts";
import { toFacts, type FactsRow } from "./change-facts.ts";
import type { LinkRow } from "./row.ts";
import { sequenceOf } from "./sequence.ts";

/** What a transaction found that was to store new links. It is plain JSON, because the journal of a request records it. */
export interface Findings {
  /** The links, in order, with at most {@link MAX_ERROR_DETAILS} blocked destinations of each. */
  links: { id: string; slug: string; blocked: Fault[] }[];
  /** One for each link. */
  places: Place[];
  is_untrusted: 0 | 1;
  /** Of the account, if a quota has refused the links before. */
  usage: UsageRow | null;
}

/** What is where a new link was to be. If the link itself is there, nothing but its domain is looked up. */
export interface Place extends FactsRow {
  position: number;
  is_stored: 0 | 1;
  /** With which the link is stored; null: it is not stored. */
  verdict: number | null;
  has_external_id: 0 | 1;
  /** Those of the hosts of its destinations that are verified domains. */
  verified_hosts: string[];
}

export function toCreationFacts(place: Place, isUntrusted: boolean): CreationFacts {
  return {
    ...toFacts(place),
    isExternalIdTaken: place.has_external_id === 1,
    verifiedHosts: new Set(place.verified_hosts),
    isUntrusted,
  };
}

/** A SELECT of {@link Findings}, as a JSON text. */
export function selectFindings(
  accountId: number | null,
  links: readonly NewLink[],
  readsUsage: boolean,
): { select: string; parameters: Parameters } {
  const recorded = links.map(({ row: { id, slug }, blocked }) => ({
    id,
    slug,
    blocked: blocked.slice(0, MAX_ERROR_DETAILS),
  }));
  const parameters = new Parameters([accountId, JSON.stringify(recorded)]);
  const items = links.map(({ row, hosts }, position) => ({
    ...toItem(row, position),
    id: row.id,
    seq: sequenceOf(row.id),
    hosts,
  }));
  const places = toJsonPieces(items).map((piece) => selectPlaces(parameters.add(piece)));
  const usage = readsUsage
    ? `(SELECT json_object('links', links, 'link_bytes', link_bytes, 'max_links', max_links, 'max_link_bytes', max_link_bytes)
        FROM (${selectUsage("?1")}))`
    : "NULL";
  const select = `SELECT json_object('links', json(?2), 'is_untrusted', ${isUntrustedAccount("?1")}, 'usage', json(${usage}),
    'places', (SELECT json_group_array(json(place)) FROM (${places.join(" UNION ALL ")}))) AS text`;
  return { select, parameters };
}

type Wanted = Pick<LinkRow, "domain" | "slug" | "external_id">;

function toItem({ domain, slug, external_id }: Wanted, position: number) {
  return { position, domain, slug, external_id };
}

/** Reads in a batch what is where links of the account would be. Returns it after the commit. */
export function readPlaces(batch: Batch, accountId: number, links: readonly Wanted[]): () => Place[] {
  const pieces = toJsonPieces(links.map(toItem)).map((piece): Result<{ place: string }> =>
    batch.add(selectPlaces("?2"), [accountId, piece]),
  );
  return () => pieces.flatMap(({ rows }) => rows.map(({ place }) => JSON.parse(place) as Place));
}

/**
 * A SELECT of {@link Place} as JSON for each of the links, a JSON array, of the account ?1. An account may reuse the slugs of its own
 * deleted links; others may not.
 */
function selectPlaces(links: string): string {
  return `SELECT json_object('position', p.value ->> 'position', 'is_stored', is_stored, 'verdict', p.verdict,
      'is_verified', p.is_verified, 'case_sensitive', p.case_sensitive, 'nested_slugs', p.nested_slugs,
      'is_held', h.seq IS NOT NULL OR a.link_seq IS NOT NULL, 'is_own', coalesce(h.account_id, a.account_id) IS ?1,
      'has_external_id', p.is_stored = 0 AND EXISTS (
        SELECT 1 FROM links e WHERE e.account_id = ?1 AND e.external_id = p.value ->> 'external_id'),
      'verified_hosts', json(iif(p.is_stored, '[]', (SELECT json_group_array(v.domain) FROM json_each(p.value, '$.hosts') u
        CROSS JOIN domains v INDEXED BY domains_verified ON v.domain = u.value AND v.status = 'verified')))) AS place
    FROM (
      SELECT j.value, j.value ->> 'domain' AS domain, d.status = 'verified' AS is_verified, d.nested_slugs,
        coalesce(s.case_sensitive, d.case_sensitive) AS case_sensitive, s.id IS NOT NULL AS is_stored, s.verdict,
        iif(s.id IS NULL, iif(d.case_sensitive, j.value ->> 'slug', lower(j.value ->> 'slug')), NULL) AS slug_key
      FROM json_each(${links}) j
      LEFT JOIN domains d INDEXED BY domains_by_account ON d.account_id = ?1 AND d.domain = j.value ->> 'domain'
      LEFT JOIN links s ON s.seq = CAST(j.value ->> 'seq' AS INTEGER) AND s.id = j.value ->> 'id'
    ) p
    LEFT JOIN links h INDEXED BY links_by_slug ON h.domain = p.domain AND h.slug_key = p.slug_key
    LEFT JOIN aliases a ON a.domain = p.domain AND a.slug_key = p.slug_key
      AND (a.account_id IS NOT ?1 OR EXISTS (SELECT 1 FROM links o WHERE o.seq = a.link_seq))`;
}
