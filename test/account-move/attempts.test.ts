import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { moveNextAccount } from "../../src/account-move/move.ts";
import { findLinkAnywhere } from "../../src/admin/find-anywhere.ts";
import { DAY_MS } from "../../src/duration.ts";
import type { Link } from "../../src/links/contract.ts";
import { expireDueLinks } from "../../src/links/store/expiry.ts";
import { newId } from "../../src/lib/uuid.ts";
import { trimExceededLogs } from "../../src/outbox/trim-delivery-log.ts";
import { findInDatabases } from "../../src/redirect/lookup/several-databases.ts";
import { linkQuery } from "../../src/redirect/lookup/store/links.ts";
import { dispatchDueWebhooks } from "../../src/webhooks/delivery/dispatch-due.ts";
import type { Webhook } from "../../src/webhooks/contract.ts";
import { BASE_URL, call, createAccount, createLink, jobContext, jsonOf } from "../support/api.ts";
import { interceptD1, statementsOf } from "../support/d1-client.ts";
import {
  createPlacedAccounts,
  databases,
  holdersOf,
  useDatabases,
  type PlacedAccount,
} from "../support/several-databases.ts";
import { askForMove, finishMove, isMoving, rowsOf, triggersOf } from "./support.ts";

let accounts: [PlacedAccount, PlacedAccount, PlacedAccount];

beforeEach(async () => {
  useDatabases();
  accounts = await createPlacedAccounts();
});

const url = "https://example.com/";
const contextIn = (number: number) => ({ ...jobContext(Date.now()), db: databases()[number] as D1Database });

/** Copies the account, but the run dies before it stops the writes. */
async function copyOnly(): Promise<void> {
  await interceptD1(
    async (sql, send) => {
      if (statementsOf(sql).some((each) => each.includes("SET stopped_by = ?2")))
        throw new Error("the isolate has died");
      return send();
    },
    () => expect(moveNextAccount(jobContext(Date.now()))).rejects.toThrow("has died"),
  );
}

async function changeTarget(accountId: number, target: number): Promise<void> {
  await env.DB.prepare("UPDATE account_moves SET target = ?2 WHERE account_id = ?1").bind(accountId, target).run();
}

it("does not prolong a stop whose run has died", async () => {
  const { accountId, key } = accounts[1];
  await createLink(key, { slug: "one" });
  await askForMove(accountId, 2);
  await copyOnly();
  await databases()[1].prepare("UPDATE departing_accounts SET stopped_by = 'dead'").run();
  expect((await call("POST", "/api/links", { key, body: { url } })).status).toBe(503);
  await copyOnly();
  expect((await call("POST", "/api/links", { key, body: { url } })).status).toBe(201);
});

it("copies nothing of an earlier attempt, and the operator can take a move back", async () => {
  const { accountId, key } = accounts[0];
  const deleted = await createLink(key, { slug: "deleted" });
  await createLink(key, { slug: "kept" });
  await askForMove(accountId, 1);
  await copyOnly();
  expect(await holdersOf("deleted")).toEqual([0, 1]);
  await changeTarget(accountId, 0);
  await moveNextAccount(jobContext(Date.now()));
  expect([await isMoving(), await triggersOf(0), await holdersOf("deleted")]).toEqual([false, 0, [0]]);
  expect(await env.DB.prepare("SELECT 1 FROM account_copies WHERE account_id = ?1").bind(accountId).first()).toBeNull();
  // Rows of an attempt that nobody took back, because the target had no binding for a time.
  await askForMove(accountId, 1);
  await copyOnly();
  await databases()[0].prepare("DELETE FROM departing_accounts").run();
  await call("DELETE", `/api/links/${deleted.id}`, { key });
  await env.DB.prepare("DELETE FROM deleted_links").run();
  await finishMove();
  expect([await holdersOf("deleted"), await holdersOf("kept")]).toEqual([[], [1]]);
});

