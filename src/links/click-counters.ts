import { clickLogOf } from "../clicks/click-log/stub.ts";
import type { AccountContext } from "../context.ts";
import { describeError, log } from "../lib/log.ts";
import { withTimeout } from "../lib/timeout.ts";
import { CLICK_COUNTERS_PER_FLUSH } from "../limits.ts";
import { raiseClickCounters } from "./store/click-counters.ts";
import { CLICK_COUNTERS_TIMEOUT_MS } from "./limits.ts";

/**
 * Copies the click counters of an account's links from its ClickLog to the database. Requests for links do it, and not each
 * click, because a written row costs as much as a thousand read ones. If it fails or takes too long, the links have the
 * counters of the database.
 */
export async function syncClickCounters({
  env,
  db,
  waitUntil,
  principal,
}: Pick<AccountContext, "env" | "db" | "waitUntil" | "principal">): Promise<void> {
  const { accountId } = principal;
  const sync = copyCounters({ env, db, principal });
  waitUntil(sync.catch(() => undefined));
  try {
    await withTimeout(sync, CLICK_COUNTERS_TIMEOUT_MS);
  } catch (error) {
    log("warn", "click_counters_not_synced", { accountId, ...describeError(error) });
  }
}

async function copyCounters({ env, db, principal }: Pick<AccountContext, "env" | "db" | "principal">): Promise<void> {
  const clickLog = clickLogOf(env, principal.accountId);
  for (;;) {
    const counters = await clickLog.changedCounters();
    if (counters.length === 0) return;
    await raiseClickCounters(db, counters);
    await clickLog.confirmCounters(counters);
    if (counters.length < CLICK_COUNTERS_PER_FLUSH) return;
  }
}
