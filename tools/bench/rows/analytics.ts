import { accountLogName } from "../../../src/click-log/click-log-name.ts";
import { createAccount } from "../../../test/e2e/support/accounts.ts";
import { call, makeLink, UNCOUNTED, type InstrumentedServer } from "../instrumented/server.ts";
import { DAY_MS, eachDayOfYear, NOW } from "../instrumented/year.ts";
import { findRuntime } from "../load/process.ts";
import { measureRound } from "../load/round.ts";
import { runRound } from "../load/wrk.ts";
import type { Row } from "../row.ts";

/** Full batches of clicks, as of a popular link: the fastest way to fill a ClickLog. */
const BATCHES = { perMessage: 100, perDelivery: 100 };
/** Requests at the same time. */
const CONCURRENCY = 4;
/** Runs of the nightly maintenance until all busy days have a summary. */
const NIGHTS = 3;

function analyticsRow(clicks: number): Row<InstrumentedServer> {
  return {
    name: `analytics-${clicks}`,
    title: `GET /api/links/:id/clicks: a year of ${clicks.toLocaleString("en")} clicks, unfiltered, not for the first time`,
    against: "bare",
    seconds: 2,
    async prepare(server) {
      const { accountId, key } = await createAccount(server.db);
      const { id: link } = await makeLink(server, key);
      await eachDayOfYear(NOW + DAY_MS / 2, clicks, async (day) => {
        const take = { ...day, ...BATCHES, accountId, links: [link] };
        if (day.clicks > 0) await server.control({ now: day.until, take });
      });
      await server.control({ now: NOW });
      for (let night = 0; night < NIGHTS; night++) await server.control({ night: accountLogName(accountId) });
      const query = () => call(server, key, "GET", `/api/links/${link}/clicks?interval=1y`);
      // The first query creates the missing summaries.
      await query();
      const pid = findRuntime();
      const bare = { address: server.bare, ask: { path: "/l1" }, headers: UNCOUNTED };
      return {
        row: (seconds) => measureRound(pid, () => repeat(query, seconds)),
        reference: (seconds) => runRound(pid, bare, seconds),
      };
    },
  };
}

/** Repeats `run` for `seconds` and waits for the last response, which wrk would not do. */
async function repeat(run: () => Promise<unknown>, seconds: number): Promise<{ operations: number }> {
  const end = performance.now() + seconds * 1_000;
  let operations = 0;
  const caller = async () => {
    while (performance.now() < end) {
      await run();
      operations++;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, caller));
  return { operations };
}

export const analytics = [analyticsRow(1_000), analyticsRow(1_000_000)];
