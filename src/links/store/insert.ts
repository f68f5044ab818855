import type { ServiceContext } from "../../context.ts";
import { isUntrustedAccount } from "../../safety/trust/store.ts";
import { toJsonPieces } from "../../database/json-pieces.ts";
import { ALWAYS, Parameters, type Condition } from "../../database/parameters.ts";
import { isFirst, storeResponse, type ResponseToStore, type StoredResponse } from "../../idempotency/store.ts";
import { JournaledAttempt, type Journal } from "../../idempotency/store/journal.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { countCreated, countWithinQuotas, isOverQuota, type CreationLimit } from "../../usage/store.ts";
import { isNestedSql, slugKeySql } from "../../redirect/slug.ts";
import { UNTRUSTED_VERDICT } from "../../safety/verdict.ts";
import { isAlias } from "./slug-holders.ts";
import { enqueueLinkEvents } from "./events.ts";
import { outcomesOf, selectFindings, storedLinks, type Findings, type InsertOutcome } from "./insert-outcomes.ts";
import type { NewLink } from "./new-links.ts";
import { removePreviousOwnerLinks } from "./previous-owner-links.ts";
import { bytesOf, columnsOf, STORED_COLUMNS, type LinkRow } from "./row.ts";
import { sequenceOf } from "./sequence.ts";
import { noneVerified } from "./verified-domains.ts";

export type { InsertOutcome } from "./insert-outcomes.ts";

export interface Insertion {
  /** One for each link, in order. */
  outcomes: InsertOutcome[];
  /** The rows as they were to be stored: of a repeated request, those of the first one. */
  rows: LinkRow[];
  /** The response of an earlier request with the same Idempotency-Key. */
  earlier: StoredResponse | null;
}

export interface InsertOptions {
  /** The response to a request for a single link, stored for its Idempotency-Key. */
  response?: ResponseToStore | null;
  /** The attempt of a request with a journal. */
  journaled?: { journal: Journal; attempt: number } | null;
  /** Whether `link.create` is emitted for each link. */
  emitsEvents?: boolean;
  /** With it, the links count as created by calls. Of too many, none is stored, and the error of the transaction is thrown. */
  creationLimit?: CreationLimit | null;
}

/**
 * Stores those links of one account that can be stored, with their events, in one transaction. If the account has no room
 * for all of these, none is stored. Of two links with the same slug, the first gets it. The transaction is idempotent by
 * the ids of the links. It takes one round trip, and a second one if a quota is exceeded, or if a single link at a custom
 * domain finds its slug taken: the link of the domain's previous owner is then replaced.
 */
export async function insertLinks(
  context: ServiceContext,
  accountId: number | null,
  links: readonly NewLink[],
  options: InsertOptions = {},
): Promise<Insertion> {
  // Several links have no second transaction, because some are stored by the first. A journal has one record of an attempt.
  if (links.length > 1 || options.journaled) return insertOnce(context, accountId, links, options, true);
  const insertion = await insertOnce(context, accountId, links, options, false);
  const [outcome] = insertion.outcomes;
  return outcome?.outcome === "storable" && outcome.isLeft
    ? insertOnce(context, accountId, links, options, true)
    : insertion;
}

/** `replaces`: links that a custom domain's previous owner has at the slugs are deleted before. */
async function insertOnce(
  context: ServiceContext,
  accountId: number | null,
  links: readonly NewLink[],
  options: InsertOptions,
  replaces: boolean,
): Promise<Insertion> {
  try {
    return await commitInsertion(context, accountId, links, { ...options, replaces }, addInserts);
  } catch (error) {
    if (!isOverQuota(error)) throw error;
    // Nothing was stored by this transaction. A second one finds, and records, what is in the way of each link.
    return commitInsertion(context, accountId, links, { ...options, replaces: false }, () => undefined);
  }
}

/** `addChanges` adds the statements that store the links if the condition holds. */
async function commitInsertion(
  context: ServiceContext,
  accountId: number | null,
  links: readonly NewLink[],
  {
    response = null,
    journaled = null,
    emitsEvents = true,
    creationLimit = null,
    replaces,
  }: InsertOptions & { replaces: boolean },
  addChanges: typeof addInserts,
): Promise<Insertion> {
  const rows = links.map(({ row }) => row);
  const accepted = links.filter(({ isRefused }) => !isRefused);
  const ids = rows.map(({ id }) => id);
  const request = response && { idempotency: response.idempotency, requestId: ids[0] as string };
  const batch = new OutboxBatch(context);
  const attempt = journaled && new JournaledAttempt(batch, journaled.journal, journaled.attempt, context.now);
  if (replaces) {
    const taking = accepted.map(({ row }) => row);
    removePreviousOwnerLinks(batch, accountId, taking, context);
  }
  // Without events, the cron must not emit that a link has expired.
  const expiredUntil = emitsEvents ? null : context.now;
  const isNew = attempt?.isNew ?? (request === null ? ALWAYS : isFirst(request, context.now));
  addChanges(batch, accountId, accepted, { isNew, expiredUntil, creationLimit });
  const { select, parameters } = selectFindings(accountId, links);
  const found = attempt === null ? batch.add<{ text: string }>(select, parameters.values) : null;
  attempt?.record(select, parameters);
  const replayed = request && storeResponse(batch, request, createdResponse(response, ids[0] as string), context.now);
  if (accountId !== null && emitsEvents) enqueueLinkEvents(batch, "link.create", { accountId, ids }, context);
  await batch.commitWithRetry();

  const earlier = attempt?.result().earlier ?? replayed?.first ?? null;
  const text = attempt?.result().record ?? found?.first?.text;
  if (earlier !== null || text === undefined) return { outcomes: [], rows: [], earlier };
  const findings = JSON.parse(text) as Findings;
  const stored = storedLinks(links, findings);
  return { outcomes: outcomesOf(stored, findings), rows: stored.map(({ row }) => row), earlier };
}

