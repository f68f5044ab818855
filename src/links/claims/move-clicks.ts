import { clickLogName } from "../../clicks/click-log-name.ts";
import { clickLogOf } from "../../clicks/click-log/stub.ts";
import type { ServiceContext } from "../../context.ts";
import { describeError, log } from "../../lib/log.ts";
import * as store from "./store.ts";
import { CLICK_MOVE_DELAY_MS, CLICK_MOVES_PER_RUN } from "../limits.ts";

type BackupCursor = Parameters<ReturnType<typeof clickLogOf>["exportClicks"]>[0];

/**
 * Copies the clicks of claimed links from their own ClickLogs to that of the account. It can run again for the same links,
 * because the account's ClickLog recognises clicks that it has.
 */
export async function moveClicks(env: Env, accountId: number, linkIds: readonly string[]): Promise<void> {
  const target = clickLogOf(env, accountId);
  for (const linkId of linkIds) {
    const source = env.CLICK_LOG.getByName(clickLogName(null, linkId));
    let after: BackupCursor = null;
    do {
      const page: Awaited<ReturnType<typeof source.exportClicks>> = await source.exportClicks(after);
      if (page.rows.length > 0) await target.adoptClicks(page.rows);
      after = page.next;
    } while (after !== null);
  }
}

/**
 * Copies the clicks of links that were claimed {@link CLICK_MOVE_DELAY_MS} ago once more, with those that came late from
 * caches and queues, and deletes them in their own ClickLogs. Clicks for an account that is gone are only deleted. Returns
 * the number of links.
 */
export async function finishClickMoves({ env, now }: ServiceContext): Promise<number> {
  const due = await store.findDueMoves(env.DB, now, CLICK_MOVES_PER_RUN);
  for (const { link_id: linkId, account_id: accountId, is_purged: isPurged } of due) {
    try {
      if (isPurged === 0) await moveClicks(env, accountId, [linkId]);
      await env.CLICK_LOG.getByName(clickLogName(null, linkId)).forgetLinks([linkId]);
      await store.deleteClaim(env.DB, linkId);
    } catch (error) {
      // Due again later, so that it does not hold up the others.
      log("warn", "clicks_not_moved", { links: 1, ...describeError(error) });
      await store.delayMove(env.DB, linkId, now + CLICK_MOVE_DELAY_MS);
    }
  }
  return due.length;
}
