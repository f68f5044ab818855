import { expect, test, vi } from "vitest";
import { manageAccount } from "../../../tools/scripts/account.ts";
import { newDatabase } from "./support/database.ts";
import { FakeWrangler } from "./support/fake-wrangler.ts";

test("operator gives and ends the role, each once with an entry and a mail, and refuses an unknown address", async () => {
  const account = new FakeWrangler(await newDatabase());
  account.databases.add("tern");
  await account.data
    .prepare("INSERT INTO users VALUES ('u', 'Ann@example.com', 'ann@example.com', 'Ann', NULL, 1, '', NULL, NULL)")
    .run();
  const log = vi.spyOn(console, "log").mockReturnValue();
  const manage = async (...args: string[]) => {
    log.mockClear();
    await manageAccount(["operator", ...args, "--remote"], account.run);
    return log.mock.calls.join("\n");
  };
  const operators = () => account.data.prepare("SELECT count(*) AS n FROM operators").first<number>("n");
  const listed = async (sql: string) => (await account.data.prepare(sql).all()).results;
  expect(await manage("ann@example.com")).toContain("is an operator now");
  expect(await manage("ANN@example.com")).toContain("is an operator now");
  expect(await operators()).toBe(1);
  expect(await manage("ann@example.com", "--remove")).toContain("no operator any more");
  expect(await manage("ann@example.com", "--remove")).toContain("no operator any more");
  expect(await operators()).toBe(0);
  expect(await listed("SELECT action, subject, operator_id FROM operator_entries ORDER BY id")).toEqual([
    { action: "operator.add", subject: "u", operator_id: null },
    { action: "operator.remove", subject: "u", operator_id: null },
  ]);
  expect(await listed("SELECT kind, recipient FROM mails ORDER BY id")).toEqual([
    { kind: "operator_added", recipient: "Ann@example.com" },
    { kind: "operator_removed", recipient: "Ann@example.com" },
  ]);
  await expect(manageAccount(["operator", "bob@example.com", "--remote"], account.run)).rejects.toThrow(
    "No person has the address bob@example.com.",
  );
  await expect(manageAccount(["list", "--remove", "--remote"], account.run)).rejects.toThrow("only for operator");
  log.mockRestore();
});
