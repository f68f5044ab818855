import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { resourcesOf } from "../../../tools/scripts/cloud-resources.ts";
import { deploy } from "../../../tools/scripts/deploy.ts";
import { toMigrated } from "../../../tools/scripts/local-database.ts";
import { migrate, readSchema } from "../../../tools/scripts/migrations.ts";
import { CONFIG_FILE } from "../../../tools/scripts/wrangler.ts";
import { temporaryFolder } from "./support/command.ts";
import { emptyDatabase } from "./support/database.ts";
import { FakeWrangler } from "./support/fake-wrangler.ts";
import { schemaWith, versionOf } from "./support/migrations.ts";
import { stagingRecipe } from "./support/staging.ts";

const URL = "https://go.example";
/** Two, and a dead-letter queue for each. */
const QUEUES = [
  "tern-click-events",
  "tern-click-events-dead",
  "tern-clicks",
  "tern-clicks-dead",
  "tern-deliveries",
  "tern-deliveries-dead",
];

let account: FakeWrangler;
let output: string;
beforeEach(async () => {
  account = new FakeWrangler(await emptyDatabase());
  output = "";
  vi.spyOn(console, "log").mockImplementation((text: string) => void (output += `${text}\n`));
  const { isTTY } = process.stdout;
  process.stdout.isTTY = true;
  return () => {
    process.stdout.isTTY = isTTY;
    vi.restoreAllMocks();
  };
});

/** In a folder without settings: the project of an operator may have some. */
const run = (...args: string[]) => deploy(args, account.run, temporaryFolder());

/** The account has the database with the newest schema. */
async function createDatabase() {
  account.databases.add("tern");
  await migrate(toMigrated(account.data, "The database"), readSchema());
}

test("an empty account gets the database, its tables, the queues and the Worker with its domain", async () => {
  await run("--url", URL);
  const changes = account.takeChanges();
  expect(changes.slice(0, 2)).toEqual(["d1 create tern", "d1 execute DB"]);
  expect(changes.slice(2, -1).sort()).toEqual(QUEUES.map((name) => `queues create ${name}`));
  expect(changes.at(-1)).toBe("deploy");
  expect(await versionOf(account.data)).toBe(readSchema().version);
  expect(account.deployed).toEqual([
    "deploy",
    `--var=BASE_URL:${URL}`,
    "--domain=go.example",
    expect.stringMatching(/^--secrets-file=/),
  ]);
  expect(output).toContain(`The service runs at ${URL}`);
  expect(output).toContain("Strangers can shorten URLs without a key (docs/abuse.md).");
  expect(output).toContain("Visitors of their links see the destination first, until an account claims them.");
});

test("the end says with what destinations are compared, and who is asked", async () => {
  const folder = temporaryFolder();
  await deploy(["--url", URL], account.run, folder);
  expect(output).toContain("Destinations are not screened (docs/screening.md).");
  const resolver = "https://security.cloudflare-dns.com/dns-query";
  writeFileSync(join(folder, "deploy.toml"), `[vars]\nSCREENING = "${resolver}"\n`);
  account.secrets.set("WEB_RISK_KEY", "secret");
  await deploy(["--url", URL], account.run, folder);
  expect(output).toContain(
    "Destinations are compared with your entries and list files. Asked besides: the resolver https://security.cloudflare-dns.com/dns-query, Google Web Risk (docs/screening.md).",
  );
});

test("ANONYMOUS_HOST becomes a domain of the Worker, and the end names it", async () => {
  const folder = temporaryFolder();
  const settled = (host: string, ...args: string[]) => {
    writeFileSync(join(folder, "deploy.toml"), `[vars]\nANONYMOUS_HOST = "${host}"\n`);
    return deploy(["--url", URL, ...args], account.run, folder);
  };
  await expect(settled("https://go.example.net")).rejects.toMatchObject({ exitCode: 2 });
  await expect(settled("", "--var=ANONYMOUS_HOST:go.example.net")).rejects.toThrow("into deploy.toml");
  await settled("go.example.net");
  expect(account.deployed).toEqual(expect.arrayContaining(["--domain=go.example", "--domain=go.example.net"]));
  expect(output).toContain("Links without an account are at https://go.example.net.");
});

test("deploying again creates nothing again", async () => {
  await run("--url", URL);
  account.takeChanges();
  await run("--url", URL);
  expect(account.takeChanges()).toEqual(["deploy"]);
});

