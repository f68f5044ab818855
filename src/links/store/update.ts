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
import { changedColumns, LINK_COLUMNS, LINK_MEMBERS, selectGrowth, type LinkRow } from "./row.ts";
import { LISTED_LINKS, listedLinks } from "./sequence.ts";
import { canChangeBytes, describeUpdate, type LinkUpdate, type Refusal } from "./update-sql.ts";
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
  | { outcome: "not_found" | "external_id_taken" | Exclude<Refusal, "slug_taken"> };

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
  if (canChangeBytes(update)) countUpdate(batch, links, update, context.now);
  const found = readLinks(batch, links, update, context.now);
  enqueueUpdateEvents(batch, links, update, context);
  const earlier = update.toStore === null ? null : storeUpdated(batch, links, update, update.toStore, context);
  const updated = addUpdate(batch, links, update, context.now);
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
  const { env, now } = context;
  const batch = new Batch(env.DB);
  const found = readLinks(batch, links, update, now, "quota_exceeded");
  const verified = readHosts(batch, update);
  await batch.commit();
  const quota = bytesQuota(await readUsage(env.DB, links.accountId));
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
  const shortUrl = replaced ?? (await findNewShortUrl(context.env.DB, links.ids, update));
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

type FoundLink = LinkRow & { refusal: Refusal | "quota_exceeded" | null };

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

/** Counts the links' new sizes. Ends the transaction if they would grow beyond the quota together. */
function countUpdate(batch: OutboxBatch, { accountId, ids }: OwnLinks, update: LinkUpdate, now: number): void {
  const parameters = new Parameters([now]);
  const { condition } = listedLinks(ids, parameters);
  const { assignments, refusal, changes } = describeUpdate(update, accountId, parameters, now);
  const growth = selectGrowth(
    `${LISTED_LINKS} WHERE ${condition} AND ${refusal} IS NULL AND ${changes()}`,
    assignments(),
  );
  const total = `SELECT account_id, 0 AS links, sum(growth) AS bytes FROM (${growth}) HAVING count(*) > 0`;
  countWithinQuotas(batch, total, parameters.values);
}

/** Reads the links as they are before the update, with the reasons why they are refused. `others`: of links that would change. */
function readLinks(
  batch: Batch,
  { accountId, ids }: OwnLinks,
  update: LinkUpdate,
  now: number,
  others: "quota_exceeded" | null = null,
): Result<FoundLink> {
  const parameters = new Parameters([now]);
  const { condition } = listedLinks(ids, parameters);
  const { refusal, changes } = describeUpdate(update, accountId, parameters, now);
  const reason = others === null ? refusal : `coalesce(${refusal}, iif(${changes()}, '${others}', NULL))`;
  return batch.add(
    `SELECT ${LINK_COLUMNS}, ${reason} AS refusal FROM ${LISTED_LINKS} WHERE ${condition}`,
    parameters.values,
  );
}

/** Enqueues the events before the update, because only then the links differ from what they will be. */
function enqueueUpdateEvents(
  batch: OutboxBatch,
  { accountId, ids }: OwnLinks,
  update: LinkUpdate,
  context: ServiceContext,
): void {
  enqueueEvents(batch, "link.update", context, (parameters) => {
    const { condition, position } = listedLinks(ids, parameters);
    const account = parameters.add(accountId);
    const { assignments, refusal, changes } = describeUpdate(update, accountId, parameters, context.now);
    const from = `(SELECT ${changedColumns(assignments())} FROM ${LISTED_LINKS}
      WHERE ${condition} AND ${refusal} IS NULL AND ${changes()}) l`;
    return { from, number: position, account, count: ids.length };
  });
}

/** Stores the response with the link as it is after the update, also if the update changes nothing. */
function storeUpdated(
  batch: OutboxBatch,
  { accountId, ids }: OwnLinks,
  update: LinkUpdate,
  toStore: KeyedRequest,
  { now, baseUrl }: ServiceContext,
): Result<StoredResponse> {
  const { origin, host } = new URL(baseUrl);
  const parameters = new Parameters([now, origin, host]);
  const { condition } = listedLinks(ids, parameters);
  const { assignments, refusal, changes } = describeUpdate(update, accountId, parameters, now);
  const isAllowed = `${condition} AND ${refusal} IS NULL`;
  const after = `(SELECT ${changedColumns(assignments())} FROM ${LISTED_LINKS} WHERE ${isAllowed} AND ${changes()}
    UNION ALL SELECT ${LINK_COLUMNS} FROM ${LISTED_LINKS} WHERE ${isAllowed} AND NOT ${changes()}) l`;
  const select = `SELECT 200, '{"link":{' || ${LINK_MEMBERS} || '}}' FROM ${after}`;
  return storeResponse(batch, toStore, { select, parameters }, now);
}

function addUpdate(
  batch: OutboxBatch,
  { accountId, ids }: OwnLinks,
  update: LinkUpdate,
  now: number,
): Result<ChangedLink> {
  const parameters = new Parameters([now]);
  const { condition } = listedLinks(ids, parameters);
  const { assignments, refusal, changes } = describeUpdate(update, accountId, parameters, now);
  const set = Object.entries(assignments()).map(([column, value]) => `${column} = ${value}`);
  return batch.add(
    `UPDATE ${LISTED_LINKS} SET ${set.join(", ")} WHERE ${condition} AND ${refusal} IS NULL AND ${changes()}
     RETURNING ${LINK_COLUMNS}, ${IS_REACHABLE}`,
    parameters.values,
  );
}
