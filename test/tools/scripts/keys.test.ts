import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { insertAccount } from "../../../tools/scripts/account-sql.ts";
import { reportKeys } from "../../../tools/scripts/keys.ts";
import { withLocalDatabase } from "../../../tools/scripts/local-database.ts";
import { generateKey } from "../../../src/platform/auth/key.ts";
import { generateEncryptionKey, seal } from "../../../src/platform/lib/encryption.ts";
import { hashPassword } from "../../../src/platform/lib/password.ts";
import { runScript, temporaryFolder } from "./support/command.ts";
import { newDatabase } from "./support/database.ts";
import { FakeWrangler } from "./support/fake-wrangler.ts";

const DAY = 86_400_000;
const OLD = generateEncryptionKey("old");
const NEW = generateEncryptionKey("new-2026");

/** Under the old key: a password, a deleted link's password, a webhook, the token of a shared page and an authenticator app. Under the new one: two passwords and a webhook. */
async function fill(database: D1Database): Promise<void> {
  const hashes = await Promise.all([OLD, NEW, OLD].map((key, n) => hashPassword(key, `link ${n}`, "tern in the wind")));
  const secrets = await Promise.all([OLD, NEW, OLD, OLD].map((key, n) => seal(key, "secret", `webhook ${n}`)));
  const [first, second, deleted] = hashes;
  const link = (seq: number, hash: string | null | undefined) =>
    database
      .prepare(
        `INSERT INTO links (seq, id, domain, slug, url, status, redirect_status, password_hash, created_at, updated_at)
         VALUES (?1, 'link ' || ?1, '', 's' || ?1, 'https://example.com/', 'active', 302, ?2, 1, 1)`,
      )
      .bind(seq, hash);
  const webhook = (id: number, secret?: string, former?: string, until?: number) =>
    database
      .prepare(
        `INSERT INTO webhooks (id, account_id, url, host, events, status, secret, secret_start, old_secrets, created_at)
         VALUES (?1, 1, 'https://hooks.example.com/', 'hooks.example.com', '[]', 'active', ?2, 'whsec_ab', ?3, 1)`,
      )
      .bind(`webhook ${id}`, secret, JSON.stringify(former === undefined ? [] : [{ secret: former, until }]));
  await insertAccount(database, { name: "Ann", keyName: "First key", key: generateKey() }, 1);
  await database.batch([
    link(1, first),
    link(2, second),
    link(3, null),
    database
      .prepare(
        "INSERT INTO deleted_links VALUES (4, 'link 4', 1, 1, json_object('slug', 's4', 'domain', '', 'password_hash', ?1))",
      )
      .bind(deleted),
    // Its password has moved to the new key, its token has not.
    database
      .prepare(
        "INSERT INTO shared_pages VALUES ('page', 1, NULL, NULL, 'sale', 'sale', NULL, '', ?1, ?2, NULL, 0, 1, 1, NULL, NULL)",
      )
      .bind(secrets[0], second),
    database.prepare("INSERT INTO users VALUES ('ann', '', '', 'Ann', NULL, 1, '', NULL, NULL)"),
    database.prepare("INSERT INTO totp_factors VALUES ('ann', ?1, 1, 1, 1, NULL)").bind(secrets[0]),
    webhook(1, secrets[0]),
    // The former secret of one is still used, that of the other is not.
    webhook(2, secrets[1], secrets[2], Date.now() + DAY),
    webhook(3, secrets[1], secrets[3], Date.now() - DAY),
  ]);
}

const REPORT = `key       passwords  webhook secrets  shared pages  authenticator apps
new-2026          2                2             0                   0
old               2                2             1                   1
Nothing is stored under a key that is not listed.
`;

test("counts what is stored under each key in a local database", async () => {
  const folder = join(temporaryFolder(), "state");
  await withLocalDatabase(folder, fill);
  const { exitCode, output, errors } = await runScript("keys.ts", ["--persist-to", folder]);
  expect([exitCode, errors, output]).toEqual([0, `Local database in ${folder}\n`, REPORT]);
});

test("--remote counts in the deployed database and sends one query", async () => {
  const account = new FakeWrangler(await newDatabase());
  account.databases.add("tern");
  await fill(account.data);
  const log = vi.spyOn(console, "log").mockReturnValue();
  await reportKeys(["--remote", "--env", "staging"], account.run);
  const output = log.mock.calls.join("\n");
  log.mockRestore();
  expect([`${output}\n`, account.sql.length]).toEqual([REPORT, 1]);
});

test.each([
  ["an unknown option", ["--local"], "--local"],
  ["a name", ["k1"], "k1"],
  ["two databases", ["--remote", "--persist-to", "x"], "cannot be combined"],
])("%s is wrong usage", async (_, args, problem) => {
  const failure = (await reportKeys(args).catch((error: unknown) => error)) as Error & { exitCode: number };
  expect(failure.exitCode).toBe(2);
  expect(failure.message.split("\n\n")[0]).toContain(problem);
  expect(failure.message).toContain("Usage: npm run keys -- [--remote | --persist-to DIR] [--env NAME]");
});