test("an older database is migrated with its rows; a migration that fails changes nothing", async () => {
  const { data } = account;
  account.databases.add("tern");
  await migrate(toMigrated(data, "The database"), schemaWith());
  await data.prepare("INSERT INTO accounts (uuid, name) VALUES ('1', 'Ann')").run();
  const provide = async (...migrations: string[]) => {
    const config = unstable_readConfig({ config: "wrangler.toml" });
    const [, newestVersion] = resourcesOf(config, [], account.run, schemaWith(...migrations));
    await newestVersion?.provide();
  };
  const accounts = async () => (await data.prepare("SELECT name, plan FROM accounts").all()).results;

  const add = "ALTER TABLE accounts ADD COLUMN plan TEXT NOT NULL DEFAULT 'free';";
  const fill = `UPDATE accounts SET plan = 'paid' WHERE name = 'Ann';`;
  const failing = `${fill} INSERT INTO accounts (uuid, name) VALUES ('1', 'Bob');`;
  await expect(provide(add, failing)).rejects.toThrow(
    /^0003-added.sql failed. The database DB still has version 2.\n[^]*UNIQUE constraint failed: accounts.uuid/,
  );
  expect(account.takeChanges()).toEqual(["d1 execute DB", "d1 execute DB"]);
  expect(await accounts()).toEqual([{ name: "Ann", plan: "free" }]);

  await provide(add, fill);
  expect(account.takeChanges()).toEqual(["d1 execute DB"]);
  expect(await accounts()).toEqual([{ name: "Ann", plan: "paid" }]);
});

test.each([
  ["is newer", "INSERT INTO schema_migrations VALUES (99)", "has version 99"],
  ["lacks an index", "DROP INDEX links_by_slug", "missing or differ: links_by_slug"],
])("a database that %s is refused before anything is changed", async (_, change, problem) => {
  await createDatabase();
  await account.data.prepare(change).run();
  const failure = await run("--url", URL).catch(String);
  expect(failure).toContain(problem);
  expect(failure).not.toContain("wrangler login");
  expect(account.takeChanges()).toEqual([]);
});

test("the first deployment creates an encryption key, which no later one replaces", async () => {
  await run("--url", URL);
  const key = account.secrets.get("ENCRYPTION_KEYS");
  expect(key).toMatch(/^k1:[\w+/]{43}=$/);
  await run("--url", URL);
  expect(account.secrets.get("ENCRYPTION_KEYS")).toBe(key);
  // A Worker that was deployed without a key gets one too.
  account.secrets.clear();
  await run("--url", URL);
  expect(account.secrets.get("ENCRYPTION_KEYS")).toMatch(/^k1:/);
});

test("the key of the first deployment is printed at a terminal; without one, that deployment is refused", async () => {
  process.stdout.isTTY = false;
  await expect(run("--url", URL)).rejects.toThrow(/nobody could read a new one[^]*--secrets-file secrets\.json/);
  expect(account.takeChanges()).toEqual([]);
  const file = join(temporaryFolder(), "secrets.json");
  writeFileSync(file, JSON.stringify({ ENCRYPTION_KEYS: "k1:mine" }));
  await run("--url", URL, "--secrets-file", file);
  expect(account.secrets.get("ENCRYPTION_KEYS")).toBe("k1:mine");
  await run("--url", URL);
  expect(account.secrets.get("ENCRYPTION_KEYS")).toBe("k1:mine");
  expect(output).not.toContain("k1:");

  account.secrets.clear();
  process.stdout.isTTY = true;
  await run("--url", URL);
  expect(output).toContain(`ENCRYPTION_KEYS: ${account.secrets.get("ENCRYPTION_KEYS")}`);
});

test("only missing queues of the configuration are created, dead-letter queues too", async () => {
  account.queues.add("alpha");
  const queues = {
    producers: [{ binding: "A", queue: "alpha" }],
    consumers: [{ queue: "alpha", dead_letter_queue: "omega" }],
  };
  for (const { provide } of resourcesOf({ d1_databases: [], queues }, [], account.run)) await provide();
  expect(account.takeChanges()).toEqual(["queues create omega"]);
});

test("a dry run needs no account, prints each step and does none of them", async () => {
  account.isLoggedIn = false;
  await run("--url", `${URL}/`, "--dry-run");
  expect(output).toContain('not done: Create the D1 database "tern"');
  expect(output).toContain("not done: wrangler deploy --var=BASE_URL:https://go.example --domain=go.example --dry-run");
  expect(account.takeChanges()).toEqual([]);
});

