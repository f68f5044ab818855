import type { ServiceContext } from "../../context.ts";
import type { Result } from "../../database/batch.ts";
import { violatedColumns } from "../../database/errors.ts";
import { Parameters } from "../../database/parameters.ts";
import type { RequiredVersions } from "../../http/if-match.ts";
import {
  isNewRequest,
  storeSelectedResponse,
  type SelectedResponse,
  type StoredResponse,
} from "../../idempotency/store.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { isReserved, RESERVED_SLUGS } from "../slug.ts";
import { enqueueLinkEvents, type OwnLinks } from "./events.ts";
import { expireDueLinksOf } from "./expiry.ts";
import { findLinks } from "./links.ts";
import { removePreviousOwnerLinks, type ShortUrl } from "./previous-owner-links.ts";
import { LINK_COLUMNS, LINK_JSON, type LinkColumns, type LinkRow } from "./row.ts";
import { LISTED_LINKS, listedLinks } from "./sequence.ts";
import { hasVersion } from "./version.ts";
import {
  IS_REACHABLE,
  isVerifiedFor,
  noneVerified,
  readVerifiedDomains,
  type VerifiedDomain,
} from "./verified-domains.ts";

/** One change of one or several links. The slug, the domain and the externalId can only be set for one. */
export interface LinkUpdate {
  /** The columns to set; other columns keep their values. */
  columns: Partial<LinkColumns>;
  /** The hosts of the new destinations. */
  hosts: readonly string[];
  /** By link id, a new URL that was made from the link's present one. */
  urls: ReadonlyMap<string, { from: string; to: string }> | undefined;
  /** Of a single link: the versions of which it must have one. */
  versions: RequiredVersions;
  /** Of a single link: where the response is stored. If an earlier request had the same key, nothing is updated. */
  toStore: SelectedResponse | null;
}

export interface UpdatedLink {
  before: ShortUrl;
  after: LinkRow;
  /** Whether visitors reach the link at its domain. */
  isReachable: boolean;
}

export type UpdateOutcome =
  | ({ outcome: "updated" } & UpdatedLink)
  | { outcome: "slug_taken"; slug: string | undefined }
  | { outcome: "external_id_taken" }
  /** A host is a verified domain. */
  | { outcome: "leads_to_domain" }
  /** The URL is not the one that the new URL was made from. */
  | { outcome: "url_changed" }
  | { outcome: "not_found" | "forbidden" | "precondition_failed" | "domain_refused" | "slug_reserved" };

type FoundLink = Pick<LinkRow, "id" | "account_id" | "domain" | "slug" | "url" | "updated_at">;

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
  if (replaced !== null) removePreviousOwnerLinks(batch, accountId, [replaced], context);
  const found = readLinks(batch, ids);
  const updated = addUpdate(batch, links, update, context.now);
  enqueueLinkEvents(batch, "link.update", links, context, (parameters) =>
    isAllowed(update, accountId, context.now, "to", parameters),
  );
  const earlier = update.toStore === null ? null : storeUpdated(batch, links, update, update.toStore, context);
  const { domain } = update.columns;
  const names = domain ? [domain, ...update.hosts] : update.hosts;
  const verified = names.length === 0 ? null : readVerifiedDomains(batch, JSON.stringify(names));
  try {
    await batch.commit();
  } catch (error) {
    const columns = violatedColumns(error);
    if (columns?.includes("links.external_id")) return refuseAll(ids, { outcome: "external_id_taken" });
    if (columns?.includes("links.slug") !== true) throw error;
    const shortUrl = replaced ?? (await findNewShortUrl(context.env.DB, ids, update));
    const isNew = replaced === null && shortUrl !== undefined && shortUrl.domain !== "";
    if (isNew) return updateLinks(context, links, update, shortUrl);
    return refuseAll(ids, { outcome: "slug_taken", slug: shortUrl?.slug });
  }
  const domains = verified?.rows ?? [];
  const before = new Map(found.rows.map((row) => [row.id, row]));
  const after = new Map(updated.rows.map((row) => [row.id, row]));
  const outcomes = ids.map((id): [string, UpdateOutcome] => {
    const [was, is] = [before.get(id), after.get(id)];
    if (was === undefined) return [id, { outcome: "not_found" }];
    if (is === undefined) return [id, refusalOf(was, accountId, update, domains)];
    return [id, { outcome: "updated", before: was, after: is, isReachable: is.is_reachable === 1 }];
  });
  const verifiedHosts = new Set(domains.map((row) => row.domain).filter((host) => update.hosts.includes(host)));
  return { outcomes: new Map(outcomes), verifiedHosts, earlier: earlier?.first ?? null };
}

/** Stores the response with the updated link. */
function storeUpdated(
  batch: OutboxBatch,
  { accountId, ids }: OwnLinks,
  update: LinkUpdate,
  toStore: SelectedResponse,
  { now, baseUrl }: ServiceContext,
): Result<StoredResponse> {
  const { origin, host } = new URL(baseUrl);
  const parameters = new Parameters([now, origin, host]);
  const { condition } = listedLinks(ids, parameters);
  const isOwn = `${condition} AND l.account_id = ${parameters.add(accountId)}`;
  const from = `${LISTED_LINKS} WHERE ${isOwn} AND ${isAllowed(update, accountId, now, "to", parameters)}`;
  return storeSelectedResponse(batch, toStore, { sql: `'{"link":' || ${LINK_JSON} || '}'`, from, parameters }, now);
}

