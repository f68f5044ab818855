import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { accountSql } from "../../../tools/scripts/account-sql.ts";
import { manageAccount } from "../../../tools/scripts/account.ts";
import { demoPerson } from "../../../tools/scripts/demo-person.ts";
import { withLocalDatabase } from "../../../tools/scripts/local-database.ts";
import { generateKey, hashKey } from "../../../src/platform/auth/key.ts";
import { PERMISSIONS } from "../../../src/platform/auth/permissions.ts";
import { findCredential } from "../../../src/platform/auth/store/keys.ts";
import { hashToken } from "../../../src/platform/lib/token.ts";
import { MAX_ACCOUNT_NAME_CHARS } from "../../../src/limits.ts";
import { remoteAccounts } from "./support/account-command.ts";
import { runScript, temporaryFolder } from "./support/command.ts";
import { emptyDatabase, newDatabase } from "./support/database.ts";
import { FakeWrangler } from "./support/fake-wrangler.ts";

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

test("the SQL stores any name unchanged, with a key that has all permissions", async () => {
  const database = await newDatabase();
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
});

test("create makes an account in a new local database and prints its key", async () => {
  const folder = join(temporaryFolder(), "state");
  const [name = ""] = HOSTILE_NAMES;
  const { exitCode, output, errors } = await runScript("account.ts", ["create", `  ${name} `, "--persist-to", folder]);
  expect([exitCode, errors]).toEqual([0, `Local database in ${folder}\n`]);
  expect(output).toContain("cannot be shown again");
  await withLocalDatabase(folder, async (database) => {
    expect(await namesIn(database)).toEqual([name]);
    expect(await findCredential(database, await hashKey(keyIn(output)))).not.toBeNull();
  });
});

test("create --remote makes the account in the deployed database and sends only the hash of the key", async () => {
  const account = new FakeWrangler(await newDatabase());
  account.databases.add("tern");
  const log = vi.spyOn(console, "log").mockReturnValue();
  const [name = ""] = HOSTILE_NAMES;
  const commands: (readonly string[])[] = [];
  await manageAccount(["create", name, "--remote", "--env", "staging"], (args, stdio) => {
    commands.push(args);
    return account.run(args, stdio);
  });
  expect(commands).toEqual([expect.arrayContaining(["d1", "execute", "DB", "--remote", "--env=staging"])]);
  const output = log.mock.calls.join("\n");
  log.mockRestore();
  expect(await namesIn(account.data)).toEqual([name]);
  expect(await findCredential(account.data, await hashKey(keyIn(output)))).not.toBeNull();
  expect(account.sql).toHaveLength(1);
  expect(account.sql.join()).not.toContain(keyIn(output).slice(-64));
});

test("create --remote shows no key if the service was never deployed", async () => {
  const log = vi.spyOn(console, "log").mockReturnValue();
  const { run } = new FakeWrangler(await emptyDatabase());
  await expect(manageAccount(["create", "Ann", "--remote"], run)).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringContaining("npm run deploy"),
  });
  expect(log).not.toHaveBeenCalled();
  log.mockRestore();
});

test("quota sets the quotas of one account, by its name or its id, and shows what is used", async () => {
  const account = new FakeWrangler(await newDatabase());
  account.databases.add("tern");
  const log = vi.spyOn(console, "log").mockReturnValue();
  const [name = ""] = HOSTILE_NAMES;
  for (const created of [name, "Ann", "Ann"]) await manageAccount(["create", created, "--remote"], account.run);
  const setQuota = async (...args: string[]) => {
    log.mockClear();
    await manageAccount(["quota", ...args, "--remote"], account.run);
    return log.mock.calls.join("\n");
  };
  expect(await setQuota(name)).toContain("links: 0 of 1000000 (default)\n  bytes of links: 0 of 1073741824 (default)");
  expect(await setQuota(name, "--links", "5", "--link-bytes", "0")).toContain(
    "links: 0 of 5\n  bytes of links: 0 of 0",
  );
  expect(await setQuota(name, "--links", "default")).toContain("0 of 1000000 (default)\n  bytes of links: 0 of 0");
  const refusal = (await setQuota("Ann", "--links", "1").catch((error: unknown) => error)) as Error;
  const [, id = ""] = /2 accounts have the name Ann.*\n {2}(\S+)\n/.exec(refusal.message) ?? [];
  expect(await setQuota(id, "--links", "7")).toContain(`Account "Ann" (${id})\n  links: 0 of 7`);
  await expect(setQuota("Bob")).rejects.toThrow("There is no account with the name, the id or the address Bob.");
  log.mockRestore();
  const { results } = await account.data.prepare("SELECT max_links, max_link_bytes FROM account_usage").all();
  expect(results).toEqual([
    { max_links: null, max_link_bytes: 0 },
    { max_links: 7, max_link_bytes: null },
    { max_links: null, max_link_bytes: null },
  ]);
});

