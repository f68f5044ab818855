import type { AccountContext } from "../../context.ts";
import { isOverload } from "../../lib/durable-objects.ts";
import type { EventType } from "../../outbox/event-types.ts";
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
 * Tells the account's ClickLog that a webhook with these events may be stored next, so that it asks the database for it. Throws
 * if the ClickLog does not respond; then the webhook must not be stored.
 */
export async function expectClickSubscription(
  { env, principal }: AccountContext,
  events: readonly EventType[] | undefined,
): Promise<void> {
  if (events?.includes("link.click") !== true) return;
  await queryClickLog(env, principal.accountId, (clickLog) => clickLog.expectSubscription());
}
