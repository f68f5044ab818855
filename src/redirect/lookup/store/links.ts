import { isDeletedAccount } from "../../../platform/database/account-states.ts";
import { tagSql } from "../../../platform/lib/password-tag.ts";
import { effectiveVerdict } from "./verdict-sql.ts";
import { PASSWORD_ATTACK_RESOLUTION_MS } from "../../../limits.ts";
import { toSlugKey } from "../../../platform/lib/slug.ts";
import type { RedirectRow } from "../entry.ts";

const COLUMNS = `id, account_id, case_sensitive, url, redirect_status, pass_parameters, disabled, starts_at, expires_at, expired_url, max_clicks, visits, password_hash,
  ios, android, geo, rules, preview, ${effectiveVerdict} AS verdict, updated_at`;
/** A link of a custom domain is found only while the domain is verified for the link's own account. ?2 is `ANONYMOUS_HOST`. */
const IS_REACHABLE = `NOT ${isDeletedAccount("links.account_id")} AND (domain IN ('', ?2) OR EXISTS (SELECT 1 FROM domains d
  WHERE d.domain = links.domain AND d.status = 'verified' AND d.account_id = links.account_id))`;

/**
 * SQL for the link at the domain ?1 with the slug ?3, or else with that alias. ?2 is `ANONYMOUS_HOST`. The row of a link says
 * whether its domain is case-sensitive. If it is not, its slug also has the other form ?4, which is NULL if there is none
 * ({@link keysOf}).
 */
function bySlug(columns: string): string {
  const found = [
    "domain = ?1 AND slug_key = ?3",
    "domain = ?1 AND slug_key = ?4 AND case_sensitive = 0",
    "seq = (SELECT link_seq FROM aliases WHERE domain = ?1 AND slug_key = ?3)",
    "seq = (SELECT link_seq FROM aliases WHERE domain = ?1 AND slug_key = ?4) AND case_sensitive = 0",
  ];
  const parts = found.map((condition) => `SELECT ${columns} FROM links WHERE ${condition} AND ${IS_REACHABLE}`);
  return `${parts.join(" UNION ALL ")} LIMIT 1`;
}

const BY_SLUG = bySlug(COLUMNS);

/** The keys that a slug can have: as it is, and in lower case if that differs. */
function keysOf(domain: string, slug: string): [key: string, otherKey: string | null] {
  const folded = toSlugKey(slug, false);
  return domain === "" || folded === slug ? [folded, null] : [slug, folded];
}

/** As {@link BY_SLUG} for each object of a list, by the key of its slug. ?2 is `ANONYMOUS_HOST`. */
const VERSIONS = `SELECT s.key AS position, (
    SELECT updated_at FROM links WHERE domain = s.value ->> 'domain' AND slug_key = s.value ->> 'slugKey' AND ${IS_REACHABLE}
    UNION ALL SELECT updated_at FROM links WHERE ${IS_REACHABLE} AND seq = (
      SELECT link_seq FROM aliases WHERE domain = s.value ->> 'domain' AND slug_key = s.value ->> 'slugKey') LIMIT 1
  ) AS version FROM json_each(?1) s`;

/** A configuration without the variable breaks no redirect. */
type HostEnv = Partial<Pick<Env, "ANONYMOUS_HOST">>;

/** How one link or one domain is read. */
export interface Query {
  sql: string;
  parameters: (string | null)[];
}

/** Reads the link at a slug or an alias, by an index. */
export function linkQuery(env: HostEnv, domain: string, slug: string): Query {
  return { sql: BY_SLUG, parameters: [domain, env.ANONYMOUS_HOST ?? "", ...keysOf(domain, slug)] };
}

/** The nearest replica, which can lag, or the primary. */
export type Source = "nearest" | "primary";

export function readAlone(db: D1Database, source: Source, query: Query): Promise<D1Result> {
  return toStatement(sessionOf(db, source), query).all();
}

/** Makes the queries in one round trip. */
export async function readTogether(db: D1Database, source: Source, queries: readonly Query[]): Promise<D1Result[]> {
  const [query, ...others] = queries;
  if (query !== undefined && others.length === 0) return [await readAlone(db, source, query)];
  const session = sessionOf(db, source);
  return session.batch(queries.map((each) => toStatement(session, each)));
}

