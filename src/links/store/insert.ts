import type { ServiceContext } from "../../context.ts";
import type { Result } from "../../database/batch.ts";
import { toJsonPieces } from "../../database/json-pieces.ts";
import { Parameters } from "../../database/parameters.ts";
import { isNewRequest, storeResponse, type ResponseToStore, type StoredResponse } from "../../idempotency/store.ts";
import { JournaledAttempt, type Journal } from "../../idempotency/store/journal.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { isAlias } from "./aliases.ts";
import { enqueueLinkEvents } from "./events.ts";
import { removePreviousOwnerLinks } from "./previous-owner-links.ts";
import { columnsOf, STORED_COLUMNS, type LinkRow } from "./row.ts";
import { sequenceOf } from "./sequence.ts";
import {
  isVerifiedFor,
  noneVerified,
  readVerifiedDomains,
  verifiedSource,
  type VerifiedDomain,
} from "./verified-domains.ts";

/** A link to store, with the hosts of its destinations. */
export interface NewLink {
  row: LinkRow;
  hosts: string[];
}

export type InsertOutcome =
  | { outcome: "created" }
  | { outcome: "slug_taken" }
  | { outcome: "external_id_taken" }
  | { outcome: "id_taken" }
  | { outcome: "domain_refused" }
  /** `hosts` are verified domains. */
  | { outcome: "leads_to_domain"; hosts: ReadonlySet<string> };

interface Insertion {
  /** One for each link, in order. */
  outcomes: InsertOutcome[];
  /** The rows that were to be stored: of a repeated request, those of the first one. */
  rows: LinkRow[];
  /** The response of an earlier request with the same Idempotency-Key. */
  earlier: StoredResponse | null;
}

/** The ids and slugs of the new links, in order. */
type Plan = { id: string; slug: string }[];

/**
 * Stores links of one account with their events, in one transaction and one round trip. `response` is the response to a
 * request for a single link, stored for its Idempotency-Key. The unique indexes decide who gets a slug. If two links of
 * one call have the same slug, the first gets it. The transaction is idempotent by the ids of the links.
 */
export async function insertLinks(
  context: ServiceContext,
  accountId: number | null,
  links: readonly NewLink[],
  response: ResponseToStore | null,
  journaled: { journal: Journal; attempt: number } | null = null,
): Promise<Insertion> {
  if (journaled !== null) return insertWithJournal(context, accountId, links, journaled);
  const rows = links.map(({ row }) => row);
  const batch = new OutboxBatch(context);
  removePreviousOwnerLinks(batch, accountId, rows, context);
  addInserts(batch, accountId, links, (parameters) =>
    response === null ? "true" : isNewRequest(parameters, response.idempotency, context.now),
  );
  const { sql, values } = takenSource(accountId, rows);
  const found = batch.add<Taken>(sql, values);
  const verified = namesOf(links).map((piece) => readVerifiedDomains(batch, piece));
  const earlier = response === null ? null : storeFirstResponse(batch, rows, response, context.now);
  const ids = rows.map(({ id }) => id);
  if (accountId !== null) enqueueLinkEvents(batch, "link.create", { accountId, ids }, context);
  await batch.commitWithRetry();

  const domains = verified.flatMap((result) => result.rows);
  return { outcomes: outcomesOf(links, found.rows, domains), rows, earlier: earlier?.first ?? null };
}

/** As {@link insertLinks}, for one attempt of a request with a journal. */
async function insertWithJournal(
  context: ServiceContext,
  accountId: number | null,
  links: readonly NewLink[],
  { journal, attempt }: { journal: Journal; attempt: number },
): Promise<Insertion> {
  const rows = links.map(({ row }) => row);
  const batch = new OutboxBatch(context);
  const plan = rows.map(({ id, slug }) => ({ id, slug }));
  const recorded = new JournaledAttempt<Plan>(batch, journal, attempt, plan, context.now);
  removePreviousOwnerLinks(batch, accountId, rows, context);
  addInserts(batch, accountId, links, (parameters) => recorded.isOwn(parameters));
  recorded.record(takenSource(accountId, rows));
  for (const names of namesOf(links)) recorded.record(verifiedSource(names));
  recorded.read();
  const ids = rows.map(({ id }) => id);
  if (accountId !== null) enqueueLinkEvents(batch, "link.create", { accountId, ids }, context);
  await batch.commitWithRetry();

  const result = recorded.result();
  if (result.earlier !== null) return { outcomes: [], rows: [], earlier: result.earlier };
  const [taken, ...verified] = result.records;
  const planned = links.map((link, n) => ({ ...link, row: { ...link.row, ...result.plan[n] } }));
  return {
    outcomes: outcomesOf(planned, taken as Taken[], verified.flat() as VerifiedDomain[]),
    rows: planned.map(({ row }) => row),
    earlier: null,
  };
}

