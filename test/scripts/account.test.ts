import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { accountSql } from "../../scripts/account-sql.ts";
import { toMigrate, withLocalDatabase } from "../../scripts/local-database.ts";
import { listMigrations, migrate } from "../../scripts/migrations.ts";
import { PERMISSIONS } from "../../src/auth/permissions.ts";
import { generateKey, hashKey } from "../../src/auth/key.ts";
import { findCredential } from "../../src/auth/store.ts";
import { MAX_ACCOUNT_NAME_CHARS } from "../../src/limits.ts";
import { startCloudflare } from "./support/cloudflare.ts";
import { runScript, temporaryFolder } from "./support/command.ts";

const HOSTILE_NAMES = [
  `O'Brien "x"; --`,
  `'); DROP TABLE accounts; --`,
  "/* `$(id)` %PATH% \\' \\\\ ?1 :a @b $c */",
  "Zoë 株式会社 🦆",
  "' || (SELECT hash FROM api_keys) || '",
];

async function namesIn(database: D1Database) {
  const { results } = await database.prepare("SELECT name FROM accounts ORDER BY id").all<{ name: string }>();
  return results.map(({ name }) => name);
}

function keyIn(output: string): string {
  return /^API key: (svc_sk_live_[0-9a-f]{64})$/m.exec(output)?.[1] ?? "";
}

test("the SQL stores any name as it is, with a key that may do everything", () =>
  withLocalDatabase(temporaryFolder(), async (database) => {
    for (const name of HOSTILE_NAMES) {
      const key = generateKey();
      const sql = (await accountSql({ name, keyName: name, key }, 1_790_000_000_000)).join(";\n");
      await database.prepare(sql).run();
      expect(sql).not.toContain(key);
      expect((await findCredential(database, await hashKey(key)))?.permissions).toEqual(PERMISSIONS);
    }
    expect(await namesIn(database)).toEqual(HOSTILE_NAMES);
    const { results } = await database.prepare("SELECT name FROM api_keys ORDER BY account_id").all();
    expect(results.map(({ name }) => name)).toEqual(HOSTILE_NAMES);
  }));

test("create makes an account in a local database that was not there, and prints its key", async () => {
  const folder = join(temporaryFolder(), "state");
  const [name = ""] = HOSTILE_NAMES;
  const { exitCode, output, errors } = await runScript("account.ts", ["create", `  ${name} `, "--persist-to", folder]);
  expect([exitCode, errors]).toEqual([0, ""]);
  expect(output).toContain("cannot be shown again");
  await withLocalDatabase(folder, async (database) => {
    expect(await namesIn(database)).toEqual([name]);
    expect(await findCredential(database, await hashKey(keyIn(output)))).not.toBeNull();
  });
});

test("create --remote makes the account in the deployed database and sends only the key's hash", async () => {
  const cloudflare = await startCloudflare();
  onTestFinished(() => cloudflare.close());
  cloudflare.account.databases.set("tern", "id-of-tern");
  await migrate(toMigrate(cloudflare.account.data, "The database"), listMigrations());
  const [name = ""] = HOSTILE_NAMES;
  const { exitCode, output, errors } = await runScript(
    "account.ts",
    ["create", name, "--remote"],
    cloudflare.environment,
  );
  expect([exitCode, errors]).toEqual([0, ""]);
  expect(await namesIn(cloudflare.account.data)).toEqual([name]);
  expect(await findCredential(cloudflare.account.data, await hashKey(keyIn(output)))).not.toBeNull();
  expect(cloudflare.sql).toHaveLength(1);
  expect(cloudflare.sql.join()).not.toContain(keyIn(output).slice(-64));
});

test("create --remote shows no key where the service was never deployed", async () => {
  const cloudflare = await startCloudflare();
  onTestFinished(() => cloudflare.close());
  const { exitCode, output, errors } = await runScript(
    "account.ts",
    ["create", "Ann", "--remote"],
    cloudflare.environment,
  );
  expect(exitCode).toBe(1);
  expect(output).toBe("");
  expect(errors).toContain("npm run deploy");
});

test.each([
  ["nothing to do", [], "create NAME"],
  ["an unknown action", ["delete", "Ann"], "create NAME"],
  ["no name", ["create"], "create NAME"],
  ["an empty name", ["create", "  "], "must not be empty"],
  ["a long name", ["create", "x".repeat(MAX_ACCOUNT_NAME_CHARS + 1)], `at most ${MAX_ACCOUNT_NAME_CHARS} characters`],
  ["a name of two lines", ["create", "a\nb"], "control characters"],
  ["a name without quotes", ["create", "Ann", "Lee"], "quotes"],
  ["an unknown option", ["create", "Ann", "--local"], "--local"],
  ["two databases", ["create", "Ann", "--remote", "--persist-to", "x"], "exclude"],
])("%s is wrong usage", async (_, args, problem) => {
  const { exitCode, output, errors } = await runScript("account.ts", args);
  expect([exitCode, output]).toEqual([2, ""]);
  expect(errors.split("\n\n")[0]).toContain(problem);
  expect(errors).toContain("Usage: npm run account -- create NAME [--remote | --persist-to DIR]");
});
