import { expect, test } from "vitest";
import { generateKey, hashKey } from "../../../src/platform/auth/key.ts";
import { findCredential } from "../../../src/platform/auth/store/keys.ts";
import { remoteAccounts } from "./support/account-command.ts";

function keyIn(output: string): string {
  return /^API key: (svc_sk_live_[0-9a-f]{64})$/m.exec(output)?.[1] ?? "";
}

test("limits sets limits by key, shows them, and takes them back, for keys that exist and for new ones", async () => {
  const { database, manage } = await remoteAccounts();
  const factorOf = async (output: string) =>
    (await findCredential(database, await hashKey(keyIn(output))))?.rateLimitFactor;
  const created = await manage("create", "Acme");
  const other = await manage("create", "Other");
  expect(await manage("limits", "Acme")).toMatch(/^Account "Acme" \(.*\)\n {2}rate limits: per address \(default\)$/);
  expect(await manage("limits", "Acme", "--per-key", "--factor", "20")).toContain("per key, 20 times the table");
  expect([await factorOf(created), await factorOf(other)]).toEqual([20, null]);
  expect(await manage("limits", "Acme")).toContain("per key, 20 times the table");
  expect(await manage("list")).toMatch(
    /"Acme" {2}no owner {2}rate limits per key, 20 times the table\n.*"Other" {2}no owner\n/,
  );
  const newKey = generateKey();
  await database
    .prepare(
      "INSERT INTO api_keys (id, account_id, name, hash, last_four, permissions, created_at) VALUES ('k', 1, '', ?1, '', '[]', 1)",
    )
    .bind(await hashKey(newKey))
    .run();
  expect(await factorOf(`API key: ${newKey}`)).toBe(20);
  expect(await manage("limits", "Acme", "--per-key")).toContain("per key, 1 times the table");
  expect(await manage("limits", "Acme", "--per-address")).toContain("per address (default)");
  expect([await factorOf(created), await factorOf(`API key: ${newKey}`)]).toEqual([null, null]);
});
