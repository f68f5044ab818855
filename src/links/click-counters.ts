import type { RequestContext } from "../context.ts";
import { describeError, log } from "../lib/log.ts";
import { withTimeout } from "../lib/timeout.ts";
import { CLICK_COUNTERS_PER_FLUSH, CLICK_COUNTERS_TIMEOUT_MS } from "../limits.ts";
import { setClickCounters } from "./store/links.ts";
import { clickLogOf } from "../clicks/click-log/client.ts";

/**
 * Brings `clicks` and `lastClickedAt` of an account's links in the database up to date. Done when
 * somebody asks for links rather than at every click: a row written costs a thousand times one read. If it
 * fails or takes long, links are shown with the counters that the database has.
 */
export async function syncClickCounters({
  env,
  waitUntil,
  principal: { accountId },
}: Pick<RequestContext, "env" | "waitUntil" | "principal">): Promise<void> {
  const bringing = bringAllForward(env, accountId);
  waitUntil(bringing.catch(() => undefined));
  try {
    await withTimeout(bringing, CLICK_COUNTERS_TIMEOUT_MS);
  } catch (error) {
    log("warn", "click_counters_late", { accountId, ...describeError(error) });
  }
}

async function bringAllForward(env: Env, accountId: number): Promise<void> {
  const clickLog = clickLogOf(env, accountId);
  for (;;) {
    const counters = await clickLog.changedCounters();
    if (counters.length === 0) return;
    await setClickCounters(env.DB, counters);
    await clickLog.confirmCounters(counters);
    if (counters.length < CLICK_COUNTERS_PER_FLUSH) return;
  }
}
