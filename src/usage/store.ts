import { Batch, type Result } from "../database/batch.ts";
import type { Parameters, Value } from "../database/parameters.ts";
import { DEFAULT_MAX_LINK_BYTES_PER_ACCOUNT, DEFAULT_MAX_LINKS_PER_ACCOUNT } from "../limits.ts";

/**
 * What the links of an account take up, and its quotas (the table `account_usage`). A statement here comes before the
 * statements that change the links, in their transaction: it computes what they will change. Where a quota may refuse a
 * part of the change, it stores its decision, with the id of the change, for the statements that follow. Every change of
 * the counters replaces or removes that id. So a transaction that is repeated counts nothing twice.
 */

export interface UsageRow {
  links: number;
  link_bytes: number;
  max_links: number;
  max_link_bytes: number;
}

/** The quotas of the row `u`. */
const MAX_LINKS = `coalesce(u.max_links, ${DEFAULT_MAX_LINKS_PER_ACCOUNT})`;
const MAX_LINK_BYTES = `coalesce(u.max_link_bytes, ${DEFAULT_MAX_LINK_BYTES_PER_ACCOUNT})`;

/** SQL for the row `u` of the account: its links may grow by these bytes, which are SQL too. 0 is always possible. */
export function hasRoomFor(bytes: string): string {
  return `(${bytes} = 0 OR u.link_bytes + ${bytes} <= ${MAX_LINK_BYTES})`;
}

const USAGE_COLUMNS = ["links", "link_bytes", "max_links", "max_link_bytes"];

/** A SELECT of {@link UsageRow}. */
export function usageSource(accountId: number) {
  const sql = `SELECT u.links, u.link_bytes, ${MAX_LINKS} AS max_links, ${MAX_LINK_BYTES} AS max_link_bytes
    FROM account_usage u WHERE u.account_id = ?1`;
  return { sql, values: [accountId], columns: USAGE_COLUMNS };
}

export async function readUsage(db: D1Database, accountId: number): Promise<UsageRow> {
  const { sql, values } = usageSource(accountId);
  const row = await db
    .prepare(sql)
    .bind(...values)
    .first<UsageRow>();
  if (row === null) throw new Error("the account has no usage");
  return row;
}

/**
 * Changes the usage of accounts, whatever their quotas are. `changes` is a SELECT of `account_id`, `links` and `bytes`, the
 * differences; it may have several rows for an account.
 */
export function changeUsage(batch: Batch, changes: string, values: readonly Value[]): void {
  batch.add(
    `UPDATE account_usage SET links = account_usage.links + c.links, link_bytes = link_bytes + c.bytes,
       change_id = NULL, decision = NULL
     FROM (SELECT account_id, sum(links) AS links, sum(bytes) AS bytes FROM (${changes}) GROUP BY account_id) c
     WHERE account_usage.account_id = c.account_id AND (c.links <> 0 OR c.bytes <> 0)`,
    values,
  );
}

/** A change that must respect the quotas. */
export interface QuotaChange {
  accountId: number;
  /** Different for each change. */
  changeId: string;
}

/**
 * Counts new links, as many as the quotas allow, in order. `links` is a SELECT of the `position` and the `bytes` of links
 * that can be stored otherwise. {@link decided} then has the positions of those that must be stored.
 */
export function countNewLinks(
  batch: Batch,
  { accountId, changeId }: QuotaChange,
  links: string,
  parameters: Parameters,
): void {
  const [account, id] = [parameters.add(accountId), parameters.add(changeId)];
  batch.add(
    `UPDATE account_usage SET links = account_usage.links + n.links, link_bytes = link_bytes + n.bytes,
       change_id = ${id}, decision = n.positions
     FROM (SELECT count(*) AS links, sum(c.bytes) AS bytes, json_group_array(c.position) AS positions
       FROM account_usage u CROSS JOIN (SELECT position, bytes, row_number() OVER listed AS links,
           sum(bytes) OVER listed AS total_bytes FROM (${links}) WINDOW listed AS (ORDER BY position)) c
       WHERE u.account_id = ${account} AND u.links + c.links <= ${MAX_LINKS}
         AND u.link_bytes + c.total_bytes <= ${MAX_LINK_BYTES}) n
     WHERE account_usage.account_id = ${account} AND n.links > 0`,
    parameters.values,
  );
}

