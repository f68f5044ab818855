import type { ServiceContext } from "../../platform/context.ts";
import { toJsonPieces } from "../../platform/database/json-pieces.ts";
import { ALWAYS, Parameters, type Condition } from "../../platform/database/parameters.ts";
import {
  isFirst,
  storeResponse,
  type Idempotency,
  type StoredResponse,
} from "../../platform/idempotency/store/responses.ts";
import { JournaledAttempt, type Journal } from "../../platform/idempotency/store/journal.ts";
import { OutboxBatch } from "../../platform/outbox/batch.ts";
import { isNested } from "../../platform/lib/slug.ts";
import { isUntrustedAccount } from "../../platform/database/account-states.ts";
import { countCreated, countWithinQuotas, type CreationLimit } from "../../access/usage/store.ts";
import { slugsOf } from "../aliases.ts";
import type { NewLink } from "../decide.ts";
import { selectFindings, type Findings } from "./creation-facts.ts";
import { enqueueLinkEvents } from "./events.ts";
import { findPreviousOwnerLinks, removePreviousOwnerLinks } from "./previous-owner-links.ts";
import { bytesOf, columnsOf, STORED_COLUMNS, type LinkRow } from "./row.ts";
import { sequenceOf } from "./sequence.ts";
import { isExpired } from "./visitors.ts";

export interface WriteLinksOptions {
  /** Whether the links are stored as those of an account that is not trusted yet. If it is otherwise, none is stored. */
  isUntrusted?: boolean;
  /** Whether links that a custom domain's previous owner has at the slugs are deleted before. */
  replaces?: boolean;
  /** The response to a request for a single link, stored for its Idempotency-Key. */
  toStore?: { idempotency: Idempotency; toResponse: (row: LinkRow) => unknown } | null;
  /** The attempt of a request with a journal. */
  journaled?: { journal: Journal; attempt: number } | null;
  /** Whether `link.create` is emitted for each link. */
  emitsEvents?: boolean;
  /** With it, the links count as created by calls. Of too many, none is stored, and the error of the transaction is thrown. */
  creationLimit?: CreationLimit | null;
}

interface Written {
  /** Of a repeated request with a journal, those of the first one. */
  findings: Findings | null;
  /** Instead of the findings: the response of an earlier request with the same Idempotency-Key. */
  earlier: StoredResponse | null;
}

/**
 * Stores those of the links of an account that nothing is in the way of, with their events, and reads what is in the way of the others,
 * in one transaction and one round trip. Repeated, it stores and counts nothing twice. `isOverQuota`: a transaction before had no room,
 * so this one stores nothing and reads the usage of the account.
 */
export async function writeLinks(
  context: ServiceContext,
  accountId: number | null,
  links: readonly NewLink[],
  options: WriteLinksOptions,
  isOverQuota: boolean,
): Promise<Written> {
  const { toStore = null, journaled = null, emitsEvents = true, replaces = false } = options;
  const { now } = context;
  const accepted = links.filter(({ blocked }) => blocked.length === 0 && !isOverQuota);
  const rows = accepted.map(({ row }) => row);
  const first = links[0] as NewLink;
  const previous = replaces ? await findPreviousOwnerLinks(context.db, accountId, rows) : null;
  const batch = new OutboxBatch(context);
  const attempt = journaled && new JournaledAttempt(batch, journaled.journal, journaled.attempt, now);
  const request = toStore && { idempotency: toStore.idempotency, requestId: first.row.id };
  removePreviousOwnerLinks(batch, previous, context);
  if (rows.length > 0) {
    const isNew = attempt?.isNew ?? (request ? isFirst(request, now) : ALWAYS);
    addInserts(batch, accountId, accepted, isNew, options, now);
  }
  const { select, parameters } = selectFindings(accountId, links, isOverQuota);
  const found = attempt === null ? batch.add<{ text: string }>(select, parameters.values) : null;
  attempt?.record(select, parameters);
  const replayed =
    request && storeResponse(batch, request, createdResponse(first.row.id, toStore?.toResponse(first.row)), now);
  if (accountId !== null && emitsEvents && rows.length > 0)
    enqueueLinkEvents(batch, "link.create", rows, { condition: "l.account_id = ?1", values: [accountId] }, context);
  await batch.commitWithRetry();

  const earlier = attempt?.result().earlier ?? replayed?.first ?? null;
  const text = attempt?.result().record ?? found?.first?.text;
  return { earlier, findings: earlier !== null || text === undefined ? null : (JSON.parse(text) as Findings) };
}

