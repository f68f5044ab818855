import { isOverload } from "../../lib/durable-objects.ts";
import { clickLogName } from "../click-log-name.ts";
import type { ClickLog } from "./object.ts";
import { MAX_CLICK_LOG_ATTEMPTS } from "../limits.ts";

/** The ClickLog of an account's links. */
export function clickLogOf(env: Env, accountId: number): DurableObjectStub<ClickLog> {
  return env.CLICK_LOG.getByName(clickLogName(accountId, ""));
}

/**
 * Sends a query to an account's ClickLog, and again if it fails: a restart of the object breaks the queries that are
 * running. An overloaded object is not asked again.
 */
export async function queryClickLog<T>(
  env: Env,
  accountId: number,
  query: (clickLog: DurableObjectStub<ClickLog>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await query(clickLogOf(env, accountId));
    } catch (error) {
      if (attempt >= MAX_CLICK_LOG_ATTEMPTS || isOverload(error)) throw error;
    }
  }
}
