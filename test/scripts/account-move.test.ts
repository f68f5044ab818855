import { expect, test } from "vitest";
import { remoteAccounts } from "./support/account-command.ts";

test("move asks the service to move an account once, and says where it is", async () => {
  const { database, manage } = await remoteAccounts();
  await database.prepare("INSERT INTO account_ranges (first_account_id, database, spread) VALUES (1, 0, 3)").run();
  for (const name of ["Acme", "Other"]) await manage("create", name);
  expect(await manage("move", "Other")).toMatch(/^The account "Other" \(.*\) is in database 2\.$/);
  expect(await manage("move", "Other", "--database", "2")).toContain("is in database 2.");
  await expect(manage("move", "Other", "--database", "4")).rejects.toThrow("There is no database 4");
  for (const number of ["0", "x", "1.5"])
    await expect(manage("move", "Other", "--database", number)).rejects.toThrow("--database must be");
  await expect(manage("list", "--database", "1")).rejects.toThrow("--database is only for move");
  expect(await manage("move", "Other", "--database", "3")).toContain("from database 2 to 3 within a minute");
  expect(await manage("move", "Other", "--database", "1")).toContain("is on its way to database 3: its rows");
  const { results } = await database.prepare("SELECT account_id, target, source, state FROM account_moves").all();
  expect(results).toEqual([{ account_id: 2, target: 2, source: null, state: "copying" }]);
  expect(await manage("move", "Other", "--database", "2")).toContain("It stays in database 2.");
  expect(await database.prepare("SELECT target FROM account_moves").first("target")).toBe(1);
  await database.prepare("INSERT INTO moved_accounts (account_id, database) VALUES (2, 2)").run();
  await database.prepare("UPDATE account_moves SET source = 1, state = 'keeping'").run();
  expect(await manage("move", "Other")).toContain("its former rows are being deleted");
  await database.prepare("DELETE FROM account_moves").run();
  expect(await manage("move", "Other")).toContain("is in database 3.");
});
