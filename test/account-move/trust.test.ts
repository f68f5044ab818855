import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { checkNextTrust } from "../../src/account/trust.ts";
import { UNTRUSTED_VERDICT } from "../../src/safety/verdict.ts";
import { createLink, jobContext } from "../support/api.ts";
import { createPlacedAccounts, databases, useDatabases, type PlacedAccount } from "../support/several-databases.ts";
import { askForMove, flip } from "./support.ts";

let moving: PlacedAccount;
let staying: PlacedAccount;
let movingLink: string;

beforeEach(async () => {
  useDatabases();
  [staying, moving] = await createPlacedAccounts();
  movingLink = (await createLink(moving.key, { url: "https://shop.dev/" })).id;
  await databases()[1].prepare("UPDATE links SET verdict = ?1").bind(UNTRUSTED_VERDICT).run();
  // The operator trusts both. The one that is moving is due first.
  await env.DB.prepare("UPDATE accounts SET trust_at = 0 WHERE id IN (?1, ?2)")
    .bind(moving.accountId, staying.accountId)
    .run();
});

const check = () => checkNextTrust(jobContext(Date.now()));

async function isTrusted({ accountId }: PlacedAccount): Promise<boolean> {
  const found = env.DB.prepare("SELECT trust_at IS NULL AS yes FROM accounts WHERE id = ?1").bind(accountId);
  return (await found.first<number>("yes")) === 1;
}

it("trusts others while an account is being moved, and this one once it is in the other database", async () => {
  await askForMove(moving.accountId, 2);
  await databases()[1]
    .prepare("INSERT INTO departing_accounts VALUES (?1, 'w', 0, 'run', NULL)")
    .bind(moving.accountId)
    .run();
  expect([await check(), await check()]).toEqual([1, 0]);
  expect([await isTrusted(staying), await isTrusted(moving)]).toEqual([true, false]);
  await databases()[1].prepare("DELETE FROM departing_accounts").run();
  await flip();
  expect(await check()).toBe(1);
  expect(await isTrusted(moving)).toBe(true);
  const verdict = databases()[2].prepare("SELECT verdict FROM links WHERE id = ?1").bind(movingLink);
  expect(await verdict.first("verdict")).toBe(0);
});