/** The domains of the links and the hosts of their destinations, as JSON arrays. */
function namesOf(links: readonly NewLink[]): string[] {
  const names = new Set(links.flatMap(({ row, hosts }) => [row.domain, ...hosts]));
  names.delete("");
  return toJsonPieces([...names]);
}

const valueOf = (column: string) => `j.value ->> '${column}'`;

function addInserts(
  batch: OutboxBatch,
  accountId: number | null,
  links: readonly NewLink[],
  isAllowed: (parameters: Parameters) => string,
): void {
  const items = links.map(({ row, hosts }) => ({ ...row, seq: sequenceOf(row.id), status: "active", hosts }));
  for (const piece of toJsonPieces(items)) {
    const parameters = new Parameters([piece]);
    const isOwnDomain = isVerifiedFor(parameters.add(accountId), valueOf("domain"));
    batch.add(
      `INSERT INTO links (${STORED_COLUMNS.join(", ")}) SELECT ${columnsOf("j.value")} FROM json_each(?1) j
       WHERE (${valueOf("domain")} = '' OR ${isOwnDomain}) AND ${noneVerified("j.value, '$.hosts'")} AND ${isAllowed(parameters)}
         AND NOT ${isAlias(valueOf("domain"), valueOf("slug"), parameters.add(accountId))}
       ON CONFLICT DO NOTHING`,
      parameters.values,
    );
  }
}

/** The links that have the slug and the externalId of a new link after the insertion, by their ids. */
interface Taken {
  position: number;
  by_slug: string | null;
  is_alias: 0 | 1;
  by_external_id: string | null;
}

function takenSource(accountId: number | null, rows: readonly LinkRow[]) {
  const items = rows.map(({ domain, slug, external_id }) => [domain, slug, external_id]);
  return {
    sql: `SELECT j.key AS position,
       (SELECT id FROM links WHERE domain = j.value ->> 0 AND slug = j.value ->> 1) AS by_slug,
       ${isAlias("j.value ->> 0", "j.value ->> 1", "?2")} AS is_alias,
       (SELECT id FROM links WHERE account_id = ?2 AND external_id = j.value ->> 2) AS by_external_id
     FROM json_each(?1) j`,
    values: [JSON.stringify(items), accountId],
    columns: ["position", "by_slug", "is_alias", "by_external_id"],
  };
}

function storeFirstResponse(
  batch: OutboxBatch,
  rows: readonly LinkRow[],
  response: ResponseToStore,
  now: number,
): Result<StoredResponse> {
  const { id } = rows[0] as LinkRow;
  const sql = "SELECT 1 FROM links WHERE seq = ?7 AND id = ?4";
  return storeResponse(batch, response, { id, sql, values: [sequenceOf(id)] }, now);
}

function outcomesOf(
  links: readonly NewLink[],
  taken: readonly Taken[],
  verified: readonly VerifiedDomain[],
): InsertOutcome[] {
  const takenBy = new Map(taken.map((row) => [row.position, row]));
  return links.map((link, position) => outcomeOf(link, takenBy.get(position), verified));
}

function outcomeOf(
  { row, hosts }: NewLink,
  taken: Taken | undefined,
  verified: readonly VerifiedDomain[],
): InsertOutcome {
  if (taken?.by_slug === row.id) return { outcome: "created" };
  const owner = verified.find(({ domain }) => domain === row.domain);
  if (row.domain !== "" && owner?.account_id !== row.account_id) return { outcome: "domain_refused" };
  const loops = new Set(verified.map(({ domain }) => domain).filter((domain) => hosts.includes(domain)));
  if (loops.size > 0) return { outcome: "leads_to_domain", hosts: loops };
  if (taken?.by_external_id != null) return { outcome: "external_id_taken" };
  return { outcome: taken?.by_slug == null && taken?.is_alias !== 1 ? "id_taken" : "slug_taken" };
}