/** The response, if the link was created. */
function createdResponse(id: string, response: unknown) {
  const parameters = new Parameters([JSON.stringify(response), sequenceOf(id), id]);
  return { select: "SELECT 201, ?1 FROM links WHERE seq = CAST(?2 AS INTEGER) AND id = ?3", parameters };
}

/**
 * Stores those of the links ?1 of the account ?2 for which this holds: the account has verified the domain; that permits nested slugs
 * if the link has some; the account is trusted, or is not (?3), as was assumed; no host of a destination is a verified domain; no
 * alias has its slug, nor one of its aliases; no link has one of its aliases. The unique indexes leave out links whose slug or externalId is taken.
 */
const INSERT = `INSERT INTO links (${STORED_COLUMNS.join(", ")})
  SELECT ${columnsOf("j.value", { case_sensitive: "coalesce(d.case_sensitive, 0)" })}
  FROM json_each(?1) j LEFT JOIN domains d INDEXED BY domains_verified
    ON d.domain = j.value ->> 'domain' AND d.status = 'verified' AND d.account_id = ?2
  WHERE (j.value ->> 'domain' = '' OR d.id IS NOT NULL OR ?2 IS NULL)
    AND (j.value ->> 'is_nested' = 0 OR d.nested_slugs = 1)
    AND (j.value ->> 'domain' <> '' OR ${isUntrustedAccount("?2")} = ?3)
    AND NOT EXISTS (SELECT 1 FROM json_each(j.value, '$.hosts') h
      CROSS JOIN domains v INDEXED BY domains_verified ON v.domain = h.value AND v.status = 'verified')
    AND NOT EXISTS (SELECT 1 FROM aliases a
      WHERE a.domain = j.value ->> 'domain' AND a.slug_key = iif(d.case_sensitive, j.value ->> 'slug', lower(j.value ->> 'slug'))
        AND (a.account_id IS NOT ?2 OR EXISTS (SELECT 1 FROM links o WHERE o.seq = a.link_seq)))
    AND NOT EXISTS (SELECT 1 FROM json_each(j.value ->> 'aliases') s
      CROSS JOIN aliases a ON a.domain = j.value ->> 'domain' AND a.slug_key = iif(d.case_sensitive, s.value, lower(s.value))
      WHERE a.account_id IS NOT ?2 OR EXISTS (SELECT 1 FROM links o WHERE o.seq = a.link_seq))
    AND NOT EXISTS (SELECT 1 FROM json_each(j.value ->> 'aliases') s
      CROSS JOIN links o ON o.domain = j.value ->> 'domain' AND o.slug_key = iif(d.case_sensitive, s.value, lower(s.value)))`;

function addInserts(
  batch: OutboxBatch,
  accountId: number | null,
  links: readonly NewLink[],
  isNew: Condition,
  { isUntrusted = false, emitsEvents = true, creationLimit = null }: WriteLinksOptions,
  now: number,
): void {
  const sizes = JSON.stringify(links.map(({ row }) => [sequenceOf(row.id), row.id, bytesOf(row)]));
  const count = (sign: "" | "-") => {
    if (accountId === null) return;
    const stored = `SELECT ?2 AS account_id, ${sign}count(*) AS links, ${sign}sum(j.value ->> 2) AS bytes FROM json_each(?1) j
      CROSS JOIN links l ON l.seq = CAST(j.value ->> 0 AS INTEGER) AND l.id = j.value ->> 1 HAVING count(*) > 0`;
    if (creationLimit === null) countWithinQuotas(batch, stored, [sizes, accountId]);
    else countCreated(batch, stored, [sizes, accountId], creationLimit);
  };
  const items = links.map(({ row, hosts }) => {
    // Without events, the cron must not emit that a link has expired.
    const status = !emitsEvents && isExpired(row, now) ? "expired" : row.status;
    const others = { hosts, is_nested: slugsOf(row).some(isNested) ? 1 : 0 };
    return { ...row, seq: sequenceOf(row.id), status, ...others };
  });
  // There are some already if the transaction is repeated. They are counted again below.
  count("-");
  for (const piece of toJsonPieces(items)) {
    const parameters = new Parameters([piece, accountId, isUntrusted ? 1 : 0]);
    batch.add(`${INSERT} AND ${isNew(parameters)} ON CONFLICT DO NOTHING`, parameters.values);
  }
  count("");
}
