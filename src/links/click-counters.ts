import { clickLogOf } from "../click-log/log/stub.ts";
import type { AccountContext } from "../platform/context.ts";
import { describeError, log } from "../platform/lib/log.ts";
import { withTimeout } from "../platform/lib/timeout.ts";
import { CLICK_COUNTERS_PER_FLUSH } from "../limits.ts";
import { raiseClickCounters } from "./store/click-counters.ts";
import { CLICK_COUNTERS_TIMEOUT_MS } from "./limits.ts";
import type { LinkRow } from "./store/row.ts";

export type ClickCounters = Pick<LinkRow, "clicks" | "last_clicked_at">;

/** The link with counters that may be newer than those of its row. */
export function withCounters<Row extends ClickCounters>(row: Row, counters: ClickCounters | undefined): Row {
  return {
    ...row,
    clicks: Math.max(row.clicks, counters?.clicks ?? 0),
    last_clicked_at: Math.max(row.last_clicked_at, counters?.last_clicked_at ?? 0),
  };
}

/**
 * Copies the click counters of an account's links from its ClickLog to the database. Requests for links do it, and not each
 * click, because a written row costs as much as a thousand read ones. If it fails or takes too long, the links have the
 * counters of the database. Returns the counters that it copied, by link id.
 */
export async function syncClickCounters({
  env,
  db,
  waitUntil,
  principal,
}: Pick<AccountContext, "env" | "db" | "waitUntil" | "principal">): Promise<ReadonlyMap<string, ClickCounters>> {
  const { accountId } = principal;
  const sync = copyCounters({ env, db, principal });
  waitUntil(sync.catch(() => undefined));
  try {
    return await withTimeout(sync, CLICK_COUNTERS_TIMEOUT_MS);
  } catch (error) {
    log("warn", "click_counters_not_synced", { accountId, ...describeError(error) });
    return new Map();
  }
}

async function copyCounters({ env, db, principal }: Pick<AccountContext, "env" | "db" | "principal">) {
  const clickLog = clickLogOf(env, principal.accountId);
  const copied = new Map<string, ClickCounters>();
  for (;;) {
    const counters = await clickLog.changedCounters();
    if (counters.length === 0) return copied;
    await raiseClickCounters(db, counters);
    await clickLog.confirmCounters(counters);
    for (const { linkId, clicks, lastClickedAt } of counters)
      copied.set(linkId, { clicks, last_clicked_at: lastClickedAt });
    if (counters.length < CLICK_COUNTERS_PER_FLUSH) return copied;
  }
}