test.each([
  ["no action", [], "create NAME"],
  ["an unknown action", ["delete", "Ann"], "create NAME"],
  ["no name", ["create"], "create NAME"],
  ["an empty name", ["create", "  "], "must not be empty"],
  ["a long name", ["create", "x".repeat(MAX_ACCOUNT_NAME_CHARS + 1)], `at most ${MAX_ACCOUNT_NAME_CHARS} characters`],
  ["a name of two lines", ["create", "a\nb"], "line breaks"],
  ["a name without quotes", ["create", "Ann", "Lee"], "quotes"],
  ["an owner that is no address", ["create", "Ann", "--owner", "ann"], "must be an e-mail address"],
  ["an owner of a list", ["list", "--owner", "ann@example.com"], "only for create"],
  ["an invitation of nobody", ["invite", "Acme"], "invite ACCOUNT ADDRESS"],
  ["an invited person without an address", ["invite", "Acme", "ann"], "must be an e-mail address"],
  ["no address", ["end-sessions"], "end-sessions ADDRESS"],
  ["all persons and one of them", ["end-sessions", "ann@example.com", "--all"], "without an ADDRESS"],
  ["all persons of another action", ["reset-factors", "--all"], "--all is only for end-sessions"],
  ["no address of a reset", ["reset-factors"], "reset-factors ADDRESS"],
  ["no account", ["disable"], "disable ACCOUNT"],
  ["a quota that is no number", ["quota", "Ann", "--links", "many"], "whole number"],
  ["a quota that is too large", ["quota", "Ann", "--link-bytes", "9".repeat(17)], "whole number"],
  ["a new account with quotas", ["create", "Ann", "--links", "1"], "no quotas"],
  ["a factor without --per-key", ["limits", "Ann", "--factor", "2"], "--factor needs --per-key"],
  ["a factor of zero", ["limits", "Ann", "--per-key", "--factor", "0"], "from 1 to 100"],
  ["a factor that is too large", ["limits", "Ann", "--per-key", "--factor", "101"], "from 1 to 100"],
  ["limits by key and by address", ["limits", "Ann", "--per-key", "--per-address"], "Choose one"],
  ["a quota with limits by key", ["quota", "Ann", "--per-key"], "takes no limits"],
  ["an unknown option", ["create", "Ann", "--local"], "--local"],
  ["two databases", ["create", "Ann", "--remote", "--persist-to", "x"], "cannot be combined"],
])("%s is wrong usage", async (_, args, problem) => {
  const failure = (await manageAccount(args).catch((error: unknown) => error)) as Error & { exitCode: number };
  expect(failure.exitCode).toBe(2);
  expect(failure.message.split("\n\n")[0]).toContain(problem);
  expect(failure.message).toContain(
    "Usage: npm run account -- create NAME [--owner ADDRESS] [--remote | --persist-to DIR] [--env NAME]",
  );
});

test("create --owner invites the owner, list shows owners, and end-sessions ends those of one person or of all", async () => {
  const { database, manage: run } = await remoteAccounts();
  // Without MAIL_FROM, a public service sends no mails.
  const created = await run("create", "Acme", "--owner", "Ann@example.com");
  const [, token = ""] =
    /Ann@example\.com.*\n {2}<URL of the service>\/app\/invitation#token=([\w-]{43})\n/.exec(created) ?? [];
  const invitation = await database.prepare("SELECT email_key, role, token_hash, account_id FROM invitations").first();
  const tokenHash = await hashToken(token);
  expect(invitation).toEqual({ email_key: "ann@example.com", role: "owner", token_hash: tokenHash, account_id: 1 });
  const { email } = await demoPerson(database, 1, 1_790_000_000_000);
  expect(email).toBe("demo@example.com");
  await demoPerson(database, 1, 1_790_000_000_000);
  expect(await database.prepare("SELECT count(*) AS n FROM tokens").first("n")).toBe(1);
  const addSessions = () =>
    database
      .prepare(
        `INSERT INTO sessions SELECT value, value, (SELECT id FROM users), 0, 0, 0, '', '', '', NULL, NULL, NULL, NULL
         FROM json_each('["a","b"]')`,
      )
      .run();
  await addSessions();
  expect(await run("list")).toMatch(
    /^[\w-]{36} {2}\d{4}-\d\d-\d\d {2}1 key {2}"Acme" {2}demo@example\.com\n1 account$/,
  );
  expect(await run("disable", "Acme")).toContain('Disabled the account "Acme"');
  expect(await run("list")).toMatch(/ {2}disabled\n/);
  expect(await database.prepare("SELECT count(*) AS n FROM sessions").first("n")).toBe(0);
  await database
    .prepare(
      "INSERT INTO sessions SELECT id, id, id, 0, 0, 0, '', '', '', NULL, NULL, NULL, NULL FROM users UNION ALL SELECT 'b', 'b', id, 0, 0, 0, '', '', '', NULL, NULL, NULL, NULL FROM users",
    )
    .run();
  expect(await run("enable", "DEMO@example.com")).toContain('Enabled the account "Acme"');
  expect(await run("list")).not.toContain("disabled");
  await expect(run("disable", "other@example.com")).rejects.toThrow("There is no account");
  expect(await run("end-sessions", "other@example.com")).toContain("Ended 0 sessions");
  expect(await run("end-sessions", "DEMO@example.com")).toContain("Ended 2 sessions");
  await addSessions();
  expect(await run("end-sessions", "--all")).toContain("Ended 2 sessions of all persons");
  expect(await run("end-sessions", "--all")).toContain("Ended 0 sessions");
});

