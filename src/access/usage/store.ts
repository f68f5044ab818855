import { Batch, type Result } from "../../platform/database/batch.ts";
import { nullColumn } from "../../platform/database/errors.ts";
import { Parameters, type Value } from "../../platform/database/parameters.ts";
import { RATE_LIMIT_WINDOW_MS } from "../../limits.ts";
import { CREATION_RESOLUTION_MS } from "../../platform/rate-limit/limits.ts";
import { unpackTimes } from "../../platform/rate-limit/window.ts";
import { DEFAULT_MAX_LINK_BYTES_PER_ACCOUNT, DEFAULT_MAX_LINKS_PER_ACCOUNT } from "./limits.ts";

/**
 * What the links of an account take up, and its quotas (the table `account_usage`). One statement counts what a transaction
 * changes. A transaction that may be repeated counts nothing the second time, because its SELECT then finds no change.
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

/** A SELECT of {@link UsageRow}. `account` is SQL. */
export function selectUsage(account: string): string {
  return `SELECT u.links, u.link_bytes, ${MAX_LINKS} AS max_links, ${MAX_LINK_BYTES} AS max_link_bytes
    FROM account_usage u WHERE u.account_id = ${account}`;
}

export async function readUsage(db: D1Database, accountId: number): Promise<UsageRow> {
  const row = await db.prepare(selectUsage("?1")).bind(accountId).first<UsageRow>();
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
     ON CONFLICT (account_id) DO UPDATE SET links = u.links + excluded.links, link_bytes = u.link_bytes + excluded.link_bytes
     WHERE excluded.links <> 0 OR excluded.link_bytes <> 0`,
    values,
  );
}

/**
 * Changes the usage of one account. The transaction fails if the account would grow beyond a quota; {@link isOverQuota}
 * recognizes the error. The account may always shrink, also if its quota was lowered below what it has. `total` is a SELECT
 * of `account_id`, `links` and `bytes`, the differences, with at most one row.
 */
export function countWithinQuotas(batch: Batch, total: string, values: readonly Value[]): void {
  batch.add(changeWithinQuotas(total, []), values);
}

/** How many links an account may create in any {@link RATE_LIMIT_WINDOW_MS}. */
export interface CreationLimit {
  perMinute: number;
  /** The time of creation, Unix milliseconds. */
  now: number;
}

/**
 * As {@link countWithinQuotas} for links that the account creates. The transaction also fails if the account created too many
 * of late; {@link isOverCreationLimit} recognizes the error. A negative number takes back what the same transaction counted.
 */
export function countCreated(
  batch: Batch,
  total: string,
  values: readonly Value[],
  { perMinute, now }: CreationLimit,
): void {
  const parameters = new Parameters(values);
  const second = parameters.add(`$."${now - (now % CREATION_RESOLUTION_MS)}"`);
  // Longer than a window, because a call that began earlier can be stored later.
  const [since, kept] = [1, 2].map((windows) => parameters.add(now - windows * RATE_LIMIT_WINDOW_MS));
  const counted = `(SELECT iif(excluded.links <= 0 OR recent + excluded.links <= ${parameters.add(perMinute)},
      json_set(kept, ${second}, coalesce(kept ->> ${second}, 0) + excluded.links), NULL)
    FROM (SELECT total(value) FILTER (WHERE CAST(key AS INTEGER) > ${since}) AS recent, json_group_object(key, value) AS kept
      FROM json_each(u.recent_links) WHERE CAST(key AS INTEGER) > ${kept}))`;
  batch.add(changeWithinQuotas(total, [`recent_links = ${counted}`]), parameters.values);
}

/** NULL, which the columns refuse, ends the transaction. */
function changeWithinQuotas(total: string, assignments: readonly string[]): string {
  const all = [
    ...assignments,
    `links = iif(excluded.links <= 0 OR u.links + excluded.links <= ${MAX_LINKS}, u.links + excluded.links, NULL)`,
    `link_bytes = iif(${hasRoomFor("excluded.link_bytes")}, u.link_bytes + excluded.link_bytes, NULL)`,
  ];
  return `INSERT INTO account_usage AS u (account_id, links, link_bytes) ${total}
    ON CONFLICT (account_id) DO UPDATE SET ${all.join(", ")}
    WHERE excluded.links <> 0 OR excluded.link_bytes <> 0`;
}

/** Whether a transaction failed because of a quota. */
export function isOverQuota(error: unknown): boolean {
  return ["account_usage.links", "account_usage.link_bytes"].includes(nullColumn(error) ?? "");
}

/** Whether a transaction failed because the account created too many links of late. */
export function isOverCreationLimit(error: unknown): boolean {
  return nullColumn(error) === "account_usage.recent_links";
}

/** The times at which the account created links in the last minutes, Unix milliseconds in whole seconds, oldest first. */
export async function readCreationTimes(db: D1Database, accountId: number): Promise<number[]> {
  const text = await db
    .prepare("SELECT recent_links FROM account_usage WHERE account_id = ?1")
    .bind(accountId)
    .first<string>("recent_links");
  const counts = Object.entries(JSON.parse(text ?? "{}") as Record<string, number>);
  const times = counts.map(([time, count]) => [Number(time), count] as const).sort(([a], [b]) => a - b);
  return unpackTimes(times.flat());
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
  const usage = batch.add<UsageRow>(selectUsage("?1"), [accountId]);
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
