import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { updateAccountRange } from "#src/directory/account-range.ts";
import { ACCOUNT_RANGE_INTERVAL_MS } from "#src/directory/limits.ts";
import { createAccount } from "../support/api.ts";
import { createPlacedAccounts, databases, placedEnv, runPlacedCron } from "../support/several-databases.ts";

const sizes: number[] = [];

beforeEach(async () => {
  await createPlacedAccounts();
  sizes.length = 0;
  for (const db of databases()) sizes.push((await db.prepare("SELECT 1").run()).meta.size_after);
});

/** The ranges that were added, as text. */
async function ranges(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT first_account_id || ': ' || database || ' ' || spread AS range FROM account_ranges ORDER BY first_account_id",
  ).all<{ range: string }>();
  return results.map(({ range }) => range);
}

/** Makes the database larger than the others. */
async function fill(number: 0 | 1 | 2, bytes: number): Promise<number> {
  const db = databases()[number];
  await db.prepare("CREATE TABLE IF NOT EXISTS filler (value BLOB)").run();
  await db.prepare("INSERT INTO filler VALUES (zeroblob(?1))").bind(bytes).run();
  return (await db.prepare("SELECT 1").run()).meta.size_after;
}

it("lets new accounts go to the longest run of databases under the limit, from the next account on", async () => {
  const limit = Math.max(...sizes) + 100_000;
  expect(await updateAccountRange(placedEnv(), limit)).toBe(0);
  await fill(0, 200_000);
  expect(await updateAccountRange(placedEnv(), limit)).toBe(1);
  expect(await ranges()).toEqual(["1: 0 3", "4: 1 2"]);
  expect(await updateAccountRange(placedEnv(), limit)).toBe(0);
  const { accountId } = await createAccount();
  await fill(1, 200_000);
  expect(await updateAccountRange(placedEnv(), limit)).toBe(1);
  expect(await ranges()).toEqual(["1: 0 3", "4: 1 2", `${accountId + 1}: 2 1`]);
});

it("takes the smallest database if none is under the limit, and none that does not respond", async () => {
  await fill(0, 400_000);
  await fill(2, 100_000);
  const failing = { prepare: () => ({ run: () => Promise.reject(new Error("down")) }) } as unknown as D1Database;
  expect(await updateAccountRange({ ...placedEnv(), DB_2: failing } as Env, 1)).toBe(1);
  expect((await ranges()).at(-1)).toBe("4: 2 1");
});

it("is checked by the cron once an hour, and goes to no database that no deployment has opened", async () => {
  await env.DB.prepare("UPDATE account_ranges SET spread = 1").run();
  await env.DB.prepare("INSERT INTO account_ranges (first_account_id, database, spread) VALUES (2, 1, 1)").run();
  const hour = Math.ceil(Date.now() / ACCOUNT_RANGE_INTERVAL_MS) * ACCOUNT_RANGE_INTERVAL_MS;
  await runPlacedCron(hour - 1);
  expect(await ranges()).toEqual(["1: 0 1", "2: 1 1"]);
  await runPlacedCron(hour);
  expect(await ranges()).toEqual(["1: 0 1", "2: 1 1", "4: 0 2"]);
});
