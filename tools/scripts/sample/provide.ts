import { accountLogName } from "../../../src/click-log/click-log-name.ts";
import { raiseClickCounters } from "../../../src/links/store/click-counters.ts";
import { withTemporaryWorker } from "../backup/temporary-worker.ts";
import { withLocalDatabase } from "../local-database.ts";
import { wrangler } from "../wrangler.ts";
import type { Target } from "../backup/target.ts";
import { toRows } from "./rows.ts";
import { findSample, type SampleAccount } from "./sample.ts";

/** Rows of clicks in one call of a ClickLog. */
const ROWS_PER_CALL = 500;

/**
 * Fills the demo account of the local state with the sample, unless it has links. Returns what the person is told. After an
 * interruption, the next start goes on.
 */
export async function provideSample(target: Target, databaseId: string, account: SampleAccount): Promise<string> {
  const now = Date.now();
  const { stateDirectory } = target;
  const open = <T>(use: (db: D1Database) => Promise<T>) => withLocalDatabase(stateDirectory, use, databaseId);
  const found = await open((db) => findSample(db, account, now));
  if (found === "filled") return "The sample is already there: nothing was added.";
  if (found === "in use")
    return "The demo account has links of your own, so the sample was left out. For another folder: --persist-to DIR";
  const rows = found.flatMap((link) => toRows(link, account.accountId, now));
  await withTemporaryWorker(target, wrangler, async (installation) => {
    for (let start = 0; start < rows.length; start += ROWS_PER_CALL)
      await installation.importClicks(accountLogName(account.accountId), rows.slice(start, start + ROWS_PER_CALL));
  });
  const counters = found.map(({ id }) => {
    const own = rows.filter(({ link }) => link === id);
    const clicks = own.reduce((sum, row) => sum + row.clicks, 0);
    return { linkId: id, clicks, lastClickedAt: Math.max(0, ...own.map((row) => row.last_click_at)) };
  });
  await open((db) => raiseClickCounters(db, counters));
  const clicks = counters.reduce((sum, counter) => sum + counter.clicks, 0);
  return `The demo account has a sample: ${found.length} links with ${clicks} clicks.`;
}
