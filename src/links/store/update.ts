import type { ServiceContext } from "../../context.ts";
import { Batch, type Result } from "../../database/batch.ts";
import { violatedColumns } from "../../database/errors.ts";
import { Parameters } from "../../database/parameters.ts";
import { storeResponse, type KeyedRequest, type StoredResponse } from "../../idempotency/store.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { bytesQuota, type ExceededQuota } from "../../usage/quota.ts";
import { countWithinQuotas, isOverQuota, readUsage } from "../../usage/store.ts";
import { enqueueEvents, type OwnLinks } from "./events.ts";
import { expireDueLinksOf } from "./expiry.ts";
import { findLinks } from "./links.ts";
import { removePreviousOwnerLinks, type ShortUrl } from "./previous-owner-links.ts";
import { changedColumns, LINK_COLUMNS, LINK_MEMBERS, OWN_COLUMNS, selectGrowth, type LinkRow } from "./row.ts";
import { LISTED_LINKS } from "./sequence.ts";
import { canChangeBytes, describeUpdate, type LinkUpdate, type UpdateRefusal, type UpdateSql } from "./update-sql.ts";
import { IS_REACHABLE, readVerifiedDomains } from "./verified-domains.ts";

export type { LinkUpdate } from "./update-sql.ts";

export interface UpdatedLink {
  before: LinkRow;
  after: LinkRow;
  /** Whether visitors reach the link at its domain. */
  isReachable: boolean;
}

export type UpdateOutcome =
  | ({ outcome: "updated" } & UpdatedLink)
  /** The link has all of the values already. */
  | { outcome: "unchanged"; row: LinkRow }
  | { outcome: "slug_taken"; slug: string | undefined }
  | { outcome: "quota_exceeded"; quota: ExceededQuota }
  | { outcome: "not_found" | "external_id_taken" | Exclude<UpdateRefusal, "slug_taken"> };

interface UpdateResult {
  /** By link id. */
  outcomes: Map<string, UpdateOutcome>;
  /** The hosts that are verified domains. If there are any, no link is updated. */
  verifiedHosts: ReadonlySet<string>;
  /** The response of an earlier request with the same Idempotency-Key. */
  earlier: StoredResponse | null;
}

/**
 * Updates links of an account, with their events, in one transaction and one round trip. Only the given columns are set, so
 * concurrent updates of different settings are all kept. `replaced` is a short URL that is to be taken from the previous
 * owner of its domain.
 */
export async function updateLinks(
  context: ServiceContext,
  links: OwnLinks,
  update: LinkUpdate,
  replaced: ShortUrl | null = null,
): Promise<UpdateResult> {
  const { accountId, ids } = links;
  const batch = new OutboxBatch(context);
  expireDueLinksOf(batch, links, context);
  const shortUrls = update.shortUrls ?? (replaced === null ? [] : [replaced]);
  removePreviousOwnerLinks(batch, accountId, shortUrls, context);
  const sql = describeUpdate(update, links, context);
  if (canChangeBytes(update)) countUpdate(batch, sql);
  const found = readLinks(batch, sql, sql.refusal);
  enqueueUpdateEvents(batch, sql, ids.length, context);
  const earlier = update.toStore === null ? null : storeUpdated(batch, sql, update.toStore, context.now);
  const updated = addUpdate(batch, sql);
  const verified = readHosts(batch, update);
  try {
    await batch.commit();
  } catch (error) {
    const columns = violatedColumns(error);
    if (columns?.includes("links.external_id")) return refuseAll(ids, { outcome: "external_id_taken" });
    if (columns?.includes("links.slug_key") === true) return replaceOrRefuse(context, links, update, replaced);
    if (isOverQuota(error)) return refuseByQuota(context, links, update);
    throw error;
  }
  if (update.shortUrls === null && found.rows.some(({ refusal }) => refusal === "slug_taken"))
    return replaceOrRefuse(context, links, update, replaced);
  const before = new Map(found.rows.map((row) => [row.id, row]));
  const after = new Map(updated.rows.map((row) => [row.id, row]));
  return {
    outcomes: new Map(ids.map((id) => [id, outcomeOf(before.get(id), after.get(id))])),
    verifiedHosts: verified(),
    earlier: earlier?.first ?? null,
  };
}

/** Reads which of the hosts are verified domains. */
function readHosts(batch: Batch, { hosts }: LinkUpdate): () => ReadonlySet<string> {
  const verified = hosts.length === 0 ? null : readVerifiedDomains(batch, JSON.stringify(hosts));
  return () => new Set(verified?.rows.map(({ domain }) => domain));
}

/** The links have no room for the update, so none was updated. Those that it would have changed are refused by the quota. */
async function refuseByQuota(context: ServiceContext, links: OwnLinks, update: LinkUpdate): Promise<UpdateResult> {
  const { db } = context;
  const batch = new Batch(db);
  const sql = describeUpdate(update, links, context);
  const found = readLinks(batch, sql, `coalesce(${sql.refusal}, iif(${sql.changes}, 'quota_exceeded', NULL))`);
  const verified = readHosts(batch, update);
  await batch.commit();
  const quota = bytesQuota(await readUsage(db, links.accountId));
  const outcomes = new Map(found.rows.map((row) => [row.id, outcomeOf(row, undefined, quota)]));
  return {
    outcomes: new Map(links.ids.map((id) => [id, outcomes.get(id) ?? { outcome: "not_found" }])),
    verifiedHosts: verified(),
    earlier: null,
  };
}

