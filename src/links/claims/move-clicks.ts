import { accountLogName, sharedLogName } from "../../click-log/click-log-name.ts";
import { clickLogOf } from "../../click-log/log/stub.ts";
import type { ServiceContext } from "../../platform/context.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { mapLimit } from "../../platform/lib/map-limit.ts";
import * as store from "./store.ts";
import { CLICK_MOVE_DELAY_MS, CLICK_MOVES_PER_RUN, CONCURRENT_CLICK_MOVES } from "../limits.ts";

/**
 * Moves the clicks of claimed links from the ClickLogs of anonymous links to that of the account, and lets those that arrive
 * later be forwarded to it. It can run again for the same links, also at the same time.
 */
export async function moveClicks(env: Env, accountId: number, linkIds: readonly string[]): Promise<void> {
  await mapLimit(linkIds, CONCURRENT_CLICK_MOVES, async (linkId) => moveLink(env, accountId, linkId));
}

/**
 * Moves what {@link moveClicks} has left of links that were claimed {@link CLICK_MOVE_DELAY_MS} ago, in case it failed. Clicks for
 * an account that does not exist are deleted. Returns the number of links.
 */
export async function finishClickMoves(context: ServiceContext): Promise<number> {
  const { env, db, now } = context;
  const due = await store.findDueMoves(db, now, CLICK_MOVES_PER_RUN);
  for (const { link_id: linkId, account_id: accountId, is_purged: isPurged } of due) {
    try {
      if (isPurged === 1) {
        // Later clicks are given to the account's ClickLog, which keeps none.
        await sharedLogOf(env, linkId).handOver(linkId, accountLogName(accountId));
        await sharedLogOf(env, linkId).forgetLinks([linkId]);
      } else {
        await moveLink(env, accountId, linkId);
        await clickLogOf(env, accountId).endAdoption(linkId);
      }
      await store.deleteClaim(db, linkId);
    } catch (error) {
      // Due again later, so that it does not hold up the others.
      log("warn", "clicks_not_moved", { links: 1, ...describeError(error) });
      await store.delayMove(db, linkId, now + CLICK_MOVE_DELAY_MS);
    }
  }
  return due.length;
}

async function moveLink(env: Env, accountId: number, linkId: string): Promise<void> {
  const source = sharedLogOf(env, linkId);
  const target = clickLogOf(env, accountId);
  await source.handOver(linkId, accountLogName(accountId));
  for (;;) {
    const rows = await source.readLink(linkId);
    if (rows.length === 0) return;
    await target.adoptClicks(linkId, rows);
    await source.dropRows(
      linkId,
      rows.map(({ day, part }) => ({ day, part })),
    );
  }
}

/** The ClickLog of an anonymous link. */
function sharedLogOf(env: Env, linkId: string): ReturnType<typeof clickLogOf> {
  return env.CLICK_LOG.getByName(sharedLogName(linkId));
}
