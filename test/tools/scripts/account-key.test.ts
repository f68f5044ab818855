import { expect, test } from "vitest";
import { remoteAccounts } from "./support/account-command.ts";

test("revoke-key ends a key by its value or id, leaves an entry, and names the keys that were made with it", async () => {
  const { database, manage } = await remoteAccounts();
  const [, key = ""] = /API key: (\S+)/.exec(await manage("create", "Acme")) ?? [];
  await manage("create", "Other");
  await database
    .prepare(
      `INSERT INTO api_keys (id, account_id, name, hash, last_four, permissions, created_at, created_by_key)
       SELECT '01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f', account_id, 'Robot', 'hash', 'abcd', '[]', 0, id
       FROM api_keys WHERE account_id = (SELECT id FROM accounts WHERE name = 'Acme')`,
    )
    .run();
  const revoked = async () =>
    (await database.prepare("SELECT name FROM api_keys WHERE revoked_at IS NOT NULL ORDER BY name").all()).results;

  const output = await manage("revoke-key", key);
  expect(output).toMatch(/^Revoked the key "First key" \(…\w{4}\) of the account "Acme" \(/m);
  expect(output).toMatch(/revoke-key 01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f --remote .*"Robot"/);
  expect(output).not.toContain(key);
  expect(await revoked()).toEqual([{ name: "First key" }]);
  expect(await manage("revoke-key", "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f")).toContain('the key "Robot"');
  await manage("revoke-key", key);
  expect(await revoked()).toEqual([{ name: "First key" }, { name: "Robot" }]);
  const { results } = await database.prepare("SELECT action, actor_type FROM audit_entries").all();
  const entry = { action: "key.revoke", actor_type: "operator" };
  expect(results).toEqual([entry, entry]);
  await expect(manage("revoke-key", "Acme")).rejects.toThrow("KEY must be an API key");
  await expect(manage("revoke-key", `svc_sk_live_${"0".repeat(64)}`)).rejects.toThrow("There is no such API key");
});
