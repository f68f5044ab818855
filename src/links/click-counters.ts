import { sumCounters } from "../clicks/click-log/account-queries.ts";
import { findClickLogs } from "../clicks/click-log/stub.ts";
import type { AccountContext } from "../context.ts";
import { describeError, log } from "../lib/log.ts";
import { mapLimit } from "../lib/map-limit.ts";
import { withTimeout } from "../lib/timeout.ts";
import { CLICK_COUNTERS_PER_FLUSH } from "../limits.ts";
import { raiseClickCounters } from "./store/click-counters.ts";
import { CONCURRENT_SHARDS } from "../clicks/limits.ts";
import { CLICK_COUNTERS_TIMEOUT_MS } from "./limits.ts";

/**
 * Copies the click counters of an account's links from its ClickLogs to the database. Requests for links do it, and not each
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
  const sync = copyAllCounters({ env, db, principal });
  waitUntil(sync.catch(() => undefined));
  try {
    await withTimeout(sync, CLICK_COUNTERS_TIMEOUT_MS);
  } catch (error) {
    log("warn", "click_counters_not_synced", { accountId, ...describeError(error) });
  }
}

type CounterContext = Pick<AccountContext, "env" | "db" | "principal">;

async function copyAllCounters(context: CounterContext): Promise<void> {
  const names = await findClickLogs(context);
  await mapLimit(names, CONCURRENT_SHARDS, async (name) => copyCounters(context, name, names));
}

/** Copies the counters that have changed in one ClickLog. `names` are those of all of the account. */
async function copyCounters({ env, db }: CounterContext, name: string, names: readonly string[]): Promise<void> {
  const clickLog = env.CLICK_LOG.getByName(name);
  for (;;) {
    const counters = await clickLog.changedCounters();
    if (counters.length === 0) return;
    const links = counters.map(({ linkId }) => linkId);
    await raiseClickCounters(db, names.length === 1 ? counters : await sumCounters(env, names, links));
    await clickLog.confirmCounters(counters);
    if (counters.length < CLICK_COUNTERS_PER_FLUSH) return;
  }
}
