import { clickLogName } from "../../clicks/click-log-name.ts";
import { clickLogOf } from "../../clicks/click-log/stub.ts";
import type { ServiceContext } from "../../context.ts";
import { describeError, log } from "../../lib/log.ts";
import { mapLimit } from "../../lib/map-limit.ts";
import * as store from "./store.ts";
import { CLICK_MOVE_DELAY_MS, CLICK_MOVES_PER_RUN, CONCURRENT_CLICK_MOVES } from "../limits.ts";

type ClickLogStub = ReturnType<typeof clickLogOf>;
type BackupCursor = Parameters<ClickLogStub["readLink"]>[1];

/**
 * Copies the clicks of claimed links from the ClickLogs of anonymous links to that of the account, and lets those that arrive
 * later be forwarded to it. It can run again for the same links, because the account's ClickLog recognises clicks that it has.
 */
export async function moveClicks(env: Env, accountId: number, linkIds: readonly string[]): Promise<void> {
  await mapLimit(linkIds, CONCURRENT_CLICK_MOVES, async (linkId) =>
    eachAnonymousLog(env, accountId, linkId, (source) => copyClicks(source, clickLogOf(env, accountId), linkId)),
  );
}

/**
 * Copies the clicks of links that were claimed {@link CLICK_MOVE_DELAY_MS} ago once more, in case this failed, and deletes them
 * where they were. Clicks for an account that does not exist are only deleted. Returns the number of links.
 */
export async function finishClickMoves({ env, now }: ServiceContext): Promise<number> {
  const due = await store.findDueMoves(env.DB, now, CLICK_MOVES_PER_RUN);
  for (const { link_id: linkId, account_id: accountId, is_purged: isPurged } of due) {
    try {
      await eachAnonymousLog(env, accountId, linkId, async (source) => {
        if (isPurged === 1) return source.forgetLinks([linkId]);
        await copyClicks(source, clickLogOf(env, accountId), linkId);
        await source.dropLink(linkId);
      });
      await store.deleteClaim(env.DB, linkId);
    } catch (error) {
      // Due again later, so that it does not hold up the others.
      log("warn", "clicks_not_moved", { links: 1, ...describeError(error) });
      await store.delayMove(env.DB, linkId, now + CLICK_MOVE_DELAY_MS);
    }
  }
  return due.length;
}

/** Calls `use` with the shared ClickLog of an anonymous link, and with its own one if it has one. From then on, they keep no new clicks. */
async function eachAnonymousLog(
  env: Env,
  accountId: number,
  linkId: string,
  use: (source: ClickLogStub) => Promise<void>,
): Promise<void> {
  let name: string | null = clickLogName(null, linkId);
  while (name !== null) {
    const source: ClickLogStub = env.CLICK_LOG.getByName(name);
    name = await source.handOver(linkId, clickLogName(accountId, ""));
    await use(source);
  }
}

async function copyClicks(source: ClickLogStub, target: ClickLogStub, linkId: string): Promise<void> {
  let after: BackupCursor = null;
  do {
    const page: Awaited<ReturnType<ClickLogStub["readLink"]>> = await source.readLink(linkId, after);
    if (page.rows.length > 0) await target.adoptClicks(page.rows);
    after = page.next;
  } while (after !== null);
}
