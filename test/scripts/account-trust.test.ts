import { expect, test, vi } from "vitest";
import { manageAccount } from "../../scripts/account.ts";
import { newDatabase } from "./support/database.ts";
import { FakeWrangler } from "./support/fake-wrangler.ts";

test("trust lets the cron trust an account that is not trusted yet, and the list shows it until then", async () => {
  const account = new FakeWrangler(await newDatabase());
  account.databases.add("tern");
  const log = vi.spyOn(console, "log").mockReturnValue();
  const manage = async (...args: string[]) => {
    log.mockClear();
    await manageAccount([...args, "--remote"], account.run);
    return log.mock.calls.join("\n");
  };
  await manage("create", "Acme");
  await manage("create", "Other");
  expect(await manage("list")).not.toContain("not trusted");
  await account.data.prepare("UPDATE accounts SET trust_at = 2000000000000 WHERE name = 'Acme'").run();
  expect(await manage("list")).toMatch(/"Acme" {2}no owner {2}not trusted yet\n.*"Other" {2}no owner\n/);
  expect(await manage("trust", "Acme")).toContain('The account "Acme" (');
  await manage("trust", "Other");
  const { results } = await account.data.prepare("SELECT name, trust_at FROM accounts ORDER BY name").all();
  expect(results).toEqual([
    { name: "Acme", trust_at: 0 },
    { name: "Other", trust_at: null },
  ]);
  await expect(manage("trust", "Nobody")).rejects.toThrow("There is no account");
  log.mockRestore();
});
