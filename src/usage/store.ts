import { Batch, type Result } from "../database/batch.ts";
import type { Parameters, Value } from "../database/parameters.ts";
import { DEFAULT_MAX_LINK_BYTES_PER_ACCOUNT, DEFAULT_MAX_LINKS_PER_ACCOUNT } from "./limits.ts";

/**
 * What the links of an account take up, and its quotas (the table `account_usage`). A statement here comes before the
 * statements that change the links, in their transaction: it computes what they will change, so a transaction that is repeated counts
 * nothing twice. A change that a quota may refuse is counted as a whole or not at all. Its id is stored when it is
 * counted, for the statements that follow, until another change of the counters replaces or removes it.
 *
 * Every account has its row. The statements insert all the same and resolve the conflict, because an UPDATE would first write
 * the differences to a temporary table, which costs a read for each link.
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

/** SQL for the row `u` of the account: its links may grow by these bytes, which are SQL too. They may always shrink. */
export function hasRoomFor(bytes: string): string {
  return `(${bytes} <= 0 OR u.link_bytes + ${bytes} <= ${MAX_LINK_BYTES})`;
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
    `INSERT INTO account_usage AS u (account_id, links, link_bytes)
     SELECT account_id, sum(links), sum(bytes) FROM (${changes}) WHERE account_id IS NOT NULL GROUP BY account_id
     ON CONFLICT (account_id) DO UPDATE SET links = u.links + excluded.links,
       link_bytes = u.link_bytes + excluded.link_bytes, change_id = NULL, changed_ids = NULL
     WHERE excluded.links <> 0 OR excluded.link_bytes <> 0`,
    values,
  );
}

/** A change that must respect the quotas. */
export interface QuotaChange {
  accountId: number;
  /** Different for each change. */
  changeId: string;
}

/** A change of an account's links, as SQL. */
interface CountedChange {
  /** Aggregates of the rows of `from`: the differences, and a list of ids for {@link countedIds}. */
  links: string;
  bytes: string;
  ids: string;
  /** A FROM clause. Without rows there is nothing to count. */
  from: string;
}

/**
 * Counts a change as a whole if the account has room for it, which {@link isCounted} tells the statements that follow.
 * A change that makes the links smaller is always counted.
 */
export function countChange(
  batch: Batch,
  { accountId, changeId }: QuotaChange,
  { links, bytes, ids, from }: CountedChange,
  parameters: Parameters,
): void {
  const [account, id] = [parameters.add(accountId), parameters.add(changeId)];
  batch.add(
    `INSERT INTO account_usage AS u (account_id, links, link_bytes, change_id, changed_ids)
     SELECT ${account}, ${links}, ${bytes}, ${id}, ${ids} FROM ${from} HAVING count(*) > 0
     ON CONFLICT (account_id) DO UPDATE SET links = u.links + excluded.links,
       link_bytes = u.link_bytes + excluded.link_bytes, change_id = excluded.change_id, changed_ids = excluded.changed_ids
     WHERE (excluded.links <= 0 OR u.links + excluded.links <= ${MAX_LINKS}) AND ${hasRoomFor("excluded.link_bytes")}`,
    parameters.values,
  );
}

/** A SELECT of the ids of the change, one text. It has no row unless the last change that was counted is this one. */
export function countedIds({ accountId, changeId }: QuotaChange, parameters: Parameters): string {
  return `SELECT changed_ids FROM account_usage
    WHERE account_id = ${parameters.add(accountId)} AND change_id = ${parameters.add(changeId)}`;
}

/** An SQL condition: the last change that was counted is this one. */
export function isCounted(change: QuotaChange, parameters: Parameters): string {
  return `EXISTS (${countedIds(change, parameters)})`;
}

export interface AccountCounts extends UsageRow {
  keys: number;
  domains: number;
  webhooks: number;
  utm_templates: number;
}

/** Returns the usage of the account, and the number of its active keys, domains, webhooks and UTM templates. */
export async function countResources(db: D1Database, accountId: number, now: number): Promise<AccountCounts> {
  const batch = new Batch(db);
  const { sql, values } = usageSource(accountId);
  const usage = batch.add<UsageRow>(sql, values);
  const active = "FROM api_keys WHERE account_id = ?1 AND revoked_at IS NULL AND expires_at";
  const counts: Result<Omit<AccountCounts, keyof UsageRow>> = batch.add(
    `SELECT (SELECT count(*) ${active} IS NULL) + (SELECT count(*) ${active} > ?2) AS keys,
       (SELECT count(*) FROM domains WHERE account_id = ?1) AS domains,
       (SELECT count(*) FROM webhooks WHERE account_id = ?1 AND listener_slot IS NULL) AS webhooks,
       (SELECT count(*) FROM utm_templates WHERE account_id = ?1) AS utm_templates`,
    [accountId, now],
  );
  await batch.commit();
  if (usage.first === undefined || counts.first === undefined) throw new Error("the account has no usage");
  return { ...usage.first, ...counts.first };
}
