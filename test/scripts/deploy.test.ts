import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { resourcesOf } from "../../scripts/cloud-resources.ts";
import { toMigrate } from "../../scripts/local-database.ts";
import { listMigrations, migrate } from "../../scripts/migrations.ts";
import { startCloudflare, type Cloudflare } from "./support/cloudflare.ts";
import { runScript } from "./support/command.ts";
import { versionOf, withFurther } from "./support/migrations.ts";

const URL = "https://go.example";

let cloudflare: Cloudflare;
beforeEach(async () => {
  cloudflare = await startCloudflare();
  return () => cloudflare.close();
});

async function deploy(...args: string[]) {
  const { exitCode, output, errors } = await runScript("deploy.ts", args, cloudflare.environment);
  expect([exitCode, errors]).toEqual([0, ""]);
  return output;
}

/** Runs what a deployment does before the upload in this process, with migrations of the test's. */
async function provideResources(config: Parameters<typeof resourcesOf>[0], migrations?: string[]) {
  for (const [name, value] of Object.entries(cloudflare.environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const resource of resourcesOf(config, [], migrations)) await resource.provide();
}

/** The account has the database, of the newest version. */
async function haveDatabase() {
  cloudflare.account.databases.set("tern", "id-of-tern");
  await migrate(toMigrate(cloudflare.account.data, "The database"), listMigrations());
}

// Two, and a dead-letter queue for each.
const QUEUES = Array.from({ length: 4 }, () => "POST /queues");
const IMPORT = ["POST /d1/database/id-of-tern/import", "PUT /upload", "POST /d1/database/id-of-tern/import"];

test("an empty account gets the database, its tables, the Worker, its domain and its schedule", async () => {
  const output = await deploy("--url", URL);
  const changes = cloudflare.takeChanges();
  expect(changes.slice(0, 9)).toEqual(["POST /d1/database", ...IMPORT, ...QUEUES, "PUT /workers/scripts/tern"]);
  expect(changes).toContain("PUT /workers/scripts/tern/schedules");
  expect(await versionOf(cloudflare.account.data)).toBe(listMigrations().length);
  expect(cloudflare.account.worker).toContain(`{"name":"BASE_URL","type":"plain_text","text":"${URL}"}`);
  expect(cloudflare.account.worker).toContain('{"name":"DB","type":"d1","id":"id-of-tern"}');
  expect(cloudflare.account.domains).toContain('"origins":[{"hostname":"go.example"}]');
  expect(output).toContain(`The service is at ${URL}`);
});

test("deploying again makes nothing again", async () => {
  await deploy("--url", URL);
  cloudflare.takeChanges();
  await deploy("--url", URL);
  expect(cloudflare.takeChanges()[0]).toBe("POST /workers/scripts/tern/versions");
});

test("an older version's database is migrated with what is in it; a migration that fails changes nothing", async () => {
  vi.spyOn(console, "log").mockReturnValue();
  onTestFinished(() => void vi.restoreAllMocks());
  const config = { d1_databases: [{ binding: "DB", database_name: "tern" }], queues: {} };
  const { data } = cloudflare.account;
  await haveDatabase();
  await data.prepare("INSERT INTO accounts (uuid, name, created_at) VALUES ('1', 'Ann', 0)").run();

  const add = "ALTER TABLE accounts ADD COLUMN plan TEXT NOT NULL DEFAULT 'free';";
  const fill = `UPDATE accounts SET plan = 'paid' WHERE name = 'Ann';`;
  const failing = `${fill} INSERT INTO accounts (uuid, name, created_at) VALUES ('1', 'Bob', 0);`;
  await expect(provideResources(config, withFurther(add, failing))).rejects.toThrow(
    /-further.sql failed. The database DB is of version \d+, as before.\n[^]*UNIQUE constraint failed: accounts.uuid/,
  );
  expect(cloudflare.takeChanges()).toEqual([...IMPORT, ...IMPORT]);
  expect((await data.prepare("SELECT name, plan FROM accounts").all()).results).toEqual([
    { name: "Ann", plan: "free" },
  ]);

  await provideResources(config, withFurther(add, fill));
  expect(cloudflare.takeChanges()).toEqual(IMPORT);
  expect((await data.prepare("SELECT name, plan FROM accounts").all()).results).toEqual([
    { name: "Ann", plan: "paid" },
  ]);
});

test.each([
  ["is newer", "INSERT INTO schema_migrations VALUES (99)", "is of version 99"],
  ["lacks an index", "DROP INDEX links_by_slug", "in another form: links_by_slug"],
])("a database that %s is refused before anything is changed", async (_, change, problem) => {
  await haveDatabase();
  await cloudflare.account.data.prepare(change).run();
  const { exitCode, errors } = await runScript("deploy.ts", ["--url", URL], cloudflare.environment);
  expect(exitCode).toBe(1);
  expect(errors).toContain(problem);
  expect(errors).not.toContain("wrangler login");
  expect(cloudflare.takeChanges()).toEqual([]);
});

test("the first deployment brings an encryption key, which no later one replaces", async () => {
  await deploy("--url", URL);
  const key = cloudflare.account.secrets.get("ENCRYPTION_KEYS");
  expect(key).toMatch(/^k1:[\w+/]{43}=$/);
  await deploy("--url", URL);
  expect(cloudflare.account.secrets.get("ENCRYPTION_KEYS")).toBe(key);
  // One that was deployed without it gets it too.
  cloudflare.account.secrets.clear();
  await deploy("--url", URL);
  expect(cloudflare.account.secrets.get("ENCRYPTION_KEYS")).not.toBe(key);
});

test("queues of the configuration are made where they are missing, dead-letter queues too", async () => {
  cloudflare.account.queues.add("alpha");
  const queues = {
    producers: [{ binding: "A", queue: "alpha" }],
    consumers: [{ queue: "alpha", dead_letter_queue: "omega" }],
  };
  await provideResources({ d1_databases: [], queues });
  expect(cloudflare.takeChanges()).toEqual(["POST /queues"]);
  expect([...cloudflare.account.queues]).toEqual(["alpha", "omega"]);
});

test("a dry run needs no account, says what would be done and does none of it", async () => {
  const credentials = { CLOUDFLARE_API_TOKEN: "", CLOUDFLARE_ACCOUNT_ID: "" };
  const { exitCode, output, errors } = await runScript("deploy.ts", ["--url", `${URL}/`, "--dry-run"], {
    ...cloudflare.environment,
    ...credentials,
  });
  expect([exitCode, errors]).toEqual([0, ""]);
  expect(output).toContain('not done: Make the D1 database "tern"');
  expect(output).toContain(
    "not done: wrangler deploy --var=BASE_URL:https://go.example --domain=go.example --minify --dry-run",
  );
  expect(cloudflare.takeChanges()).toEqual([]);
});

test("a route of the caller's own takes the place of the domain", async () => {
  const output = await deploy("--url", URL, "--dry-run", "--route", "go.example/*");
  expect(output).toContain("--minify --dry-run --route go.example/*");
  expect(output).not.toContain("--domain");
});

test("a step that fails ends the deployment with its message", async () => {
  const { exitCode, errors } = await runScript("deploy.ts", ["--url", URL], {
    ...cloudflare.environment,
    CLOUDFLARE_ACCOUNT_ID: "another-account",
  });
  expect(exitCode).toBe(1);
  expect(errors).toContain("/d1/database");
  expect(errors).toContain("npx wrangler login");
  expect(cloudflare.account.worker).toBeNull();
});

test("on workers.dev there is no domain to add", async () => {
  const output = await deploy("--url=https://tern.someone.workers.dev", "--dry-run");
  expect(output).toContain("wrangler deploy --var=BASE_URL:https://tern.someone.workers.dev --minify --dry-run");
});

test.each([
  [[], "Usage: npm run deploy"],
  [["--url", "go.example"], "is not a URL"],
])("%j is wrong usage", async (args, problem) => {
  const { exitCode, errors } = await runScript("deploy.ts", args, cloudflare.environment);
  expect(exitCode).toBe(2);
  expect(errors).toContain(problem);
});