/**
 * Counts how links change in size. `growths` is a SELECT of the `id` of each link and its `growth` in bytes. {@link decided}
 * then has the ids of those that must not change. A link that gets smaller may always change.
 */
export function countGrowth(
  batch: Batch,
  { accountId, changeId }: QuotaChange,
  growths: string,
  parameters: Parameters,
): void {
  const [account, id] = [parameters.add(accountId), parameters.add(changeId)];
  batch.add(
    `WITH growths AS MATERIALIZED (${growths}),
       decided AS (SELECT g.id, g.growth, g.growth > 0 AND u.link_bytes + sum(min(g.growth, 0)) OVER ()
           + sum(max(g.growth, 0)) OVER (ORDER BY g.id) > ${MAX_LINK_BYTES} AS is_refused
         FROM account_usage u CROSS JOIN growths g WHERE u.account_id = ${account} AND g.growth <> 0)
     UPDATE account_usage SET link_bytes = link_bytes + d.growth, change_id = ${id}, decision = d.refused
     FROM (SELECT count(*) AS links, sum(iif(is_refused, 0, growth)) AS growth,
         json_group_array(id) FILTER (WHERE is_refused) AS refused FROM decided) d
     WHERE account_usage.account_id = ${account} AND d.links > 0`,
    parameters.values,
  );
}

/** Counts the restored link of `growths`, a SELECT of its `growth` in bytes, if the quotas allow it: see {@link isCounted}. */
export function countRestoredLink(
  batch: Batch,
  { accountId, changeId }: QuotaChange,
  growths: string,
  parameters: Parameters,
): void {
  const [account, id] = [parameters.add(accountId), parameters.add(changeId)];
  batch.add(
    `UPDATE account_usage AS u SET links = u.links + 1, link_bytes = u.link_bytes + g.growth,
       change_id = ${id}, decision = NULL
     FROM (${growths}) g WHERE u.account_id = ${account} AND u.links < ${MAX_LINKS}`,
    parameters.values,
  );
}

/** A SELECT of the values of the decision. It has no rows if the change has counted nothing. */
export function decided({ accountId, changeId }: QuotaChange, parameters: Parameters): string {
  return `SELECT value FROM account_usage u, json_each(u.decision)
    WHERE u.account_id = ${parameters.add(accountId)} AND u.change_id = ${parameters.add(changeId)}`;
}

/** An SQL condition: the last change that was counted is this one. */
export function isCounted({ accountId, changeId }: QuotaChange, parameters: Parameters): string {
  return `EXISTS (SELECT 1 FROM account_usage u
    WHERE u.account_id = ${parameters.add(accountId)} AND u.change_id = ${parameters.add(changeId)})`;
}

export interface AccountCounts extends UsageRow {
  keys: number;
  domains: number;
  webhooks: number;
}

/** Returns the usage of the account, and the number of its active keys, domains and webhooks. */
export async function countResources(db: D1Database, accountId: number, now: number): Promise<AccountCounts> {
  const batch = new Batch(db);
  const { sql, values } = usageSource(accountId);
  const usage = batch.add<UsageRow>(sql, values);
  const active = "FROM api_keys WHERE account_id = ?1 AND revoked_at IS NULL AND expires_at";
  const counts: Result<Omit<AccountCounts, keyof UsageRow>> = batch.add(
    `SELECT (SELECT count(*) ${active} IS NULL) + (SELECT count(*) ${active} > ?2) AS keys,
       (SELECT count(*) FROM domains WHERE account_id = ?1) AS domains,
       (SELECT count(*) FROM webhooks WHERE account_id = ?1) AS webhooks`,
    [accountId, now],
  );
  await batch.commit();
  if (usage.first === undefined || counts.first === undefined) throw new Error("the account has no usage");
  return { ...usage.first, ...counts.first };
}
