import { beforeAll, beforeEach, expect, it } from "vitest";
import { databaseOf, databasesOf } from "../../src/database/databases.ts";
import { newDatabase } from "../scripts/support/database.ts";

let core: D1Database;
let [second, third]: D1Database[] = [];

beforeAll(async () => {
  [core, second, third] = await Promise.all([newDatabase(), newDatabase(), newDatabase()]);
});

beforeEach(() => core.batch(["account_ranges", "moved_accounts"].map((table) => core.prepare(`DELETE FROM ${table}`))));

function environment(bindings: Record<string, D1Database | undefined>): Env {
  return { DB: core, ...bindings } as unknown as Env;
}

async function place(table: "account_ranges" | "moved_accounts", account: number, database: number): Promise<void> {
  const columns = table === "account_ranges" ? "first_account_id, database" : "account_id, database";
  await core.prepare(`INSERT INTO ${table} (${columns}) VALUES (?1, ?2)`).bind(account, database).run();
}

it("is the only one, without a read, where there is one", async () => {
  // A read of this table would fail.
  const broken = { DB: {} as D1Database } as unknown as Env;
  expect(databaseOf(broken, 1)).toBe(broken.DB);
  expect(databasesOf(environment({}))).toEqual([core]);
});

it("counts the bindings up to the first that is missing", () => {
  expect(databasesOf(environment({ DB_2: second, DB_3: third }))).toEqual([core, second, third]);
  expect(databasesOf(environment({ DB_3: third }))).toEqual([core]);
});

it("is that of the range of an account's number, unless the account was moved", async () => {
  await place("account_ranges", 100, 1);
  await place("account_ranges", 200, 2);
  await place("moved_accounts", 150, 2);
  await place("moved_accounts", 250, 0);
  const env = environment({ DB_2: second, DB_3: third });
  const databases = await Promise.all(
    [1, 99, 100, 149, 150, 151, 199, 200, 250, 999].map(async (id) => databaseOf(env, id)),
  );
  const numbers = databases.map((database) => [core, second, third].indexOf(database));
  expect(numbers).toEqual([0, 0, 1, 1, 2, 1, 1, 2, 0, 2]);
});

it("deals the accounts of a range to several databases in turn", async () => {
  await core.prepare("INSERT INTO account_ranges VALUES (10, 1, 2)").run();
  const env = environment({ DB_2: second, DB_3: third });
  const databases = await Promise.all([9, 10, 11, 12, 13].map(async (id) => databaseOf(env, id)));
  expect(databases.map((database) => [core, second, third].indexOf(database))).toEqual([0, 1, 2, 1, 2]);
});

it("is the core while no range begins, and for no account", async () => {
  const env = environment({ DB_2: second });
  expect([await databaseOf(env, 7), await databaseOf(env, null)]).toEqual([core, core]);
});

it("is never another one if the binding of an account's database is missing", async () => {
  await place("account_ranges", 1, 2);
  await expect(databaseOf(environment({ DB_2: second }), 1)).rejects.toThrow("database 2, which has no binding");
});
