import type { ServiceContext } from "../../platform/context.ts";
import type { Result } from "../../platform/database/batch.ts";
import { violatedColumns } from "../../platform/database/errors.ts";
import { groupBySize } from "../../platform/database/json-pieces.ts";
import { holds, Parameters } from "../../platform/database/parameters.ts";
import {
  findResponse,
  isFirst,
  storeResponse,
  type KeyedRequest,
  type StoredResponse,
} from "../../platform/idempotency/store/responses.ts";
import { OutboxBatch } from "../../platform/outbox/batch.ts";
import { bytesQuota } from "../../access/usage/quota.ts";
import { countWithinQuotas, isOverQuota, readUsage } from "../../access/usage/store.ts";
import { refuse, type LinkOutcome, type RefusedChange } from "../refusal.ts";
import type { LinkCondition } from "./as-read.ts";
import { toCondition, type LinkChange, type WriteOptions } from "./change-condition.ts";
import { addExpiries } from "./expiry.ts";
import { findPreviousOwnerLinks, removePreviousOwnerLinks } from "./previous-owner-links.ts";
import { toLink } from "./row.ts";
import { LISTED_LINKS } from "./sequence.ts";
import { writeColumns, type WrittenChange } from "./write-columns.ts";

interface Written {
  /** By link id. A link that is missing was not written, and is decided again. */
  outcomes: Map<string, LinkOutcome>;
  /** The response of an earlier request with the same Idempotency-Key. */
  earlier: StoredResponse | null;
}

/**
 * Writes changes of an account's links: all in one transaction, unless they are too large for one statement. `afterCommit` is called
 * with what each transaction wrote.
 */
export async function writeChanges(
  context: ServiceContext,
  accountId: number,
  changes: readonly LinkChange[],
  options: WriteOptions,
  afterCommit: (written: readonly WrittenChange<LinkChange>[]) => Promise<void>,
): Promise<Written> {
  const { toStore } = options;
  const unchanged = changes.filter(({ before, after }) => before === after);
  const written: Written = { outcomes: new Map(), earlier: null };
  for (const { after } of unchanged) written.outcomes.set(after.id, { ok: true, row: after });
  for (const part of groupBySize(changes.filter(({ before, after }) => before !== after))) {
    const { refusal, changes: ofPart, earlier } = await writePart(context, accountId, part, options);
    written.earlier ??= earlier;
    await afterCommit(ofPart);
    for (const { after } of ofPart) written.outcomes.set(after.id, { ok: true, row: after });
    if (refusal !== null) for (const { after } of part) written.outcomes.set(after.id, refusal);
  }
  if (toStore !== null && unchanged.length === changes.length) {
    const [link] = unchanged;
    if (link === undefined) written.earlier = await findResponse(context.db, toStore.idempotency, context.now);
    else written.earlier = await storeUnchanged(context, link, toStore);
  }
  return written;
}

interface WrittenPart {
  changes: WrittenChange<LinkChange>[];
  earlier: StoredResponse | null;
  /** Why none was written. null: those that are missing were changed meanwhile. */
  refusal: RefusedChange | null;
}

/**
 * Writes changes in one transaction. Usage, event, response and row agree, because their statements have the condition
 * `toCondition`. The UPDATE is the last of them: afterwards the condition is false.
 */
async function writePart(
  context: ServiceContext,
  accountId: number,
  changes: readonly LinkChange[],
  options: WriteOptions,
): Promise<WrittenPart> {
  const condition = toCondition(changes, options, context.now);
  const taken = changes.flatMap(({ after, takesSlug }) => (takesSlug ? [after] : []));
  const previous = await findPreviousOwnerLinks(context.db, accountId, taken);
  const batch = new OutboxBatch(context);
  addExpiries(
    batch,
    changes.map(({ before }) => before),
    context,
  );
  removePreviousOwnerLinks(batch, previous, context);
  const [only] = changes;
  const earlier = options.toStore && only && storeLink(batch, only, condition, options.toStore, context);
  const written = writeColumns(batch, changes, condition, context, countWithinQuotas);
  try {
    await batch.commit();
  } catch (error) {
    return { changes: [], earlier: null, refusal: await toRefusal(error, changes, accountId, context.db) };
  }
  return { changes: written(), earlier: earlier?.first ?? null, refusal: null };
}

/** Why the transaction was refused. null: another link has got the slug since it was free. Throws any other error. */
async function toRefusal(
  error: unknown,
  changes: readonly LinkChange[],
  accountId: number,
  db: D1Database,
): Promise<RefusedChange | null> {
  const violated = violatedColumns(error);
  if (violated?.includes("links.slug_key") === true) return null;
  if (violated?.includes("links.external_id") === true)
    return refuse("external_id_taken", { fields: { externalId: changes[0]?.after.external_id } });
  if (isOverQuota(error)) return refuse("quota_exceeded", { quota: bytesQuota(await readUsage(db, accountId)) });
  throw error;
}

/** Stores the response with the link as it is after the change. */
function storeLink(
  batch: OutboxBatch,
  { after }: LinkChange,
  { condition, values }: LinkCondition,
  toStore: KeyedRequest,
  { now, baseUrl }: ServiceContext,
): Result<StoredResponse> {
  const parameters = new Parameters(values);
  const response = parameters.add(JSON.stringify({ link: toLink(after, baseUrl, now) }));
  const select = `SELECT 200, ${response} FROM ${LISTED_LINKS} WHERE ${condition}`;
  return storeResponse(batch, toStore, { select, parameters }, now);
}

/** Stores the response of a change that changes nothing. */
async function storeUnchanged(
  context: ServiceContext,
  { after }: LinkChange,
  toStore: KeyedRequest,
): Promise<StoredResponse | null> {
  const { now, baseUrl } = context;
  const batch = new OutboxBatch(context);
  const parameters = new Parameters();
  const response = JSON.stringify({ link: toLink(after, baseUrl, now) });
  const select = holds`SELECT 200, ${response} WHERE ${isFirst(toStore, now)}`(parameters);
  const earlier = storeResponse(batch, toStore, { select, parameters }, now);
  await batch.commit();
  return earlier.first ?? null;
}