function refuseAll(ids: readonly string[], outcome: UpdateOutcome): UpdateResult {
  return { outcomes: new Map(ids.map((id) => [id, outcome])), verifiedHosts: new Set(), earlier: null };
}

/** The single link's new slug is taken. At a custom domain, the domain's previous owner may have it. */
async function replaceOrRefuse(
  context: ServiceContext,
  links: OwnLinks,
  update: LinkUpdate,
  replaced: ShortUrl | null,
): Promise<UpdateResult> {
  const shortUrl = replaced ?? (await findNewShortUrl(context.db, links.ids, update));
  const isNew = replaced === null && shortUrl !== undefined && shortUrl.domain !== "";
  if (isNew) return updateLinks(context, links, update, shortUrl);
  return refuseAll(links.ids, { outcome: "slug_taken", slug: shortUrl?.slug });
}

/** Returns the short URL that the single link would have after the update. */
async function findNewShortUrl(
  db: D1Database,
  ids: readonly string[],
  { columns }: LinkUpdate,
): Promise<ShortUrl | undefined> {
  const [link] = await findLinks(db, ids);
  return link && { domain: columns.domain ?? link.domain, slug: columns.slug ?? link.slug };
}

type FoundLink = LinkRow & { refusal: UpdateRefusal | "quota_exceeded" | null };

type ChangedLink = LinkRow & { is_reachable: 0 | 1 };

function outcomeOf(
  before: FoundLink | undefined,
  after: ChangedLink | undefined,
  quota: ExceededQuota | null = null,
): UpdateOutcome {
  if (before === undefined) return { outcome: "not_found" };
  const { refusal, ...row } = before;
  if (refusal === "quota_exceeded") return { outcome: refusal, quota: quota as ExceededQuota };
  if (refusal === "slug_taken") return { outcome: refusal, slug: row.slug };
  if (refusal !== null) return { outcome: refusal };
  if (after === undefined) return { outcome: "unchanged", row };
  return { outcome: "updated", before: row, after, isReachable: after.is_reachable === 1 };
}

/** A FROM clause of the links `l` that will be changed, as they are before. */
function changedLinks({ isListed, refusal, changes }: UpdateSql): string {
  return `${LISTED_LINKS} WHERE ${isListed} AND ${refusal} IS NULL AND ${changes}`;
}

/** Counts the links' new sizes. Ends the transaction if they would grow beyond the quota together. */
function countUpdate(batch: OutboxBatch, sql: UpdateSql): void {
  const growth = selectGrowth(changedLinks(sql), sql.assignments);
  const total = `SELECT account_id, 0 AS links, sum(growth) AS bytes FROM (${growth}) HAVING count(*) > 0`;
  countWithinQuotas(batch, total, sql.values);
}

/** Reads the links as they are before the update. `refusal` is SQL for why they are refused. */
function readLinks(batch: Batch, { isListed, values }: UpdateSql, refusal: string): Result<FoundLink> {
  return batch.add(`SELECT ${LINK_COLUMNS}, ${refusal} AS refusal FROM ${LISTED_LINKS} WHERE ${isListed}`, values);
}

/** Enqueues the events before the update, because only then the links differ from what they will be. */
function enqueueUpdateEvents(batch: OutboxBatch, sql: UpdateSql, count: number, context: ServiceContext): void {
  const from = `(SELECT ${changedColumns(sql.assignments)} FROM ${changedLinks(sql)}) l`;
  enqueueEvents(batch, "link.update", context.now, sql.values, { from, number: sql.position, account: "?6", count });
}

/** Stores the response with the link as it is after the update, also if the update changes nothing. */
function storeUpdated(batch: OutboxBatch, sql: UpdateSql, toStore: KeyedRequest, now: number): Result<StoredResponse> {
  const { isListed, refusal, changes, assignments, values } = sql;
  const after = `SELECT ${changedColumns(assignments)} FROM ${changedLinks(sql)}
    UNION ALL SELECT ${OWN_COLUMNS} FROM ${LISTED_LINKS} WHERE ${isListed} AND ${refusal} IS NULL AND NOT ${changes}`;
  const select = `SELECT 200, '{"link":{' || ${LINK_MEMBERS} || '}}' FROM (${after}) l`;
  return storeResponse(batch, toStore, { select, parameters: new Parameters(values) }, now);
}

function addUpdate(batch: OutboxBatch, sql: UpdateSql): Result<ChangedLink> {
  const { isListed, refusal, changes, assignments, values } = sql;
  const set = Object.entries(assignments).map(([column, value]) => `${column} = ${value}`);
  return batch.add(
    `UPDATE ${LISTED_LINKS} SET ${set.join(", ")} WHERE ${isListed} AND ${refusal} IS NULL AND ${changes}
     RETURNING ${LINK_COLUMNS}, ${IS_REACHABLE}`,
    values,
  );
}