it("uses the rows of an account only where it is", async () => {
  const { accountId, key } = accounts[1];
  const link = await createLink(key, { slug: "one", url: "https://example.com/old" });
  await askForMove(accountId, 0);
  await copyOnly();
  await call("PATCH", `/api/links/${link.id}`, { key, body: { url: "https://example.com/new" } });
  const cold = () =>
    findInDatabases<Link & { updated_at: number }>(
      env,
      { domain: "", slug: "one" },
      linkQuery(env, "", "one"),
      undefined,
    );
  expect(await cold()).toMatchObject({ url: "https://example.com/new", shard: 1 });
  expect((await findLinkAnywhere(env, link.id, BASE_URL))?.db).toBe(databases()[1]);
  await finishMove();
  expect(await cold()).toMatchObject({ url: "https://example.com/new", shard: 0 });
});

it("gives up no delivery in the target, and keeps none of a webhook that is deleted meanwhile", async () => {
  const { accountId, key } = accounts[1];
  const source = databases()[1];
  const ids: string[] = [];
  for (const path of ["a", "b"]) {
    const body = { url: `https://example.com/${path}`, events: ["link.create"] };
    const { webhook } = await jsonOf<{ webhook: Webhook }>(await call("POST", "/api/webhooks", { key, body }));
    await source
      .prepare(
        `INSERT INTO deliveries (event_id, webhook_id, type, status, due_at, created_at, body)
         VALUES (?1, ?2, 'link.create', 'pending', ?3, ?4, '{}')`,
      )
      .bind(newId(Date.now()), webhook.id, Date.now() + DAY_MS, Date.now())
      .run();
    ids.push(webhook.id);
  }
  await askForMove(accountId, 2);
  await copyOnly();
  await dispatchDueWebhooks(contextIn(2));
  expect((await call("DELETE", `/api/webhooks/${ids[1]}`, { key })).ok).toBe(true);
  await finishMove();
  await trimExceededLogs(contextIn(2));
  const { results } = await databases()[2].prepare("SELECT webhook_id, status FROM deliveries").all();
  expect(results).toEqual([{ webhook_id: ids[0], status: "pending" }]);
});

it("lets the cron's tasks go on in the former database", async () => {
  const other = await createAccount();
  const { accountId, key } = accounts[0];
  for (const each of [key, other.key])
    await createLink(each, { expiresAt: new Date(Date.now() + DAY_MS).toISOString() });
  await askForMove(accountId, 1);
  await moveNextAccount(jobContext(Date.now()));
  await expireDueLinks({ ...contextIn(0), now: Date.now() + 2 * DAY_MS });
  const { results } = await databases()[0].prepare("SELECT account_id, status FROM links ORDER BY account_id").all();
  expect(results).toEqual([
    { account_id: accountId, status: "active" },
    { account_id: other.accountId, status: "expired" },
  ]);
  await finishMove();
});

it("deletes no link of another account that has the same short URL in the target", async () => {
  const [{ accountId }, owner] = accounts;
  await createLink(owner.key);
  for (const [number, id] of [accountId, owner.accountId].entries())
    await (databases()[number] as D1Database)
      .prepare(
        `INSERT INTO links (seq, id, account_id, domain, slug, url, status, redirect_status, created_at, updated_at)
         VALUES (?1, ?2, ?3, 'links.example', 'same', 'https://example.com/', 'active', 302, 1, 1)`,
      )
      .bind(number + 1, newId(number + 1), id)
      .run();
  await askForMove(accountId, 1);
  await expect(moveNextAccount(jobContext(Date.now()))).rejects.toThrow("UNIQUE");
  await changeTarget(accountId, 0);
  await finishMove();
  expect([(await rowsOf(accountId, 0))["links"], (await rowsOf(owner.accountId, 1))["links"]]).toMatchObject([
    { length: 1 },
    { length: 2 },
  ]);
});
