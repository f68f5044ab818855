import type { AccountContext } from "../../context.ts";
import { isOverload } from "../../lib/durable-objects.ts";
import { clickLogName } from "../click-log-name.ts";
import type { ClickLogObject } from "./object.ts";
import { MAX_CLICK_LOG_ATTEMPTS } from "../limits.ts";

/** The ClickLog of an account's links. */
export function clickLogOf(env: Env, accountId: number): DurableObjectStub<ClickLogObject> {
  return env.CLICK_LOG.getByName(clickLogName(accountId, ""));
}

/**
 * Sends a query to an account's ClickLog, and again if it fails: a restart of the object breaks the queries that are
 * running. An overloaded object is not asked again.
 */
export async function queryClickLog<T>(
  env: Env,
  accountId: number,
  query: (clickLog: DurableObjectStub<ClickLogObject>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await query(clickLogOf(env, accountId));
    } catch (error) {
      if (attempt >= MAX_CLICK_LOG_ATTEMPTS || isOverload(error)) throw error;
    }
  }
}

/**
 * Tells the account's ClickLog that a webhook may be stored next, or that its events or filters may be changed, so that it asks the
 * database for them. Throws if the ClickLog does not respond; then nothing must be stored. The ClickLog need not know that a webhook
 * is deleted or deactivated: its events are dropped.
 */
export async function expectSubscriptionChange({ env, principal }: AccountContext): Promise<void> {
  await queryClickLog(env, principal.accountId, (clickLog) => clickLog.expectSubscriptionChange());
}
