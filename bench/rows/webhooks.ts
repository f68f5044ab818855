import { setTimeout as sleep } from "node:timers/promises";
import { MAX_BULK_LINKS } from "../../src/limits.ts";
import { createAccount } from "../../test/e2e/support/accounts.ts";
import { exchange } from "../../test/e2e/support/http.ts";
import { insertManyLinks } from "../../test/support/many-links.ts";
import { measureRound } from "../load/round.ts";
import { runRound } from "../load/wrk.ts";
import { UNCOUNTED } from "../metered/operations.ts";
import type { Row } from "../row.ts";
import { askReceiver, HOOKS, HOST } from "../runtime.ts";
import type { Server } from "../server.ts";

const WEBHOOKS = 4;
const PATIENCE_MS = 60_000;
const POLL_MS = 10;

/** A customer with links and webhooks; the function changes all links at once, which owes each webhook an event for each. */
async function makeCustomer({ db, addresses }: Server): Promise<(title: string) => Promise<void>> {
  const { accountId, key } = await createAccount(db);
  await insertManyLinks(db, accountId, MAX_BULK_LINKS);
  const found = await db.prepare("SELECT id FROM links WHERE account_id = ?1").bind(accountId).all<{ id: string }>();
  const ids = found.results.map(({ id }) => id);
  const headers = { Host: HOST, Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const call = async (method: string, path: string, body: object) => {
    const answer = await exchange({ address: addresses.service, method, path, headers, body: JSON.stringify(body) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  };
  for (let n = 1; n <= WEBHOOKS; n++)
    await call("POST", "/api/webhooks", { url: `${HOOKS}/${n}`, events: ["link.update"] });
  return (title) => call("PATCH", "/api/links/bulk", { ids, changes: { title } });
}

export const webhooks: Row<Server> = {
  name: "webhooks",
  title: `a hundred links changed at once, once for each second of the round, until the last of ${WEBHOOKS} webhooks has the last event`,
  unit: "deliveries",
  against: "bare",
  seconds: 2,
  async prepare(server) {
    const { pid, runtime, addresses } = server;
    const changeAll = await makeCustomer(server);
    let changes = 0;
    return {
      row: (seconds) =>
        measureRound(pid, async () => {
          const before = await askReceiver(runtime);
          const operations = seconds * MAX_BULK_LINKS * WEBHOOKS;
          for (let change = 0; change < seconds; change++) await changeAll(`change ${changes++}`);
          const deadline = performance.now() + PATIENCE_MS;
          while ((await askReceiver(runtime)).delivered < before.delivered + operations) {
            if (performance.now() > deadline) throw new Error("not every event was delivered");
            await sleep(POLL_MS);
          }
          const { delivered, signed } = await askReceiver(runtime);
          if (signed < delivered) throw new Error("not every delivery was signed");
          return { operations };
        }),
      reference: (seconds) =>
        runRound(pid, { address: addresses.bare, ask: { path: "/l1" }, headers: UNCOUNTED }, seconds),
    };
  },
};
