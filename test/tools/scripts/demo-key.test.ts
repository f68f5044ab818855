import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { demoKey } from "../../../tools/scripts/demo-key.ts";
import { hashKey } from "../../../src/platform/auth/key.ts";
import { findCredential } from "../../../src/platform/auth/store/keys.ts";
import { MAX_ACTIVE_KEYS_PER_ACCOUNT } from "../../../src/limits.ts";
import { temporaryFolder } from "./support/command.ts";
import { newDatabase } from "./support/database.ts";

const NOW = 1_790_000_000_000;

let database: D1Database;
let file: string;
beforeEach(async () => {
  database = await newDatabase();
  file = join(temporaryFolder(), "key");
});

const readKey = () => demoKey(database, file, NOW);

async function accountOf(key: string) {
  return (await findCredential(database, await hashKey(key)))?.accountId;
}

test("the key is kept in a file that only its owner can read, and is the same the next time", async () => {
  const key = await readKey();
  expect(readFileSync(file, "utf8")).toBe(`${key}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await readKey()).toBe(key);
  expect(await database.prepare("SELECT count(*) AS n FROM accounts").first("n")).toBe(1);
});

test.each(["revoked_at", "expires_at"])(
  "a key past its %s is replaced by a new one of the same account",
  async (column) => {
    const old = await readKey();
    await database.prepare(`UPDATE api_keys SET ${column} = ?1`).bind(NOW).run();
    const key = await readKey();
    expect(key).not.toBe(old);
    expect(await accountOf(key)).toBe(await accountOf(old));
    expect(readFileSync(file, "utf8")).toBe(`${key}\n`);
    expect(await readKey()).toBe(key);
  },
);

test("the new key gets a new account if the old account has the maximum number of keys", async () => {
  const old = await readKey();
  await database.prepare("UPDATE api_keys SET revoked_at = ?1").bind(NOW).run();
  for (let n = 0; n < MAX_ACTIVE_KEYS_PER_ACCOUNT; n++) {
    await database
      .prepare(
        `INSERT INTO api_keys (id, account_id, name, hash, last_four, permissions, created_at)
         SELECT ?1, id, 'other', ?1, '0000', '[]', 0 FROM accounts`,
      )
      .bind(String(n))
      .run();
  }
  const key = await readKey();
  expect(await accountOf(key)).toBeTypeOf("number");
  expect(await accountOf(key)).not.toBe(await accountOf(old));
});

test("a file without a valid key is overwritten", async () => {
  writeFileSync(file, "not a key", { mode: 0o644 });
  const key = await readKey();
  expect(readFileSync(file, "utf8")).toBe(`${key}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
