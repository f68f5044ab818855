import type { Idempotency } from "../../idempotency/store.ts";
import { storeResponse, notAnsweredYet, oldestKept, readResponse } from "../../idempotency/legacy.ts";
import { batchWithRetry } from "../../database/retry.ts";
import { toJsonPieces } from "../../database/json-pieces.ts";
import { wokenBy } from "../../outbox/legacy.ts";
import { displaceStatements } from "./remove-previous-owner-links.ts";
import { isVerifiedFor, noneVerified, verifiedAmong, type VerifiedDomain } from "../domain.ts";
import { linkEventsStatements, type LinkEvent } from "./events.ts";
import { sequenceOf, toIdsJson } from "./sequence.ts";
import type { LinkRow } from "./row.ts";

/** A link to store, and the hosts that its visitors may be sent to. */
export interface NewLink {
  row: LinkRow;
  hosts: string[];
}

/** Why a link was not stored, or that it was. */
export type InsertOutcome =
  | { outcome: "created" }
  | { outcome: "slug_taken" }
  | { outcome: "external_id_taken" }
  | { outcome: "id_taken" }
  | { outcome: "domain_refused" }
  /** To hosts that are verified domains. */
  | { outcome: "leads_back"; hosts: ReadonlySet<string> };

export interface Insertion {
  /** Of each link, in order. */
  outcomes: InsertOutcome[];
  webhookIds: string[];
  /** The answer that is kept for the Idempotency-Key, where an earlier request has left one. */
  answered: { fingerprint: string; response: string } | null;
}

/**
 * Stores links of one account, their events, and with `answer` the answer to the request for one of them, in one
 * transaction and one round trip, whatever their number. Who has a slug is decided by the unique index, so it is one
 * however many requests come at once, and the first of a request; a repeated write is recognised by the links' ids.
 */
export async function insertLinks(
  db: D1Database,
  accountId: number | null,
  links: readonly NewLink[],
  answer: { idempotency: Idempotency; response: unknown } | null,
  event: LinkEvent,
): Promise<Insertion> {
  const rows = links.map(({ row }) => row);
  const displacement = displaceStatements(db, accountId, rows, event);
  const inserts = insertStatements(db, accountId, links, answer?.idempotency, event.now);
  const found = findStatement(db, accountId, rows);
  const domains = domainStatements(db, links);
  const kept = answer === null ? [] : answerStatements(db, rows, answer, event.now);
  const ids = rows.map(({ id }) => id);
  const reported =
    accountId === null ? [] : linkEventsStatements(db, "link.create", { json: toIdsJson(ids), accountId }, event);

  const before = [...displacement.statements, ...inserts];
  const results = await batchWithRetry(db, [...before, found, ...domains, ...kept, ...reported]);
  const verifiedAt = before.length + 1;
  const keptAt = verifiedAt + domains.length;
  const verified = results.slice(verifiedAt, keptAt).flatMap((result) => result.results) as unknown as VerifiedDomain[];
  const places = (results[before.length]?.results ?? []) as unknown as Found[];
  const placeOf = new Map(places.map((place) => [place.n, place]));
  const earlier = results[keptAt + 1]?.results[0] as Kept | undefined;
  return {
    outcomes: links.map((link, index) => outcomeOf(link, placeOf.get(index), verified)),
    webhookIds: [...displacement.read(results), ...(reported.length === 0 ? [] : wokenBy(results.at(-1)))],
    answered: answer === null || earlier === undefined || earlier.resource_id === ids[0] ? null : earlier,
  };
}

interface Kept {
  fingerprint: string;
  resource_id: string;
  response: string;
}

/** The ids of the links that have a new link's slug and externalId after the write. */
interface Found {
  n: number;
  at_slug: string | null;
  at_external_id: string | null;
}