test("end-sessions --all ends those of all persons", async () => {
  const database = await newDatabase();
  const account = new FakeWrangler(database);
  account.databases.add("tern");
  await database.batch([
    ...["ann", "bob"].map((id) =>
      database.prepare("INSERT INTO users VALUES (?1, ?1, ?1, ?1, NULL, 1, '', NULL, NULL)").bind(id),
    ),
    database.prepare("INSERT INTO sessions SELECT id, id, id, 0, 0, 0, '', '', '', NULL, NULL, NULL, NULL FROM users"),
  ]);
  const log = vi.spyOn(console, "log").mockReturnValue();
  await manageAccount(["end-sessions", "--all", "--remote"], account.run);
  expect(log.mock.calls).toEqual([["Ended 2 sessions of all persons."]]);
  log.mockRestore();
  expect(await database.prepare("SELECT count(*) AS n FROM sessions").first("n")).toBe(0);
});

test("reset-factors removes the second factors of one person, ends the sessions and apps, and leaves an entry and a mail", async () => {
  const database = await newDatabase();
  const account = new FakeWrangler(database);
  account.databases.add("tern");
  await database.batch(
    ["ann", "bob"].flatMap((id) =>
      [
        `INSERT INTO users VALUES ('${id}', '${id}@example.com', '${id}@example.com', '${id}', NULL, 0, '', NULL, NULL)`,
        `INSERT INTO accounts (uuid, name, created_at, personal_user_id) VALUES ('${id}', '${id}', 0, '${id}')`,
        `INSERT INTO totp_factors VALUES ('${id}', 'k1.a.b', 0, 0, 0, NULL)`,
        `INSERT INTO passkeys VALUES ('${id}', '${id}', 'Phone', '${id}', 'h', 'k', 0, '[]', 0, 0, NULL)`,
        `INSERT INTO recovery_codes VALUES ('${id} 1', '${id}', 0, NULL), ('${id} 2', '${id}', 0, 'used')`,
        `INSERT INTO sessions VALUES ('${id}', '${id}', '${id}', 0, 0, 0, '', '', '', NULL, NULL, NULL, NULL)`,
        `INSERT INTO oauth_grants VALUES
           ('${id}', (SELECT id FROM accounts WHERE uuid = '${id}'), '${id}', 'h', 'App', NULL, '', '[]', '[]', 0, 0, 1, NULL, NULL, NULL)`,
        `INSERT INTO tokens VALUES ('${id}', 'second_step', '${id}', '{}', 0, 1, NULL)`,
      ].map((sql) => database.prepare(sql)),
    ),
  );
  const log = vi.spyOn(console, "log").mockReturnValue();
  await manageAccount(["reset-factors", "Ann@Example.com", "--remote"], account.run);
  expect(log.mock.calls.join()).toBe(
    "Removed 1 authenticator app, 1 passkey, 2 recovery codes of Ann@Example.com, ended all sessions and disconnected all apps.",
  );
  log.mockRestore();
  for (const table of ["totp_factors", "passkeys", "recovery_codes", "sessions", "oauth_grants"]) {
    const { results } = await database.prepare(`SELECT DISTINCT user_id FROM ${table}`).all();
    expect([table, results]).toEqual([table, [{ user_id: "bob" }]]);
  }
  expect((await database.prepare("SELECT subject FROM tokens").all()).results).toEqual([{ subject: "bob" }]);
  const entries = await database.prepare("SELECT actor_type, actor_id, action, target_id FROM audit_entries").all();
  expect(entries.results).toEqual([
    { actor_type: "operator", actor_id: null, action: "factors.reset", target_id: "ann" },
  ]);
  const mails = await database.prepare("SELECT kind, recipient, content FROM mails WHERE due_at IS NOT NULL").all();
  expect(mails.results).toEqual([{ kind: "factors_reset", recipient: "ann@example.com", content: null }]);
  await expect(manageAccount(["reset-factors", "eve@example.com", "--remote"], account.run)).rejects.toThrow(
    "No person has the address eve@example.com.",
  );
});