function refuseAll(ids: readonly string[], outcome: UpdateOutcome): UpdateResult {
  return { outcomes: new Map(ids.map((id) => [id, outcome])), verifiedHosts: new Set(), earlier: null };
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

function readLinks(batch: OutboxBatch, ids: readonly string[]): Result<FoundLink> {
  const parameters = new Parameters();
  const { condition } = listedLinks(ids, parameters);
  const sql = `SELECT id, account_id, domain, slug, url, updated_at FROM ${LISTED_LINKS} WHERE ${condition}`;
  return batch.add(sql, parameters.values);
}

function refusalOf(
  link: FoundLink,
  accountId: number,
  { columns, hosts, urls, versions }: LinkUpdate,
  verified: readonly VerifiedDomain[],
): UpdateOutcome {
  if (link.account_id !== accountId) return { outcome: "forbidden" };
  if (versions?.includes(link.updated_at) === false) return { outcome: "precondition_failed" };
  const owner = verified.find(({ domain }) => domain === columns.domain);
  if (columns.domain && owner?.account_id !== accountId) return { outcome: "domain_refused" };
  if (verified.some(({ domain }) => hosts.includes(domain))) return { outcome: "leads_to_domain" };
  const url = urls?.get(link.id);
  return { outcome: url !== undefined && url.from !== link.url ? "url_changed" : "slug_reserved" };
}

function addUpdate(
  batch: OutboxBatch,
  { accountId, ids }: OwnLinks,
  update: LinkUpdate,
  now: number,
): Result<LinkRow & { is_reachable: 0 | 1 }> {
  const parameters = new Parameters([now, accountId]);
  const { condition } = listedLinks(ids, parameters);
  const assignments = assignmentsOf(update, parameters);
  return batch.add(
    `UPDATE ${LISTED_LINKS} SET ${assignments.join(", ")}
     WHERE ${condition} AND account_id = ?2 AND ${isAllowed(update, accountId, now, "from", parameters)}
     RETURNING ${LINK_COLUMNS}, ${IS_REACHABLE}`,
    parameters.values,
  );
}

/** The assignments of an update at the time ?1. */
function assignmentsOf({ columns, urls }: LinkUpdate, parameters: Parameters): string[] {
  const values: Record<string, string> = {};
  for (const [column, value] of Object.entries(columns)) values[column] = parameters.add(value);
  if (urls !== undefined) values["url"] = urlOf(urls, "to", parameters);
  const { expires_at: expiresAt = "expires_at", max_clicks: maxClicks = "max_clicks" } = values;
  return [
    ...Object.entries(values).map(([column, value]) => `${column} = ${value}`),
    // An expired link may become active again. Only expiry.ts makes an active link expired.
    `status = iif(coalesce(${expiresAt} <= ?1, false) OR coalesce(${maxClicks} <= visits, false), status, 'active')`,
    "updated_at = max(?1, updated_at + 1)",
  ];
}

/**
 * The conditions of an update for the link `l`. They hold before the update, when the link has the URL that was read
 * (`from`), exactly if they hold after it, when the link has the new URL (`to`).
 */
function isAllowed(
  { columns, hosts, urls, versions, toStore }: LinkUpdate,
  accountId: number,
  now: number,
  url: "from" | "to",
  parameters: Parameters,
): string {
  const conditions = ["true"];
  // The version differs after the update, and may be one that another request wrote in this millisecond. So the statement
  // that directly follows the update asks whether it changed the link.
  if (versions !== null) conditions.push(url === "from" ? hasVersion(versions, parameters) : "changes() > 0");
  if (toStore !== null) conditions.push(isNewRequest(parameters, toStore.idempotency, now));
  if (hosts.length > 0) conditions.push(noneVerified(parameters.add(JSON.stringify(hosts))));
  if (columns.domain) conditions.push(isVerifiedFor(parameters.add(accountId), parameters.add(columns.domain)));
  // Slugs are reserved on the service's own domain only.
  if (columns.domain === undefined && columns.slug !== undefined && isReserved(columns.slug)) {
    conditions.push("l.domain <> ''");
  }
  if (columns.domain === "" && columns.slug === undefined) {
    const reserved = parameters.add(JSON.stringify([...RESERVED_SLUGS]));
    conditions.push(`l.slug NOT IN (SELECT value FROM json_each(${reserved}))`);
  }
  if (urls !== undefined) conditions.push(`l.url = ${urlOf(urls, url, parameters)}`);
  return conditions.join(" AND ");
}

/** SQL for the URL of the link `l` in a JSON object of URLs by link id. */
function urlOf(urls: NonNullable<LinkUpdate["urls"]>, which: "from" | "to", parameters: Parameters): string {
  const byId = Object.fromEntries([...urls].map(([id, url]) => [id, url[which]]));
  return `(${parameters.add(JSON.stringify(byId))} ->> l.id)`;
}
