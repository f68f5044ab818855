import { createAccount } from "../../test/e2e/support/accounts.ts";
import { clickLogName } from "../../src/clicks/click-log-name.ts";
import { findRuntime } from "../load/process.ts";
import { measureRound } from "../load/round.ts";
import { runRound } from "../load/wrk.ts";
import { UNCOUNTED } from "../metered/operations.ts";
import { call, makeLink, type MeteredServer } from "../metered/server.ts";
import { fillYear, NOW } from "../metered/year.ts";
import type { Row } from "../row.ts";

/** Full ones, as of a link that many follow: the quickest way to fill a ClickLog. */
const MESSAGES = { perMessage: 100, perDelivery: 100 };
/** Calls on their way at the same time. */
const AT_ONCE = 4;
/** In which summaries of busy days are made. */
const NIGHTS = 3;

function analytics(clicks: number): Row<MeteredServer> {
  const size = clicks.toLocaleString("en");
  return {
    name: `analytics-${clicks}`,
    title: `GET /api/links/:id/clicks: a year of ${size} clicks, unfiltered, asked before`,
    against: "bare",
    seconds: 2,
    async prepare(server) {
      const { accountId, key } = await createAccount(server.db);
      const { id: link } = await makeLink(server, key);
      await fillYear(server, { accountId, link }, clicks, MESSAGES);
      for (let night = 0; night < NIGHTS; night++) await server.control({ night: clickLogName(accountId, "") });
      await server.control({ now: NOW });
      const ask = () => call(server, key, "GET", `/api/links/${link}/clicks?interval=1y`);
      // Makes the summaries.
      await ask();
      const pid = findRuntime();
      return {
        row: (seconds) => measureRound(pid, () => repeat(ask, seconds)),
        reference: (seconds) =>
          runRound(pid, { address: server.bare, ask: { path: "/l1" }, headers: UNCOUNTED }, seconds),
      };
    },
  };
}

/** Calls for so long, and until the last is answered: wrk would leave those behind that are on their way. */
async function repeat(run: () => Promise<unknown>, seconds: number): Promise<{ operations: number }> {
  const end = performance.now() + seconds * 1_000;
  let operations = 0;
  const caller = async () => {
    while (performance.now() < end) {
      await run();
      operations++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  return { operations };
}

export const questions = [analytics(1_000), analytics(1_000_000)];
