import type { ClickLog } from "./log/click-log.ts";

/** The name of the ClickLog that has a link's clicks: the one place that decides it. `accountId` is null where the link belongs to nobody. */
export function clickLogName(accountId: number | null, linkId: string): string {
  return accountId === null ? `link:${linkId}` : `account:${accountId}`;
}

/** The ClickLog of all links of an account. */
export function clickLogOf(env: Env, accountId: number): DurableObjectStub<ClickLog> {
  return env.CLICK_LOG.getByName(clickLogName(accountId, ""));
}
