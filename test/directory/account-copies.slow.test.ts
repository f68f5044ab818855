import { beforeAll, beforeEach, expect, it } from "vitest";
import { copyAccount, findDueCopies } from "../../src/database/account-copies.ts";
import { databaseOf } from "../../src/database/databases.ts";
import { newDatabase } from "../scripts/support/database.ts";
import { insertAccount } from "../support/accounts.ts";

let core: D1Database;
let shard: D1Database;

beforeAll(async () => {
  [core, shard] = await Promise.all([newDatabase(), newDatabase()]);
});

beforeEach(async () => {
  for (const db of [core, shard])
    await db.batch(
      ["account_usage", "accounts", "account_copies", "account_ranges"].map((table) =>
        db.prepare(`DELETE FROM ${table}`),
      ),
    );
  await core.prepare("INSERT INTO account_ranges VALUES (10, 1, 1)").run();
});

function find(accountId: number): D1Database | Promise<D1Database> {
  return databaseOf({ DB: core, DB_2: shard } as unknown as Env, accountId);
}

async function copyOf(accountId: number): Promise<Record<string, unknown> | null> {
  return shard
    .prepare(
      `SELECT name, deleted_at, max_links FROM accounts a CROSS JOIN account_usage u ON u.account_id = a.id WHERE a.id = ?1`,
    )
    .bind(accountId)
    .first();
}

it("is made for the first work for an account of another database, and for none of the core", async () => {
  for (const id of [9, 10]) await insertAccount(core, id);
  expect(await findDueCopies(core, 10)).toEqual([10]);
  expect([await find(9), await find(10)]).toEqual([core, shard]);
  expect([await copyOf(9), await copyOf(10)]).toEqual([null, { name: "test", deleted_at: null, max_links: null }]);
  expect(await findDueCopies(core, 10)).toEqual([]);
});

it("is due again after each change of the account or of its quotas, whoever makes it", async () => {
  await insertAccount(core, 10);
  await find(10);
  const changes = [
    "UPDATE accounts SET name = 'Acme'",
    "UPDATE accounts SET deleted_at = 5",
    "UPDATE account_usage SET max_links = 7",
  ];
  for (const change of changes) {
    await core.prepare(change).run();
    expect(await findDueCopies(core, 10)).toEqual([10]);
    await find(10);
    expect(await findDueCopies(core, 10)).toEqual([]);
  }
  expect(await copyOf(10)).toEqual({ name: "Acme", deleted_at: 5, max_links: 7 });
  await core.prepare("UPDATE account_usage SET links = 3, link_bytes = 100").run();
  expect(await findDueCopies(core, 10)).toEqual([]);
});

it("is not replaced by an older one, and stays due if the account changed while it was copied", async () => {
  await insertAccount(core, 10);
  let change: string | null = "UPDATE accounts SET name = 'newer'";
  // The account is changed, and copied, after it was read and before the copy is written.
  const late = {
    prepare: (sql: string) => shard.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      if (change !== null) {
        await core.prepare(change).run();
        change = null;
        await copyAccount(core, shard, 10);
      }
      return shard.batch(statements);
    },
  } as unknown as D1Database;
  await copyAccount(core, late, 10);
  expect(await copyOf(10)).toMatchObject({ name: "newer" });
  expect(await findDueCopies(core, 10)).toEqual([]);
  change = "UPDATE accounts SET name = 'newest'";
  const slow = {
    prepare: (sql: string) => shard.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      await core.prepare(change as string).run();
      return shard.batch(statements);
    },
  } as unknown as D1Database;
  await core.prepare("UPDATE accounts SET name = 'old'").run();
  await copyAccount(core, slow, 10);
  expect(await copyOf(10)).toMatchObject({ name: "old" });
  expect(await findDueCopies(core, 10)).toEqual([10]);
});
