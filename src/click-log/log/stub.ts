import type { AccountContext } from "../../platform/context.ts";
import { isOverload } from "../../platform/lib/durable-objects.ts";
import { accountLogName } from "../click-log-name.ts";
import type { ClickLogObject } from "./object.ts";
import { MAX_CLICK_LOG_ATTEMPTS } from "../limits.ts";

/** The account whose clicks are read. */
type ClickContext = Pick<AccountContext, "env" | "principal">;

/** The ClickLog of an account. */
export function clickLogOf(env: Env, accountId: number): DurableObjectStub<ClickLogObject> {
  return env.CLICK_LOG.getByName(accountLogName(accountId));
}

/**
 * Sends a query to the account's ClickLog, and again if it fails: a restart of the object breaks the queries that are running. An
 * overloaded object is not asked again.
 */
export async function queryClickLog<T>(
  { env, principal }: ClickContext,
  query: (clickLog: DurableObjectStub<ClickLogObject>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await query(clickLogOf(env, principal.accountId));
    } catch (error) {
      if (attempt >= MAX_CLICK_LOG_ATTEMPTS || isOverload(error)) throw error;
    }
  }
}

/**
 * Tells the account's ClickLog that a webhook may be stored next, or that its events or filters may be changed, so that it asks the
 * database for them. Throws if the ClickLog does not respond; then nothing must be stored. It need not know that a webhook
 * is deleted or deactivated: its events are dropped.
 */
export async function expectSubscriptionChange(context: ClickContext): Promise<void> {
  await queryClickLog(context, (clickLog) => clickLog.expectSubscriptionChange());
}

/** Tells the account's ClickLog that another retention of single clicks may be stored next. Throws like {@link expectSubscriptionChange}. */
export async function expectRetentionChange(context: ClickContext): Promise<void> {
  await queryClickLog(context, (clickLog) => clickLog.expectRetentionChange(context.principal.accountId));
}

/** Makes the account's ClickLog read its retention of single clicks. If it does not respond, it does so by itself. */
export async function applyRetention(context: ClickContext): Promise<void> {
  await queryClickLog(context, (clickLog) => clickLog.readRetention()).catch(() => null);
}
