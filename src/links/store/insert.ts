import type { ServiceContext } from "../../context.ts";
import type { Result } from "../../database/batch.ts";
import { toJsonPieces } from "../../database/json-pieces.ts";
import { Parameters, type Value } from "../../database/parameters.ts";
import { isNewRequest, storeResponse, type ResponseToStore, type StoredResponse } from "../../idempotency/store.ts";
import { JournaledAttempt, type Journal } from "../../idempotency/store/journal.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { findExceeded, type ExceededQuota } from "../../usage/quota.ts";
import { countChange, countedIds, usageSource, type QuotaChange, type UsageRow } from "../../usage/store.ts";
import { isAlias } from "./aliases.ts";
import { enqueueLinkEvents } from "./events.ts";
import { withCaseSensitivity, withoutRepeated, withoutRepeatedExactly, type NewLink } from "./new-links.ts";
import { removePreviousOwnerLinks } from "./previous-owner-links.ts";
import { bytesOf, columnsOf, STORED_COLUMNS, type LinkRow } from "./row.ts";
import { sequenceOf } from "./sequence.ts";
import { isCaseSensitive, slugKey } from "./slug-keys.ts";
import { noneVerified, readVerifiedDomains, verifiedSource, type VerifiedDomain } from "./verified-domains.ts";

export type InsertOutcome =
  | { outcome: "created" }
  | { outcome: "slug_taken" }
  | { outcome: "external_id_taken" }
  | { outcome: "id_taken" }
  | { outcome: "domain_refused" }
  | { outcome: "quota_exceeded"; quota: ExceededQuota }
  /** `hosts` are verified domains. */
  | { outcome: "leads_to_domain"; hosts: ReadonlySet<string> };

interface Insertion {
  /** One for each link, in order. */
  outcomes: InsertOutcome[];
  /** The rows as they were to be stored: of a repeated request, those of the first one. */
  rows: LinkRow[];
  /** The response of an earlier request with the same Idempotency-Key. */
  earlier: StoredResponse | null;
}

/** The ids and slugs of the new links, in order. */
type Plan = { id: string; slug: string }[];

interface InsertOptions {
  /** The response to a request for a single link, stored for its Idempotency-Key. */
  response?: ResponseToStore | null;
  /** The attempt of a request with a journal. */
  journaled?: { journal: Journal; attempt: number } | null;
  /** Whether `link.create` is emitted for each link. */
  emitsEvents?: boolean;
}

/**
 * Stores links of one account with their events, in one transaction and one round trip. If two links of one call have the same slug, the first gets
 * it; if the first is refused for another reason, the outcome of the second is `id_taken`, and it can be tried again. The
 * transaction is idempotent by the ids of the links.
 */
export async function insertLinks(
  context: ServiceContext,
  accountId: number | null,
  links: readonly NewLink[],
  { response = null, journaled = null, emitsEvents = true }: InsertOptions = {},
): Promise<Insertion> {
  if (journaled !== null && accountId !== null) return insertWithJournal(context, accountId, links, journaled);
  const rows = links.map(({ row }) => row);
  const batch = new OutboxBatch(context);
  removePreviousOwnerLinks(batch, accountId, rows, context);
  const isAllowed = (parameters: Parameters) =>
    response === null ? "true" : isNewRequest(parameters, response.idempotency, context.now);
  // Without events, the cron must not emit that a link has expired.
  addInserts(batch, accountId, links, isAllowed, emitsEvents ? null : context.now);
  const read = <Row>({ sql, values }: { sql: string; values: Value[] }) => batch.add<Row>(sql, values);
  const found = read<Taken>(takenSource(accountId, rows));
  const verified = namesOf(links).map((piece) => readVerifiedDomains(batch, piece));
  const usage = accountId === null ? null : read<UsageRow>(usageSource(accountId));
  const earlier = response === null ? null : storeFirstResponse(batch, rows, response, context.now);
  const ids = rows.map(({ id }) => id);
  if (accountId !== null && emitsEvents) enqueueLinkEvents(batch, "link.create", { accountId, ids }, context);
  await batch.commitWithRetry();

  const domains = verified.flatMap((result) => result.rows);
  const known = withCaseSensitivity(links, domains);
  return {
    outcomes: outcomesOf(known, found.rows, domains, usage?.first),
    rows: known.map(({ row }) => row),
    earlier: earlier?.first ?? null,
  };
}

