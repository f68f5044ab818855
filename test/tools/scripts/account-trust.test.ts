import { expect, test } from "vitest";
import { remoteAccounts } from "./support/account-command.ts";

test("trust lets the cron trust an account that is not trusted yet, and the list shows it until then", async () => {
  const { database, manage } = await remoteAccounts();
  await manage("create", "Acme");
  await manage("create", "Other");
  expect(await manage("list")).not.toContain("not trusted");
  await database.prepare("UPDATE accounts SET trust_at = 2000000000000 WHERE name = 'Acme'").run();
  expect(await manage("list")).toMatch(/"Acme" {2}no owner {2}not trusted yet\n.*"Other" {2}no owner\n/);
  expect(await manage("trust", "Acme")).toContain('The account "Acme" (');
  await manage("trust", "Other");
  const { results } = await database.prepare("SELECT name, trust_at FROM accounts ORDER BY name").all();
  expect(results).toEqual([
    { name: "Acme", trust_at: 0 },
    { name: "Other", trust_at: null },
  ]);
  await expect(manage("trust", "Nobody")).rejects.toThrow("There is no account");
});
