import { isOverload } from "../../lib/durable-objects.ts";
import { MAX_CLICK_LOG_ATTEMPTS } from "../../limits.ts";
import type { ClickLog } from "./object.ts";

/** The name of the ClickLog that has a link's clicks: the one place that decides it. `accountId` is null where the link belongs to nobody. */
export function clickLogName(accountId: number | null, linkId: string): string {
  return accountId === null ? `link:${linkId}` : `account:${accountId}`;
}

/** The ClickLog of all links of an account. */
export function clickLogOf(env: Env, accountId: number): DurableObjectStub<ClickLog> {
  return env.CLICK_LOG.getByName(clickLogName(accountId, ""));
}

/**
 * Asks the ClickLog of an account's links something that changes nothing, again if it fails: an object that is
 * started anew breaks what it was asked before, and answers the next time.
 */
export async function queryClickLog<T>(
  env: Env,
  accountId: number,
  ask: (clickLog: DurableObjectStub<ClickLog>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask(clickLogOf(env, accountId));
    } catch (error) {
      if (attempt >= MAX_CLICK_LOG_ATTEMPTS || isOverload(error)) throw error;
    }
  }
}
