import type { AccountContext } from "../../context.ts";
import { isOverload } from "../../lib/durable-objects.ts";
import { parseShards, shardName, type ClickShards } from "../click-log-name.ts";
import type { ClickLogObject } from "./object.ts";
import type { LinkSelection } from "./selected-rows.ts";
import { readShards, shardsWithLinks } from "./shards-of-account.ts";
import { MAX_CLICK_LOG_ATTEMPTS, MAX_SOUGHT_LINKS } from "../limits.ts";

/** The account whose clicks are read. */
export type ClickContext = Pick<AccountContext, "env" | "principal">;

/** The first ClickLog of an account. Most accounts have no other one. */
export function clickLogOf(env: Env, accountId: number): DurableObjectStub<ClickLogObject> {
  return env.CLICK_LOG.getByName(shardName(accountId, 0));
}

/**
 * The names of the ClickLogs that may have clicks of the account's links, or of all if `links` is null. The database is asked only
 * where the authentication of a request has not read it.
 */
export async function findClickLogs(context: ClickContext, links: LinkSelection = null): Promise<string[]> {
  return clickLogsOn(context, await findShards(context), links);
}

export async function findShards({ env, principal: { accountId, clickShards } }: ClickContext): Promise<ClickShards> {
  return parseShards(clickShards === undefined ? await readShards(env.DB, accountId) : clickShards);
}

/** As {@link findClickLogs}; with a UTC day, those that may have clicks of that day. */
export function clickLogsOn(
  { principal: { accountId } }: ClickContext,
  shards: ClickShards,
  links: LinkSelection,
  day = Infinity,
): string[] {
  const sought = links !== null && links.length <= MAX_SOUGHT_LINKS ? links : null;
  const begun = shards.filter(([fromDay]) => fromDay <= day);
  return shardsWithLinks(begun, sought).map((shard) => shardName(accountId, shard));
}

/**
 * Sends a query to a ClickLog, and again if it fails: a restart of the object breaks the queries that are running. An overloaded
 * object is not asked again.
 */
export async function queryClickLog<T>(
  env: Env,
  name: string,
  query: (clickLog: DurableObjectStub<ClickLogObject>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await query(env.CLICK_LOG.getByName(name));
    } catch (error) {
      if (attempt >= MAX_CLICK_LOG_ATTEMPTS || isOverload(error)) throw error;
    }
  }
}

/**
 * Tells the account's ClickLogs that a webhook may be stored next, or that its events or filters may be changed, so that they ask the
 * database for them. Throws if a ClickLog does not respond; then nothing must be stored. They need not know that a webhook
 * is deleted or deactivated: its events are dropped.
 */
export async function expectSubscriptionChange(context: AccountContext): Promise<void> {
  await tellClickLogs(context, (clickLog) => clickLog.expectSubscriptionChange());
}

/** Tells the account's ClickLogs that another retention of single clicks may be stored next. Throws like {@link expectSubscriptionChange}. */
export async function expectRetentionChange(context: ClickContext): Promise<void> {
  await tellClickLogs(context, (clickLog) => clickLog.expectRetentionChange(context.principal.accountId));
}

/** Makes the account's ClickLogs read its retention of single clicks. If one does not respond, it does so by itself. */
export async function applyRetention(context: ClickContext): Promise<void> {
  await tellClickLogs(context, (clickLog) => clickLog.readRetention()).catch(() => null);
}

async function tellClickLogs(
  context: ClickContext,
  tell: (clickLog: DurableObjectStub<ClickLogObject>) => Promise<void>,
): Promise<void> {
  const names = await findClickLogs(context);
  await Promise.all(names.map((name) => queryClickLog(context.env, name, tell)));
}