function outcomeOf(
  { row, hosts }: NewLink,
  found: Found | undefined,
  verified: readonly VerifiedDomain[],
): InsertOutcome {
  if (found?.at_slug === row.id) return { outcome: "created" };
  const holder = verified.find(({ domain }) => domain === row.domain);
  if (row.domain !== "" && holder?.account_id !== row.account_id) return { outcome: "domain_refused" };
  const loops = new Set(verified.map(({ domain }) => domain).filter((domain) => hosts.includes(domain)));
  if (loops.size > 0) return { outcome: "leads_back", hosts: loops };
  if (found?.at_external_id != null) return { outcome: "external_id_taken" };
  return { outcome: found?.at_slug == null ? "id_taken" : "slug_taken" };
}

function insertStatements(
  db: D1Database,
  accountId: number | null,
  links: readonly NewLink[],
  idempotency: Idempotency | undefined,
  now: number,
): D1PreparedStatement[] {
  const items = links.map(({ row, hosts }) => ({ ...columnsOf(row), hosts }));
  const names = Object.keys(columnsOf((links[0] as NewLink).row));
  const values = names.map((name) => (name === "seq" ? `CAST(${valueOf("seq")} AS INTEGER)` : valueOf(name)));
  const conditions = [
    `(${valueOf("domain")} = '' OR ${isVerifiedFor("?2", valueOf("domain"))})`,
    noneVerified("j.value, '$.hosts'"),
  ];
  if (idempotency !== undefined) conditions.push(notAnsweredYet("?2", "?3", "?4"));
  const answered = idempotency === undefined ? [] : [idempotency.key, oldestKept(now)];
  return toJsonPieces(items).map((piece) =>
    db
      .prepare(
        `INSERT INTO links (${names.join(", ")}) SELECT ${values.join(", ")} FROM json_each(?1) j
         WHERE ${conditions.join(" AND ")} ON CONFLICT DO NOTHING`,
      )
      .bind(piece, accountId, ...answered),
  );
}

const valueOf = (name: string) => `j.value ->> '${name}'`;

function columnsOf(link: LinkRow) {
  return {
    seq: sequenceOf(link.id),
    id: link.id,
    account_id: link.account_id,
    domain: link.domain,
    slug: link.slug,
    url: link.url,
    title: link.title,
    tags: link.tags,
    status: "active",
    expires_at: link.expires_at,
    expired_url: link.expired_url,
    max_clicks: link.max_clicks,
    external_id: link.external_id,
    password_hash: link.password_hash,
    ios: link.ios,
    android: link.android,
    geo: link.geo,
    rules: link.rules,
    preview: link.preview,
    redirect_status: link.redirect_status,
    created_at: link.created_at,
    updated_at: link.updated_at,
  };
}

function findStatement(db: D1Database, accountId: number | null, rows: readonly LinkRow[]): D1PreparedStatement {
  const items = rows.map(({ domain, slug, external_id }) => [domain, slug, external_id]);
  return db
    .prepare(
      `SELECT j.key AS n,
         (SELECT id FROM links WHERE domain = j.value ->> 0 AND slug = j.value ->> 1) AS at_slug,
         (SELECT id FROM links WHERE account_id = ?2 AND external_id = j.value ->> 2) AS at_external_id
       FROM json_each(?1) j`,
    )
    .bind(JSON.stringify(items), accountId);
}

/** Tell which of the domains and hosts in question are verified, and for whom. */
function domainStatements(db: D1Database, links: readonly NewLink[]): D1PreparedStatement[] {
  const names = new Set(links.flatMap(({ row, hosts }) => [row.domain, ...hosts]));
  names.delete("");
  return toJsonPieces([...names]).map((piece) => verifiedAmong(db, piece));
}

function answerStatements(
  db: D1Database,
  rows: readonly LinkRow[],
  { idempotency, response }: { idempotency: Idempotency; response: unknown },
  now: number,
): D1PreparedStatement[] {
  const { id } = rows[0] as LinkRow;
  const made = { id, key: sequenceOf(id), made: "SELECT 1 FROM links WHERE seq = ?7 AND id = ?4" };
  return [storeResponse(db, idempotency, made, response, now), readResponse(db, idempotency, now)];
}
