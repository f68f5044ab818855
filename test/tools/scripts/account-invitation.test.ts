import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withLocalDatabase } from "../../../tools/scripts/local-database.ts";
import { findMailProblem } from "../../../tools/scripts/service.ts";
import { hashToken } from "../../../src/platform/lib/token.ts";
import { remoteAccounts } from "./support/account-command.ts";
import { copyProject, runScript, temporaryFolder } from "./support/command.ts";
import { emptyDatabase } from "./support/database.ts";
import { FakeWrangler } from "./support/fake-wrangler.ts";

const tokenIn = (output: string) => /\/app\/invitation#token=([\w-]{43})$/m.exec(output)?.[1] ?? "";

/** An installation with the account "Acme", whose owner ann@example.com has not signed up yet. */
async function withInvitedOwner() {
  const { database, manage } = await remoteAccounts();
  const created = await manage("create", "Acme", "--owner", "ann@example.com");
  const rows = async (sql: string) => (await database.prepare(sql).all()).results;
  return { database, manage, created, rows };
}

const INVITATIONS = "SELECT email, role, token_hash, account_id, invited_by FROM invitations";

test("invite replaces the invitation of an owner, with a link and both records", async () => {
  const { manage, created, rows } = await withInvitedOwner();
  const output = await manage("invite", "Acme", "Ann@example.org");
  expect(output).toMatch(/^Invited Ann@example\.org as the owner of the account "Acme" \([\w-]{36}\)\.\n/);
  expect(output).toContain("because EMAIL or MAIL_API_TOKEN is not set. Hand this link over to Ann@example.org");
  expect(tokenIn(output)).not.toBe(tokenIn(created));
  const invited = { role: "owner", account_id: 1, invited_by: null };
  expect(await rows(INVITATIONS)).toEqual([
    { ...invited, email: "Ann@example.org", token_hash: await hashToken(tokenIn(output)) },
  ]);
  const audited = "SELECT account_id, actor_type, action, target_name, after FROM audit_entries ORDER BY id";
  const entry = { account_id: 1, actor_type: "operator", action: "invitation.create", after: '{"role":"owner"}' };
  expect(await rows(audited)).toEqual([
    { ...entry, target_name: "ann@example.com" },
    { ...entry, target_name: "Ann@example.org" },
  ]);
  const [account] = await rows("SELECT uuid FROM accounts");
  const details = JSON.stringify({ name: "Acme", accountId: account?.["uuid"] });
  expect(await rows("SELECT operator_id, action, subject, details FROM operator_entries ORDER BY id")).toEqual([
    { operator_id: null, action: "account.invite", subject: "ann@example.com", details },
    { operator_id: null, action: "account.invite", subject: "Ann@example.org", details },
  ]);
});

test.each([
  [
    "has an owner",
    "INSERT INTO memberships (account_id, user_id, role, joined_at) VALUES (1, 'u', 'owner', 1)",
    "has the owner bob@example.com. To let this person in:\n  npm run account -- sign-in bob@example.com --remote",
  ],
  ["is the account of one person", "UPDATE accounts SET personal_user_id = 'u'", "belongs to one person"],
  ["is deleted", "UPDATE accounts SET deleted_at = 1", "is deleted"],
])("invite changes nothing if the account %s", async (_, change, problem) => {
  const { database, manage, rows } = await withInvitedOwner();
  const user = "INSERT INTO users VALUES ('u', 'bob@example.com', 'bob@example.com', 'Bob', NULL, 1, '', NULL, NULL)";
  await database.batch([database.prepare(user), database.prepare(change)]);
  const before = [await rows(INVITATIONS), await rows("SELECT id FROM audit_entries")];
  await expect(manage("invite", "Acme", "eve@example.com")).rejects.toThrow(problem);
  expect([await rows(INVITATIONS), await rows("SELECT id FROM audit_entries")]).toEqual(before);
});

test("a command for what the local database lacks says that it is local", async () => {
  const folder = temporaryFolder();
  for (const [command, problem] of [
    [["invite", "Acme", "ann@example.com"], "There is no account with the name, the id or the address Acme"],
    [["sign-in", "ann@example.com"], "No person has the address ann@example.com"],
  ] as const) {
    const { exitCode, errors } = await runScript("account.ts", [...command, "--persist-to", folder]);
    expect([exitCode, errors]).toEqual([
      1,
      `Local database in ${folder}\n${problem} in the local database. For the deployed service, add --remote.\n`,
    ]);
  }
});

const MAIL_FROM = "Tern <tern@go.example>";
const REMOTE = { remote: true, stateDirectory: "", environment: undefined };

test.each([
  ["by the binding", { hasEmailBinding: true, vars: { MAIL_FROM } }, [], null],
  ["by the binding without a sender", { hasEmailBinding: true, vars: {} }, [], "MAIL_FROM is not set"],
  ["by the token", { hasEmailBinding: false, vars: { MAIL_FROM } }, ["MAIL_API_TOKEN"], null],
  ["with a sender alone", { hasEmailBinding: false, vars: { MAIL_FROM } }, [], "EMAIL or MAIL_API_TOKEN is not set"],
  ["with secrets that nobody may list", { hasEmailBinding: false, vars: { MAIL_FROM } }, null, "could not be listed"],
])("a deployed service %s: the command knows whether a mail will go", async (_, settings, secrets, problem) => {
  const account = new FakeWrangler(await emptyDatabase());
  account.deployed = [];
  if (secrets === null) account.denied.add("secret");
  for (const name of secrets ?? []) account.secrets.set(name, "hush");
  const found = await findMailProblem(REMOTE, account.run, settings);
  expect(found).toEqual(problem === null ? null : expect.stringContaining(problem));
});

test("create --owner leaves the mail to a local service, which has an outbox, unless its sender is missing", async () => {
  const clone = copyProject();
  const folder = join(clone, "state");
  const create = () =>
    runScript("account.ts", ["create", "A", "--owner", "a@example.com", "--persist-to", folder], {}, clone);
  expect((await create()).output).toContain("The service sends an invitation to a@example.com");
  writeFileSync(join(clone, ".dev.vars"), 'MAIL_API_TOKEN="hush"\n');
  const { output } = await create();
  expect(output).toContain("The service sends no mails, because MAIL_FROM is not set.");
  const find = async (database: D1Database) =>
    (await database.prepare("SELECT token_hash FROM invitations ORDER BY id").all()).results;
  expect(await withLocalDatabase(folder, find)).toEqual([
    { token_hash: null },
    { token_hash: await hashToken(tokenIn(output)) },
  ]);
});
