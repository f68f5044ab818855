import { globSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, test, vi } from "vitest";
import { manageAccount } from "../../scripts/account.ts";
import { withLocalDatabase } from "../../scripts/local-database.ts";
import { temporaryFolder } from "./support/command.ts";

afterEach(() => void vi.restoreAllMocks());

async function newState(): Promise<string> {
  const folder = temporaryFolder();
  await withLocalDatabase(folder, async () => {});
  return folder;
}

/** Locks the database of the folder as another process does. Returns a function that releases it. */
function lock(folder: string, transaction: string): () => void {
  const name = globSync("v3/d1/*/*.sqlite", { cwd: folder }).find((file) => !file.includes("metadata")) ?? "";
  const database = new DatabaseSync(join(folder, name));
  database.exec(transaction);
  return () => {
    if (!database.isOpen) return;
    database.exec("ROLLBACK");
    database.close();
  };
}

const names = (folder: string) =>
  withLocalDatabase(folder, async (database) => {
    const { results } = await database.prepare("SELECT name FROM accounts").all<{ name: string }>();
    return results.map(({ name }) => name);
  });

test.each(["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])(
  "a command waits for a database that another process has locked, and says so: %s",
  async (transaction) => {
    const folder = await newState();
    const release = lock(folder, transaction);
    const told = vi.spyOn(console, "error").mockImplementation(release);
    const output = vi.spyOn(console, "log").mockReturnValue();
    await manageAccount(["create", "Ann", "--persist-to", folder]);
    expect(told.mock.calls).toEqual([
      [`The database in ${folder} is locked by another process. Waiting for it, up to 30 seconds.`],
    ]);
    expect(output.mock.calls.join()).toContain('Created the account "Ann"');
    expect(await names(folder)).toEqual(["Ann"]);
  },
);

test("a step that fails after a lock appeared is repeated as a whole", async () => {
  const folder = await newState();
  vi.spyOn(console, "error").mockReturnValue();
  let attempts = 0;
  await withLocalDatabase(folder, async (database) => {
    attempts++;
    const release = attempts === 1 ? lock(folder, "BEGIN IMMEDIATE") : () => {};
    const statement = "INSERT INTO accounts (uuid, name, created_at) VALUES ('a', 'Ann', 1)";
    await database.prepare(statement).run().finally(release);
  });
  expect([attempts, await names(folder)]).toEqual([2, ["Ann"]]);
});

test("a lock that stays ends the command without the advice to delete anything", async () => {
  const folder = await newState();
  const release = lock(folder, "BEGIN EXCLUSIVE");
  vi.spyOn(console, "error").mockReturnValue();
  const failure = await withLocalDatabase(folder, () => expect.unreachable(), undefined, 300).catch(String);
  release();
  expect(failure).toContain(
    `The database in ${folder} was locked by another process for 0.3 seconds. Its data is in order.`,
  );
  expect(failure).not.toMatch(/delet/i);
});