function sessionOf(db: D1Database, source: Source): Pick<D1Database, "prepare" | "batch"> {
  return source === "nearest" ? db.withSession("first-unconstrained") : db;
}

/**
 * Reads one row at the nearest replica. If it has no row, or a version older than `knownVersion`, the primary is read.
 * `read` makes each of these queries.
 */
export async function readNearest<R extends { updated_at: number }>(
  db: D1Database,
  query: Query,
  knownVersion = 0,
  read: typeof readAlone = readAlone,
): Promise<R | null> {
  const nearest = await read(db, "nearest", query);
  const [row = null] = nearest.results as R[];
  const isCurrent = row !== null && row.updated_at >= knownVersion;
  if (isCurrent || nearest.meta.served_by_primary === true) return row;
  const [present = null] = (await read(db, "primary", query)).results as R[];
  return present;
}

/** Reads one row where the caller says: at the primary, or by a session. */
export function readRow<R>(db: Pick<D1Database, "prepare">, query: Query): Promise<R | null> {
  return toStatement(db, query).first<R>();
}

function toStatement(db: Pick<D1Database, "prepare">, { sql, parameters }: Query): D1PreparedStatement {
  return db.prepare(sql).bind(...parameters);
}

/** The link at a slug, read from the primary. */
export async function findLinkAtPrimary(
  env: HostEnv,
  db: D1Database,
  domain: string,
  slug: string,
): Promise<RedirectRow | null> {
  return readRow(db, linkQuery(env, domain, slug));
}

/** The versions of the links at slugs or aliases, read from the primary in their order; null: there is no link. */
export async function readLinkVersions(
  env: HostEnv,
  db: D1Database,
  links: readonly { domain: string; slugKey: string }[],
): Promise<(number | null)[]> {
  const list = JSON.stringify(links.map(({ domain, slugKey }) => ({ domain, slugKey })));
  const { results } = await db
    .prepare(VERSIONS)
    .bind(list, env.ANONYMOUS_HOST ?? "")
    .all<{ position: number; version: number | null }>();
  const versions = new Map(results.map(({ position, version }) => [position, version]));
  return links.map((_, position) => versions.get(position) ?? null);
}

/** Stores the same password under another key, unless it was changed in the meantime. */
export async function replacePasswordHash(db: D1Database, linkId: string, from: string, to: string): Promise<void> {
  await db
    .prepare("UPDATE links SET password_hash = ?1 WHERE password_hash = ?2 AND id = ?3")
    .bind(to, from, linkId)
    .run();
}

/**
 * Stores that the link with this password is under attack at `now` (Unix milliseconds), unless that was stored less than
 * {@link PASSWORD_ATTACK_RESOLUTION_MS} before. It is no change of a setting.
 */
export async function recordPasswordAttack(db: D1Database, linkId: string, hash: string, now: number): Promise<void> {
  await db
    .prepare(
      `UPDATE links SET password_attacked_at = CAST(?1 AS INTEGER) WHERE password_hash = ?2 AND id = ?3
       AND (password_attacked_at IS NULL OR password_attacked_at <= ?1 - ?4)`,
    )
    .bind(now, hash, linkId, PASSWORD_ATTACK_RESOLUTION_MS)
    .run();
}

/**
 * Uses one visit of a link with a limit. Returns the link, or null if no visit is left. One statement at the primary,
 * so the limit is exact under concurrency, and it applies to the link that has the slug now, which a replica may not
 * know yet. No visit is used if the link's password does not have this tag any more, the one that let the visitor in:
 * the caller must check the returned row.
 */
export async function claimVisit(
  env: HostEnv,
  db: D1Database,
  domain: string,
  slug: string,
  passwordTag: string | null,
  now: number,
): Promise<RedirectRow | null> {
  return db
    .prepare(
      `UPDATE links SET visits = visits + (max_clicks IS NOT NULL AND (starts_at IS NULL OR starts_at <= ?5) AND (password_hash IS NULL OR ${tagSql("password_hash")} IS ?6))
       WHERE seq = (${bySlug("seq")})
         AND (max_clicks IS NULL OR visits < max_clicks) AND disabled = 0
         AND (expires_at IS NULL OR expires_at > ?5)
       RETURNING ${COLUMNS}`,
    )
    .bind(domain, env.ANONYMOUS_HOST ?? "", ...keysOf(domain, slug), now, passwordTag)
    .first<RedirectRow>();
}
