import { setTimeout as sleep } from "node:timers/promises";
import { createAccount } from "../../../test/e2e/support/accounts.ts";
import { exchange } from "../../../test/e2e/support/http.ts";
import { insertManyLinks } from "../../../test/support/many-links.ts";
import { UNCOUNTED } from "../instrumented/server.ts";
import { measureRound } from "../load/round.ts";
import { runRound } from "../load/wrk.ts";
import type { Row } from "../row.ts";
import { HOOKS, HOST, INTERNET } from "../runtime.ts";
import type { Server } from "../server.ts";
import { MAX_BULK_LINKS } from "../../../src/links/limits.ts";

const WEBHOOKS = 4;
const TIMEOUT_MS = 60_000;
const POLL_MS = 10;

/** Creates an account with links and webhooks. The returned function changes all links: an event per link for each webhook. */
async function createSubscriber({ db, addresses }: Server): Promise<(title: string) => Promise<void>> {
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

/** What receiver.js has received so far. */
async function readReceiver({ runtime }: Server): Promise<{ delivered: number; signed: number }> {
  const answer = await fetch(await runtime.addressOf(INTERNET));
  return (await answer.json()) as { delivered: number; signed: number };
}

export const webhooks: Row<Server> = {
  name: "webhooks",
  title: `one bulk change of 100 links per second of the round, until all ${WEBHOOKS} webhooks have all events`,
  unit: "deliveries",
  against: "bare",
  seconds: 2,
  async prepare(server) {
    const { pid, addresses } = server;
    const changeAll = await createSubscriber(server);
    let changes = 0;
    const deliver = async (seconds: number) => {
      const { delivered: before } = await readReceiver(server);
      const operations = seconds * MAX_BULK_LINKS * WEBHOOKS;
      for (let change = 0; change < seconds; change++) await changeAll(`change ${changes++}`);
      const deadline = performance.now() + TIMEOUT_MS;
      let received = await readReceiver(server);
      for (; received.delivered < before + operations; received = await readReceiver(server)) {
        if (performance.now() > deadline) throw new Error("not every event was delivered");
        await sleep(POLL_MS);
      }
      if (received.signed < received.delivered) throw new Error("not every delivery was signed");
      return { operations };
    };
    const bare = { address: addresses.bare, ask: { path: "/l1" }, headers: UNCOUNTED };
    return {
      row: (seconds) => measureRound(pid, () => deliver(seconds)),
      reference: (seconds) => runRound(pid, bare, seconds),
    };
  },
};
