import type { ServiceContext } from "../../context.ts";
import type { Result } from "../../database/batch.ts";
import { violatedColumns } from "../../database/errors.ts";
import { groupBySize } from "../../database/json-pieces.ts";
import { holds, Parameters } from "../../database/parameters.ts";
import {
  findResponse,
  isFirst,
  storeResponse,
  type KeyedRequest,
  type StoredResponse,
} from "../../idempotency/store.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { bytesQuota } from "../../usage/quota.ts";
import { countWithinQuotas, isOverQuota, readUsage } from "../../usage/store.ts";
import { effectiveVerdict } from "../../safety/store.ts";
import type { NewColumns } from "../decide.ts";
import { refuse, type LinkOutcome, type RefusedChange } from "../refusal.ts";
import { growthOf, toCondition, type ChangeCondition, type LinkChange, type WriteOptions } from "./change-condition.ts";
import { enqueueRows } from "./events.ts";
import { expireDueLinksOf } from "./expiry.ts";
import { removePreviousOwnerLinks } from "./previous-owner-links.ts";
import { toLink, type LinkRow } from "./row.ts";
import { LISTED_LINKS } from "./sequence.ts";
import { IS_REACHABLE } from "./verified-domains.ts";

export type { LinkChange } from "./change-condition.ts";

export interface WrittenChange extends LinkChange {
  /** Whether visitors reach the link at its domain. */
  isReachable: boolean;
}

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
  afterCommit: (written: readonly WrittenChange[]) => Promise<void>,
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
  changes: WrittenChange[];
  earlier: StoredResponse | null;
  /** Why none was written. null: those that are missing were changed meanwhile. */
  refusal: RefusedChange | null;
}

/**
 * Writes changes in one transaction. Usage, event, response and row agree, because their statements have the condition
 * `isAsDecided`. The UPDATE is the last of them: afterwards the condition is false.
 */
async function writePart(
  context: ServiceContext,
  accountId: number,
  changes: readonly LinkChange[],
  options: WriteOptions,
): Promise<WrittenPart> {
  const condition = toCondition(changes, accountId, options, context.now);
  const batch = new OutboxBatch(context);
  expireDueLinksOf(batch, { accountId, ids: changes.map(({ before }) => before.id) }, context);
  const taken = changes.flatMap(({ after, takesSlug }) => (takesSlug ? [after] : []));
  removePreviousOwnerLinks(batch, accountId, taken, context);
  if (changes.some((change) => growthOf(change) !== 0)) countGrowth(batch, condition);
  const changed = changes.map(({ after }) => after);
  enqueueRows(batch, "link.update", changed, { condition: condition.isAsDecided, values: condition.values }, context);
  const [only] = changes;
  const earlier = options.toStore && only && storeLink(batch, only, condition, options.toStore, context);
  const updated = addUpdate(batch, changes, condition, context.now);
  try {
    await batch.commit();
  } catch (error) {
    return { changes: [], earlier: null, refusal: await toRefusal(error, changes, accountId, context.db) };
  }
  const rows = new Map(updated.rows.map((row) => [row.id, row]));
  const written = changes.flatMap(({ after, ...change }) => {
    const row = rows.get(after.id);
    if (row === undefined) return [];
    const { is_reachable, ...unversioned } = row;
    return [{ ...change, after: { ...after, ...unversioned }, isReachable: is_reachable === 1 }];
  });
  return { changes: written, earlier: earlier?.first ?? null, refusal: null };
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

/** Counts the links' new sizes. The transaction fails if they would grow beyond the quota together. */
function countGrowth(batch: OutboxBatch, { isAsDecided, values }: ChangeCondition): void {
  const growth = `SELECT ?2 AS account_id, 0 AS links, sum(?1 -> l.id ->> 'growth') AS bytes
    FROM ${LISTED_LINKS} WHERE ${isAsDecided} HAVING count(*) > 0`;
  countWithinQuotas(batch, growth, values);
}

/** Stores the response with the link as it is after the change. */
function storeLink(
  batch: OutboxBatch,
  { after }: LinkChange,
  { isAsDecided, values }: ChangeCondition,
  toStore: KeyedRequest,
  { now, baseUrl }: ServiceContext,
): Result<StoredResponse> {
  const parameters = new Parameters(values);
  const response = parameters.add(JSON.stringify({ link: toLink(after, baseUrl, now) }));
  const select = `SELECT 200, ${response} FROM ${LISTED_LINKS} WHERE ${isAsDecided}`;
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

/** The columns that can change without a new version. Redirects need the newest values. */
interface UpdatedRow extends Pick<LinkRow, "id" | "password_hash" | "verdict" | "visits"> {
  is_reachable: 0 | 1;
}

/** Sets for each link the columns that its own change sets. */
function addUpdate(
  batch: OutboxBatch,
  changes: readonly LinkChange[],
  { isAsDecided, values }: ChangeCondition,
  now: number,
): Result<UpdatedRow> {
  const parameters = new Parameters(values);
  const names = [...new Set(changes.flatMap(({ columns }) => Object.keys(columns) as (keyof NewColumns)[]))];
  const own = names.filter((name) => changes.some(({ columns }) => columns[name] !== changes[0]?.columns[name]));
  const items = changes.map(({ after, columns }) => [
    after.id,
    {
      updated_at: after.updated_at,
      ...Object.fromEntries(own.flatMap((name) => (name in columns ? [[name, columns[name]]] : []))),
    },
  ]);
  const item = `${parameters.add(JSON.stringify(Object.fromEntries(items)))} -> l.id`;
  const newValues = new Map<string, string>();
  for (const name of names) {
    const ofLink = `iif(json_type(${item}, '$.${name}') IS NULL, l.${name}, ${item} ->> '${name}')`;
    newValues.set(name, own.includes(name) ? ofLink : parameters.add(changes[0]?.columns[name] ?? null));
  }
  const set = Array.from(newValues, ([name, value]) => `${name} = ${value}`);
  if (newValues.has("expires_at") || newValues.has("max_clicks"))
    set.push(`status = ${newStatus(newValues, parameters.add(now))}`);
  return batch.add(
    `UPDATE ${LISTED_LINKS} SET ${set.join(", ")}, updated_at = ${item} ->> 'updated_at'
     WHERE ${isAsDecided} RETURNING id, password_hash, ${effectiveVerdict} AS verdict, visits, ${IS_REACHABLE}`,
    parameters.values,
  );
}

/**
 * SQL for the status with new limits. An expired link may become active again; only expiry.ts makes an active link expired. `visits` can
 * change without a new version, so the database computes the status.
 */
function newStatus(newValues: ReadonlyMap<string, string>, now: string): string {
  const valueOf = (column: string) => newValues.get(column) ?? `l.${column}`;
  return `iif(coalesce(${valueOf("expires_at")} <= ${now}, 0) OR coalesce(${valueOf("max_clicks")} <= l.visits, 0), l.status, 'active')`;
}
