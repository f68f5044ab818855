import { cpSync, globSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { manageAccount } from "../../../tools/scripts/account.ts";
import { withLocalDatabase } from "../../../tools/scripts/local-database.ts";
import { temporaryFolder } from "./support/command.ts";

afterEach(() => void vi.restoreAllMocks());

const emptyState = temporaryFolder();
beforeAll(() => withLocalDatabase(emptyState, async () => {}));

function newState(): string {
  const folder = temporaryFolder();
  cpSync(emptyState, folder, { recursive: true });
  return folder;
}

/** Opens the database of the folder as another process does. */
function open(folder: string): DatabaseSync {
  const name = globSync("v3/d1/*/*.sqlite", { cwd: folder }).find((file) => !file.includes("metadata")) ?? "";
  return new DatabaseSync(join(folder, name));
}

/** Locks the database of the folder. Returns a function that releases it. */
function lock(folder: string, transaction: string): () => void {
  const database = open(folder);
  database.exec(transaction);
  return () => {
    if (!database.isOpen) return;
    database.exec("ROLLBACK");
    database.close();
  };
}

function names(folder: string): unknown[] {
  const database = open(folder);
  const rows = database.prepare("SELECT name FROM accounts").all();
  database.close();
  return rows.map(({ name }) => name);
}

test.each(["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])(
  "a command waits for a database that another process has locked, and says so: %s",
  async (transaction) => {
    const folder = newState();
    const release = lock(folder, transaction);
    const told = vi.spyOn(console, "error").mockReturnValueOnce().mockImplementation(release);
    const output = vi.spyOn(console, "log").mockReturnValue();
    await manageAccount(["create", "Ann", "--persist-to", folder]);
    expect(told.mock.calls).toEqual([
      [`Local database in ${folder}`],
      [`The database in ${folder} is locked by another process. Waiting for it, up to 30 seconds.`],
    ]);
    expect(output.mock.calls.join()).toContain('Created the account "Ann"');
    expect(names(folder)).toEqual(["Ann"]);
  },
);

test("a step that fails after a lock appeared is repeated as a whole", async () => {
  const folder = newState();
  vi.spyOn(console, "error").mockReturnValue();
  let attempts = 0;
  await withLocalDatabase(folder, async (database) => {
    attempts++;
    const release = attempts === 1 ? lock(folder, "BEGIN IMMEDIATE") : () => {};
    const statement = "INSERT INTO accounts (uuid, name, created_at) VALUES ('a', 'Ann', 1)";
    await database.prepare(statement).run().finally(release);
  });
  expect([attempts, names(folder)]).toEqual([2, ["Ann"]]);
});

test("a lock that stays ends the command without the advice to delete anything", async () => {
  const folder = newState();
  const release = lock(folder, "BEGIN EXCLUSIVE");
  vi.spyOn(console, "error").mockReturnValue();
  const failure = await withLocalDatabase(folder, () => expect.unreachable(), undefined, 300).catch(String);
  release();
  expect(failure).toContain(
    `The database in ${folder} was locked by another process for 0.3 seconds. Its data is in order.`,
  );
  expect(failure).not.toMatch(/delet/i);
});
