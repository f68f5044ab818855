import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unstable_readConfig, type Unstable_Config } from "wrangler";
import { beforeEach, expect, test, vi } from "vitest";
import { deploy } from "../../scripts/deploy.ts";
import { readSchema } from "../../scripts/migrations.ts";
import { optionValue } from "../../scripts/options.ts";
import type { Wrangler } from "../../scripts/wrangler.ts";
import { createAccount } from "../support/accounts.ts";
import { temporaryFolder } from "./support/command.ts";
import { emptyDatabase } from "./support/database.ts";
import { FakeWrangler } from "./support/fake-wrangler.ts";
import { versionOf } from "./support/migrations.ts";
import { stagingRecipe } from "./support/staging.ts";

let account: FakeWrangler;
let folder: string;
let output: string;
/** The bindings and names of the databases of each Worker that was deployed. */
let deployed: string[][];
beforeEach(async () => {
  account = new FakeWrangler(await emptyDatabase());
  folder = temporaryFolder();
  output = "";
  deployed = [];
  vi.spyOn(console, "log").mockImplementation((text: string) => void (output += `${text}\n`));
  const { isTTY } = process.stdout;
  process.stdout.isTTY = true;
  return () => {
    process.stdout.isTTY = isTTY;
    vi.restoreAllMocks();
  };
});

const wrangler: Wrangler = (args, ...more) => {
  if (args[0] === "deploy") {
    const config = optionValue(args, "--config") ?? "wrangler.toml";
    const { d1_databases }: Unstable_Config = unstable_readConfig({ config, env: optionValue(args, "--env") ?? "" });
    deployed.push(d1_databases.map(({ binding, database_name }) => `${binding} ${database_name}`));
  }
  return account.run(args, ...more);
};

const run = (...args: string[]) => deploy(["--url", "https://go.example", ...args], wrangler, folder);
const settings = () => readFileSync(join(folder, "deploy.toml"), "utf8");
const set = (text: string) => writeFileSync(join(folder, "deploy.toml"), text);
const THREE = ["DB tern", "DB_2 tern-2", "DB_3 tern-3"];

async function ranges(): Promise<unknown[]> {
  const { results } = await account.data
    .prepare("SELECT first_account_id AS first, database, spread FROM account_ranges ORDER BY 1")
    .all();
  return results;
}

test("an installation gets databases with tables, keeps them, and puts new accounts there once it is deployed", async () => {
  await run();
  for (let n = 0; n < 2; n++) await createAccount(account.data);
  account.takeChanges();
  await run("--databases", "3");
  expect(account.takeChanges()).toEqual([
    "d1 create tern-2",
    "d1 execute DB_2",
    "d1 create tern-3",
    "d1 execute DB_3",
    "deploy",
  ]);
  for (const data of account.further.values()) expect(await versionOf(data)).toBe(readSchema().version);
  expect([deployed.at(-1), settings()]).toEqual([THREE, "databases = 3\n"]);
  expect(await ranges()).toEqual([{ first: 3, database: 1, spread: 2 }]);
  expect(output).toContain('Create the D1 database "tern-2" unless it exists');
  expect(output).toContain("Let new accounts go to the databases up to DB_3 unless they do");

  // The next deployment needs no option, and changes nothing where accounts go.
  await account.data.prepare("INSERT INTO account_ranges VALUES (4, 0, 2)").run();
  await run();
  expect([account.takeChanges(), deployed.at(-1)]).toEqual([["deploy"], THREE]);
  expect(await ranges()).toHaveLength(2);
});

test("new accounts stay where they are until the deployment has succeeded", async () => {
  const failing: Wrangler = (args, ...more) =>
    args[0] === "deploy" ? Promise.resolve({ exitCode: 1, output: "", errors: "" }) : account.run(args, ...more);
  await expect(deploy(["--url", "https://go.example", "--databases", "2"], failing, folder)).rejects.toThrow("failed");
  expect([await ranges(), settings()]).toEqual([[], "databases = 2\n"]);
  await run();
  expect(await ranges()).toEqual([{ first: 1, database: 1, spread: 1 }]);
});

test("a dry run needs no account, says what will be done, and changes nothing", async () => {
  account.isLoggedIn = false;
  await run("--databases", "2", "--dry-run");
  expect(output).toContain('not done: Create the D1 database "tern-2"');
  expect(output).toContain("not done: Write databases = 2 into deploy.toml");
  expect(output).toContain("not done: Let new accounts go to the databases up to DB_2");
  expect([account.takeChanges(), existsSync(join(folder, "deploy.toml"))]).toEqual([[], false]);
});

test("fewer databases than before are refused, by the settings and by where accounts are", async () => {
  await run("--databases", "3");
  account.takeChanges();
  await expect(run("--databases", "2")).rejects.toThrow("has 3 databases and cannot have 2");
  set("");
  await expect(run()).rejects.toThrow(/has 3 databases, and its settings name 1\.[^]*--databases 3/);
  await expect(run("--databases", "2")).rejects.toThrow("its settings name 2");
  for (const count of ["0", "301", "two", ""])
    await expect(run(`--databases=${count}`)).rejects.toThrow("--databases must be a number from 1 to 300.");
  await expect(run("--config", "wrangler.toml", "--databases", "3")).rejects.toThrow("deploy.toml");
  set("databases = 0");
  await expect(run()).rejects.toThrow("databases must be a number from 1 to 300");
  expect(account.takeChanges().filter((change) => change !== "deploy")).toEqual([]);
  expect(deployed).toEqual([THREE]);
});

test("the settings keep their comments, their order and a database that they name", async () => {
  const lines = [
    "# Mine",
    'name = "links"',
    "",
    "[[d1_databases]] # here",
    'binding = "DB"',
    'database_name = "links"',
  ];
  set(`${lines.join("\n")}\n`);
  await run("--databases", "2");
  expect(settings()).toBe(`databases = 2\n${lines.join("\n")}\n`);
  expect(deployed.at(-1)).toEqual(["DB links", "DB_2 links-2"]);
  await run("--databases", "3");
  expect(settings()).toBe(`databases = 3\n${lines.join("\n")}\n`);
});

test("an environment has a number of its own", async () => {
  set(stagingRecipe());
  await run("--env", "staging", "--databases", "2");
  expect(settings()).toContain("[env.staging]\ndatabases = 2\n");
  expect(deployed.at(-1)).toEqual(["DB tern-staging", "DB_2 tern-staging-2"]);
  await run("--env", "staging", "--databases", "3");
  expect(settings()).toContain("[env.staging]\ndatabases = 3\n");
  expect(settings().match(/databases = /g)).toHaveLength(1);
});