/** As {@link insertLinks}, for one attempt of a request with a journal. */
async function insertWithJournal(
  context: ServiceContext,
  accountId: number,
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
  recorded.record(usageSource(accountId));
  for (const names of namesOf(links)) recorded.record(verifiedSource(names));
  recorded.read();
  const ids = rows.map(({ id }) => id);
  enqueueLinkEvents(batch, "link.create", { accountId, ids }, context);
  await batch.commitWithRetry();

  const result = recorded.result();
  if (result.earlier !== null) return { outcomes: [], rows: [], earlier: result.earlier };
  const [taken, usage, ...verified] = result.records;
  const domains = verified.flat() as VerifiedDomain[];
  const planned = withCaseSensitivity(
    links.map((link, n) => ({ ...link, row: { ...link.row, ...result.plan[n] } })),
    domains,
  );
  return {
    outcomes: outcomesOf(planned, taken as Taken[], domains, usage?.[0] as UsageRow | undefined),
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
  expiredUntil: number | null = null,
): void {
  const statusOf = ({ expires_at: end }: LinkRow) =>
    end !== null && expiredUntil !== null && end <= expiredUntil ? "expired" : "active";
  const items = links.map(({ row }) => ({ ...row, seq: sequenceOf(row.id), status: statusOf(row) }));
  const change = accountId === null ? null : { accountId, changeId: (links[0] as NewLink).row.id };
  if (change !== null) {
    const parameters = new Parameters();
    const from = `(${insertableLinks(links, change, isAllowed, parameters)})`;
    countChange(batch, change, { links: "count(*)", bytes: "sum(bytes)", ids: "group_concat(id)", from }, parameters);
  }
  for (const piece of toJsonPieces(items)) {
    const parameters = new Parameters([piece]);
    const ids =
      change === null
        ? `SELECT id AS changed_ids FROM (${insertableLinks(links, change, isAllowed, parameters)})`
        : countedIds(change, parameters);
    const columns = columnsOf("j.value", {
      case_sensitive: isCaseSensitive(parameters.add(accountId), valueOf("domain")),
    });
    batch.add(
      `INSERT INTO links (${STORED_COLUMNS.join(", ")}) SELECT ${columns} FROM (${ids}) u CROSS JOIN json_each(?1) j
       WHERE instr(u.changed_ids, ${valueOf("id")}) > 0 ON CONFLICT (seq) DO NOTHING`,
      parameters.values,
    );
  }
}

/** A SELECT of the `id` and the `bytes` of the links that can be stored, as far as quotas allow it. */
function insertableLinks(
  links: readonly NewLink[],
  change: QuotaChange | null,
  isAllowed: (parameters: Parameters) => string,
  parameters: Parameters,
): string {
  const folded = new Set(withoutRepeated(links).map(({ row }) => row.id));
  const items = withoutRepeatedExactly(links).map(({ row, hosts }) => {
    const { id, domain, slug, external_id } = row;
    // From a slug before, which matters unless the domain is case-sensitive.
    const differsByCase = folded.has(id) ? 0 : 1;
    const aliases = row.aliases === null ? undefined : (JSON.parse(row.aliases) as string[]);
    return { id, bytes: bytesOf(row), seq: sequenceOf(id), domain, slug, differsByCase, aliases, external_id, hosts };
  });
  const source = toJsonPieces(items).map((piece) => `SELECT value FROM json_each(${parameters.add(piece)})`);
  const account = parameters.add(change?.accountId ?? null);
  const domain = valueOf("domain");
  const key = slugKey("d.case_sensitive", valueOf("slug"));
  const aliasKey = slugKey("d.case_sensitive", "w.value");
  return `SELECT ${valueOf("id")} AS id, ${valueOf("bytes")} AS bytes FROM (${source.join(" UNION ALL ")}) j
    LEFT JOIN domains d INDEXED BY domains_verified
      ON d.domain = ${domain} AND d.status = 'verified' AND d.account_id = ${account}
    WHERE (${domain} = '' OR d.id IS NOT NULL) AND ${noneVerified("j.value, '$.hosts'")}
      AND (d.case_sensitive OR NOT ${valueOf("differsByCase")})
      AND ${isAllowed(parameters)} AND NOT ${isAlias(domain, key, account)}
      AND NOT EXISTS (SELECT 1 FROM links l WHERE l.domain = ${domain} AND l.slug_key = ${key})
      AND NOT EXISTS (SELECT 1 FROM json_each(j.value, '$.aliases') w WHERE ${isAlias(domain, aliasKey, account)}
        OR EXISTS (SELECT 1 FROM links l WHERE l.domain = ${domain} AND l.slug_key = ${aliasKey}))
      AND NOT EXISTS (SELECT 1 FROM links l WHERE l.seq = CAST(${valueOf("seq")} AS INTEGER))
      AND NOT EXISTS (SELECT 1 FROM links l WHERE l.account_id = ${account} AND l.external_id = ${valueOf("external_id")})`;
}

/** The links that have the slug and the externalId of a link, by their ids. */
export interface Taken {
  position: number;
  by_slug: string | null;
  is_alias: 0 | 1;
  by_external_id: string | null;
}

/** A SELECT of {@link Taken} for each of the rows. */
export function takenSource(
  accountId: number | null,
  rows: readonly Pick<LinkRow, "domain" | "slug" | "external_id">[],
) {
  const items = rows.map(({ domain, slug, external_id }) => [domain, slug, external_id]);
  const key = slugKey("d.case_sensitive", "j.value ->> 1");
  return {
    sql: `SELECT j.key AS position,
       (SELECT id FROM links WHERE domain = j.value ->> 0 AND slug_key = ${key}) AS by_slug,
       ${isAlias("j.value ->> 0", key, "?2")} AS is_alias,
       (SELECT id FROM links WHERE account_id = ?2 AND external_id = j.value ->> 2) AS by_external_id
     FROM json_each(?1) j LEFT JOIN domains d INDEXED BY domains_by_account
       ON d.account_id = ?2 AND d.domain = j.value ->> 0`,
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

/** `usage` is that after the insertion; undefined for an anonymous link. */
function outcomesOf(
  links: readonly NewLink[],
  taken: readonly Taken[],
  verified: readonly VerifiedDomain[],
  usage: UsageRow | undefined,
): InsertOutcome[] {
  const takenBy = new Map(taken.map((row) => [row.position, row]));
  const outcomes = links.map((link, position) => outcomeOf(link, takenBy.get(position), verified));
  if (usage === undefined || outcomes.some(({ outcome }) => outcome === "created")) return outcomes;
  // None is stored, although these could be: they have no room together, or their ids are taken.
  const storable = withoutRepeated(links.filter((_, position) => outcomes[position]?.outcome === "id_taken"));
  const bytes = storable.reduce((sum, { row }) => sum + bytesOf(row), 0);
  const quota = storable.length === 0 ? null : findExceeded(usage, storable.length, bytes);
  if (quota === null) return outcomes;
  return outcomes.map((outcome) => (outcome.outcome === "id_taken" ? { outcome: "quota_exceeded", quota } : outcome));
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
