import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { demoKey } from "../../scripts/demo-key.ts";
import { withLocalDatabase } from "../../scripts/local-database.ts";
import { hashKey } from "../../src/auth/key.ts";
import { findCredential } from "../../src/auth/store.ts";
import { MAX_ACTIVE_KEYS_PER_ACCOUNT } from "../../src/limits.ts";
import { temporaryFolder } from "./support/command.ts";

const NOW = 1_790_000_000_000;

async function withDatabase(use: (database: D1Database, file: string) => Promise<void>) {
  const folder = temporaryFolder();
  await withLocalDatabase(join(folder, "state"), (database) => use(database, join(folder, "key")));
}

async function accountOf(database: D1Database, key: string) {
  return (await findCredential(database, await hashKey(key)))?.accountId;
}

test("the key is kept in a file that only its owner can read, and asked for again it is the same", () =>
  withDatabase(async (database, file) => {
    const key = await demoKey(database, file, NOW);
    expect(readFileSync(file, "utf8")).toBe(`${key}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await demoKey(database, file, NOW)).toBe(key);
    expect(await database.prepare("SELECT count(*) AS n FROM accounts").first("n")).toBe(1);
  }));

test.each(["revoked_at", "expires_at"])("a key past its %s is replaced by a new one of the same account", (column) =>
  withDatabase(async (database, file) => {
    const old = await demoKey(database, file, NOW);
    await database.prepare(`UPDATE api_keys SET ${column} = ?1`).bind(NOW).run();
    const key = await demoKey(database, file, NOW);
    expect(key).not.toBe(old);
    expect(await accountOf(database, key)).toBe(await accountOf(database, old));
    expect(readFileSync(file, "utf8")).toBe(`${key}\n`);
    expect(await demoKey(database, file, NOW)).toBe(key);
  }),
);

test("where the account has all the keys it may have, the new key gets a new account", () =>
  withDatabase(async (database, file) => {
    const old = await demoKey(database, file, NOW);
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
    const key = await demoKey(database, file, NOW);
    expect(await accountOf(database, key)).toBeTypeOf("number");
    expect(await accountOf(database, key)).not.toBe(await accountOf(database, old));
  }));

test("a file that holds no key is written anew", () =>
  withDatabase(async (database, file) => {
    writeFileSync(file, "not a key", { mode: 0o644 });
    const key = await demoKey(database, file, NOW);
    expect(readFileSync(file, "utf8")).toBe(`${key}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }));