/** The response, if the link was created. */
function createdResponse(response: ResponseToStore | null, id: string) {
  const parameters = new Parameters([JSON.stringify(response?.response), sequenceOf(id), id]);
  return { select: "SELECT 201, ?1 FROM links WHERE seq = CAST(?2 AS INTEGER) AND id = ?3", parameters };
}

/** The domain and the keys of the slug and the aliases of the link `j`. `d` is its domain, if the account has it. */
const DOMAIN = "j.value ->> 'domain'";
const SLUG = "(j.value ->> 'slug')";
const KEY = slugKeySql(SLUG, "d.case_sensitive");
const ALIAS_KEY = slugKeySql("w.value", "d.case_sensitive");
/** Links on verified domains are trusted, whoever has them. */
const NEW_VERDICT = `iif(${DOMAIN} = '' AND ${isUntrustedAccount("?2")}, ${UNTRUSTED_VERDICT}, j.value ->> 'verdict')`;

/**
 * Stores those of the links ?1 of the account ?2 that can be stored. Each is a row with the hosts of its destinations. The
 * unique indexes leave out links whose slug or externalId is taken. The conditions are what no index holds.
 */
const INSERT_POSSIBLE = `INSERT INTO links (${STORED_COLUMNS.join(", ")})
  SELECT ${columnsOf("j.value", { case_sensitive: "coalesce(d.case_sensitive, 0)", verdict: NEW_VERDICT })}
  FROM json_each(?1) j LEFT JOIN domains d INDEXED BY domains_verified
    ON d.domain = ${DOMAIN} AND d.status = 'verified' AND d.account_id = ?2
  WHERE (${DOMAIN} = '' OR d.id IS NOT NULL OR ?2 IS NULL)
    AND (coalesce(d.nested_slugs, 0) = 1 OR NOT (${isNestedSql(`${SLUG} || coalesce(j.value ->> 'aliases', '')`)}))
    AND ${noneVerified("j.value, '$.hosts'")}
    AND NOT ${isAlias(DOMAIN, KEY, "?2")}
    AND NOT EXISTS (SELECT 1 FROM json_each(j.value ->> 'aliases') w WHERE ${isAlias(DOMAIN, ALIAS_KEY, "?2")}
      OR EXISTS (SELECT 1 FROM links l WHERE l.domain = ${DOMAIN} AND l.slug_key = ${ALIAS_KEY}))`;

/** How many of the links ?1, arrays of the key, the id and the size, are stored, and their size. */
function selectStored(sign: "" | "-"): string {
  return `SELECT ?2 AS account_id, ${sign}count(*) AS links, ${sign}sum(j.value ->> 2) AS bytes FROM json_each(?1) j
    CROSS JOIN links l ON l.seq = CAST(j.value ->> 0 AS INTEGER) AND l.id = j.value ->> 1 HAVING count(*) > 0`;
}

interface InsertConditions {
  isNew: Condition;
  /** A link that ends until then is stored as expired. */
  expiredUntil: number | null;
  creationLimit: CreationLimit | null;
}

function addInserts(
  batch: OutboxBatch,
  accountId: number | null,
  links: readonly NewLink[],
  { isNew, expiredUntil, creationLimit }: InsertConditions,
): void {
  const statusOf = ({ expires_at: end }: LinkRow) =>
    end !== null && expiredUntil !== null && end <= expiredUntil ? "expired" : "active";
  const items = links.map(({ row, hosts }) =>
    Object.assign({}, row, { seq: sequenceOf(row.id), status: statusOf(row), hosts }),
  );
  const sizes = JSON.stringify(links.map(({ row }) => [sequenceOf(row.id), row.id, bytesOf(row)]));
  const count = (sign: "" | "-") => {
    if (accountId === null) return;
    if (creationLimit === null) countWithinQuotas(batch, selectStored(sign), [sizes, accountId]);
    else countCreated(batch, selectStored(sign), [sizes, accountId], creationLimit);
  };
  // There are some already if the transaction is repeated. They are counted again below.
  count("-");
  for (const piece of toJsonPieces(items)) {
    const parameters = new Parameters([piece, accountId]);
    batch.add(`${INSERT_POSSIBLE} AND ${isNew(parameters)} ON CONFLICT DO NOTHING`, parameters.values);
  }
  count("");
}