test("a route among the arguments replaces the domain", async () => {
  await run("--url", URL, "--dry-run", "--route", "go.example/*");
  expect(output).toContain("--dry-run --route go.example/*");
  expect(output).not.toContain("--domain");
});

test("a step that fails ends the deployment with wrangler's message and advice", async () => {
  account.isLoggedIn = false;
  const failure = await run("--url", URL).catch(String);
  expect(failure).toContain("You must be logged in");
  expect(failure).toContain("npx wrangler login");
  expect(account.deployed).toBeNull();
});

test("on workers.dev no domain is added", async () => {
  await run("--url=https://tern.someone.workers.dev", "--dry-run");
  expect(output).toContain("wrangler deploy --var=BASE_URL:https://tern.someone.workers.dev --dry-run");
});

test.each([
  [[], "Usage: npm run deploy"],
  [["--url", "go.example"], "is not a URL"],
])("%j is wrong usage", async (args, problem) => {
  await expect(run(...args)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(problem) });
});

test("TERN_URL replaces --url, which wins over it", async () => {
  vi.stubEnv("TERN_URL", "https://env.example");
  await run("--dry-run");
  await run("--dry-run", "--url", URL);
  vi.unstubAllEnvs();
  expect(output.match(/BASE_URL:\S+/g)).toEqual(["BASE_URL:https://env.example", `BASE_URL:${URL}`]);
});

test("an option that wrangler does not know ends the deployment before anything is created", async () => {
  await expect(run("--url", URL, "--minfy")).rejects.toMatchObject({ exitCode: 2, message: /no option --minfy/ });
  expect(account.takeChanges()).toEqual([]);
});

test("another name for the Worker alone is refused: it would use the same database and queues", async () => {
  await expect(run("--url", URL, "--name", "second")).rejects.toMatchObject({ exitCode: 2 });
  await run("--url", URL, "--name", "tern", "--dry-run");
  expect(account.takeChanges()).toEqual([]);
});

describe("a configuration with environments", () => {
  /** Returns the path of the project's configuration with this text added and these texts replaced. */
  function configWith(added: string, ...replaced: [string, string][]): string {
    const file = join(temporaryFolder(), "wrangler.toml");
    let text = readFileSync(CONFIG_FILE, "utf8") + added;
    for (const [from, to] of replaced) text = text.replaceAll(from, to);
    writeFileSync(file, text);
    return file;
  }

  test("deploys the environment with its own Worker, database and queues", async () => {
    const config = configWith(stagingRecipe());
    await run("--url", URL, "--config", config, "--env", "staging");
    const changes = account.takeChanges();
    expect(changes[0]).toBe("d1 create tern-staging");
    const queues = QUEUES.map((name) => `queues create ${name.replace("tern", "tern-staging")}`);
    expect(changes.slice(2, -1).sort()).toEqual(queues);
    expect(account.deployed).toEqual(expect.arrayContaining(["--config", config, "--env", "staging"]));
    expect(output).toContain("npm run account -- create NAME --remote --env staging");
    await run("--url=https://tern-staging.someone.workers.dev", "--config", config, "--env=staging", "--dry-run");
    expect(output).not.toContain("--domain=tern-staging");
  });

  test("without a named environment the top level is deployed, whatever else the file has", async () => {
    await run("--url", URL, "--config", configWith(stagingRecipe()));
    expect(account.takeChanges()[0]).toBe("d1 create tern");
    expect(account.deployed).toContain("--env=");
  });

  test.each<[string, string, [string, string][]]>([
    ["shares the database", 'share the database "tern".', [['"tern-staging"', '"tern"']]],
    [
      "shares a dead-letter queue",
      'share the queue "tern-clicks-dead".',
      [['"tern-staging-clicks-dead"', '"tern-clicks-dead"']],
    ],
    [
      "lacks a binding",
      "lacks the queue DEAD_DELIVERIES.",
      [['  { binding = "DEAD_DELIVERIES", queue = "tern-staging-deliveries-dead" },', ""]],
    ],
    ["lacks a variable", "lacks the variable BASE_URL.", [['[env.staging.vars]\nBASE_URL = ""', "[env.staging.vars]"]]],
    ["is not in the file", "No environment found", [["env.staging", "env.other"]]],
  ])("an environment that %s is refused before anything is created", async (_, problem, replaced) => {
    const config = configWith(stagingRecipe(), ...replaced);
    await expect(run("--url", URL, "--config", config, "--env", "staging")).rejects.toThrow(problem);
    expect(account.takeChanges()).toEqual([]);
  });
});
