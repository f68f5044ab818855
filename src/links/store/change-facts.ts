import { Batch, type Result } from "../../platform/database/batch.ts";
import { toJsonPieces } from "../../platform/database/json-pieces.ts";
import { Parameters } from "../../platform/database/parameters.ts";
import type { ShortUrlFacts } from "../decide.ts";
import { OWN_COLUMNS, type LinkRow } from "./row.ts";
import { LISTED_LINKS, listedLinks, sequenceOf } from "./sequence.ts";
import { readVerifiedDomains } from "./verified-domains.ts";
import { LAST_VISIT } from "./visited-destination.ts";

/** The short URL that a change gives a link. undefined: the link keeps its domain, or its slug. */
export interface WantedShortUrl {
  id: string;
  domain: string | undefined;
  slug: string | undefined;
}

/** A link without its `destination`, which depends on the URL that the change gives it. */
export type ReadLink = LinkRow & { last_visit: string | null };

export interface ReadForChange {
  /** By link id. */
  rows: ReadonlyMap<string, ReadLink>;
  /** By link id, for each wanted short URL. */
  shortUrls: ReadonlyMap<string, ShortUrlFacts>;
  verifiedHosts: ReadonlySet<string>;
}

/** The facts about a short URL that stays. */
export const NO_SHORT_URL: ShortUrlFacts = { domain: null, holder: null };

/** Reads links before a change, with what the change depends on, in one round trip. `hosts` are those of new destinations. */
export async function readForChange(
  db: D1Database,
  ids: readonly string[],
  wanted: readonly WantedShortUrl[],
  hosts: readonly string[],
): Promise<ReadForChange> {
  const batch = new Batch(db);
  const parameters = new Parameters();
  const { condition } = listedLinks(ids, parameters);
  const rows: Result<ReadLink> = batch.add(
    `SELECT ${OWN_COLUMNS}, ${LAST_VISIT} AS last_visit FROM ${LISTED_LINKS} WHERE ${condition}`,
    parameters.values,
  );
  const items = wanted.map(({ id, domain, slug }) => ({ id, seq: sequenceOf(id), domain, slug }));
  const facts = toJsonPieces(items).map((piece): Result<FactsRow & { id: string }> =>
    batch.add(SHORT_URL_FACTS, [piece]),
  );
  const verified = hosts.length === 0 ? null : readVerifiedDomains(batch, JSON.stringify(hosts));
  await batch.commit();
  return {
    rows: new Map(rows.rows.map((row) => [row.id, row])),
    shortUrls: new Map(facts.flatMap((each) => each.rows).map((row) => [row.id, toFacts(row)])),
    verifiedHosts: new Set(verified?.rows.map(({ domain }) => domain)),
  };
}

export interface FactsRow {
  /** The columns of the domain; null: the account does not have it. */
  is_verified: 0 | 1 | null;
  case_sensitive: 0 | 1 | null;
  nested_slugs: 0 | 1 | null;
  is_held: 0 | 1;
  is_own: 0 | 1;
}

export function toFacts({ is_verified, case_sensitive, nested_slugs, is_held, is_own }: FactsRow): ShortUrlFacts {
  const caseSensitive = case_sensitive ?? 0;
  const domain = { isVerified: is_verified === 1, caseSensitive, hasNestedSlugs: nested_slugs === 1 };
  return {
    domain: is_verified === null ? null : domain,
    holder: is_held === 0 ? null : is_own === 1 ? "own" : "other",
  };
}

/** The facts of the wanted short URLs ?1. An account may reuse the slugs of its own deleted links; others may not. */
const SHORT_URL_FACTS = `
  WITH wanted AS (
    SELECT l.seq, l.id, l.account_id, l.domain AS present_domain, l.case_sensitive AS present_case,
      coalesce(j.value ->> 'domain', l.domain) AS domain, coalesce(j.value ->> 'slug', l.slug) AS slug
    FROM json_each(?1) j
    CROSS JOIN links l ON l.seq = CAST(j.value ->> 'seq' AS INTEGER) AND l.id = j.value ->> 'id'
  ), at_domain AS (
    SELECT w.*, d.status = 'verified' AS is_verified, d.case_sensitive, d.nested_slugs,
      iif(iif(w.domain = w.present_domain, w.present_case, d.case_sensitive), w.slug, lower(w.slug)) AS slug_key
    FROM wanted w
    LEFT JOIN domains d INDEXED BY domains_by_account ON d.account_id = w.account_id AND d.domain = w.domain
  )
  SELECT w.id, w.is_verified, w.case_sensitive, w.nested_slugs,
    h.seq IS NOT NULL OR a.link_seq IS NOT NULL AS is_held, coalesce(h.account_id, a.account_id) IS w.account_id AS is_own
  FROM at_domain w
  LEFT JOIN links h INDEXED BY links_by_slug ON h.domain = w.domain AND h.slug_key = w.slug_key AND h.seq <> w.seq
  LEFT JOIN aliases a ON a.domain = w.domain AND a.slug_key = w.slug_key AND a.link_seq <> w.seq
    AND (a.account_id <> w.account_id OR EXISTS (SELECT 1 FROM links o WHERE o.seq = a.link_seq))`;
