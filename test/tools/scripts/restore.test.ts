import { expect, test, vi } from "vitest";
import { insertAccount } from "../../../tools/scripts/account-sql.ts";
import { restore } from "../../../tools/scripts/restore.ts";
import { generateKey } from "../../../src/platform/auth/key.ts";
import { isId } from "../../../src/platform/lib/uuid.ts";
import { newDatabase } from "./support/database.ts";
import { FakeWrangler } from "./support/fake-wrangler.ts";

async function runRemotely(database: D1Database, ...args: string[]): Promise<string> {
  const account = new FakeWrangler(database);
  account.databases.add("tern");
  const log = vi.spyOn(console, "log").mockReturnValue();
  await restore([...args, "--remote"], account.run);
  const output = log.mock.calls.join("\n");
  log.mockRestore();
  return output;
}

test("lists what opens each account, and ends sessions and keys only if asked", async () => {
  const database = await newDatabase();
  for (const name of ["Robot", "Old robot"])
    await insertAccount(database, { name: `Account of ${name}`, keyName: name, key: generateKey() }, 1_790_000_000_000);
  await database.batch(
    [
      "INSERT INTO users VALUES ('ann', 'Ann@example.com', 'ann@example.com', 'Ann', 'scrypt', 0, '', NULL, NULL)",
      "INSERT INTO memberships VALUES (1, 'ann', 'owner', 0)",
      "INSERT INTO recovery_codes VALUES ('free', 'ann', 0, NULL), ('used', 'ann', 0, 'request')",
      "INSERT INTO sessions VALUES ('session', 'hash', 'ann', 0, 0, 0, '', '', '', NULL, NULL, NULL, NULL)",
      `INSERT INTO oauth_grants VALUES
         ('grant', 1, 'ann', 'hash', 'Assistant', NULL, 'https://a.example/', '[]', '[]', 0, 0, 4e12, NULL, NULL, NULL)`,
      "INSERT INTO oauth_tokens (hash, grant_id, kind, expires_at) VALUES ('token', 'grant', 'refresh', 4e12)",
      "UPDATE api_keys SET revoked_at = 1 WHERE name = 'Old robot'",
    ].map((sql) => database.prepare(sql)),
  );
  const left = async () => [
    await database.prepare("SELECT count(*) AS n FROM api_keys WHERE revoked_at IS NULL").first("n"),
    await database.prepare("SELECT count(*) AS n FROM sessions").first("n"),
    await database.prepare("SELECT count(*) AS n FROM oauth_tokens").first("n"),
  ];

  const listed = await runRemotely(database, "--list-access");
  expect(listed).toContain("1 active key: Robot\n  1 connected app: Assistant\n  1 member: Ann@example.com (owner)");
  expect(listed).toContain("1 password, 1 unused recovery code\n");
  expect(listed).toContain("0 active keys\n  0 connected apps\n  0 members\n");
  expect(listed).toContain("npm run restore -- --end-access --remote");
  expect(await left()).toEqual([1, 1, 1]);

  const ended = await runRemotely(database, "--end-access");
  expect(ended).toContain("Ended 1 session, revoked 1 key and disconnected 1 app.");
  expect(await left()).toEqual([0, 0, 0]);
  const { results } = await database.prepare("SELECT id, actor_type, action, target_name FROM audit_entries").all();
  expect(results).toEqual([
    { id: expect.any(String), actor_type: "operator", action: "key.revoke", target_name: "Robot" },
  ]);
  expect(isId(String(results[0]?.["id"]))).toBe(true);
});

test.each([
  ["no file", []],
  ["two files", ["a.gz", "b.gz"]],
  ["a file that is only listed", ["a.gz", "--list-access"]],
  ["a release that ends access", ["--release-webhooks", "--end-access"]],
])("%s is wrong usage", async (_, args) => {
  await expect(restore(args)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining("Usage:") });
});
