import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { beforeEach, expect, test, vi } from "vitest";
import { deploy } from "../../../tools/scripts/deploy.ts";
import { deploymentConfig, installationOptions } from "../../../tools/scripts/deployment-config.ts";
import { CONFIG_FILE, ROOT } from "../../../tools/scripts/wrangler.ts";
import { temporaryFolder } from "./support/command.ts";
import { emptyDatabase } from "./support/database.ts";
import { FakeWrangler } from "./support/fake-wrangler.ts";
import { stagingRecipe } from "./support/staging.ts";

const URL = "https://go.example";

let account: FakeWrangler;
let folder: string;
beforeEach(async () => {
  account = new FakeWrangler(await emptyDatabase());
  account.secrets.set("ENCRYPTION_KEYS", "k1:mine");
  account.deployed = [];
  folder = temporaryFolder();
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  return () => vi.restoreAllMocks();
});

const set = (text: string) => writeFileSync(join(folder, "deploy.toml"), text);
const run = (...args: string[]) => deploy(["--url", URL, ...args], account.run, folder);

test("without deploy.toml, wrangler.toml is used and no file is made", () => {
  expect(deploymentConfig(folder)).toBe(CONFIG_FILE);
  expect(installationOptions("staging", folder)).toEqual(["--env=staging"]);
  expect(existsSync(join(folder, "wrangler.deploy.toml"))).toBe(false);
});

test("tables of deploy.toml are merged into wrangler.toml, and its other values replace those there", () => {
  set(`
    preview_urls = true
    [vars]
    MAIL_FROM = "a@go.example"
    [[send_email]]
    name = "EMAIL"
    [[d1_databases]]
    binding = "DB"
    database_name = "links"
  `);
  const tracked = unstable_readConfig({ config: CONFIG_FILE });
  const config = unstable_readConfig({ config: deploymentConfig(folder) });
  expect(config.vars).toEqual({ ...tracked.vars, MAIL_FROM: "a@go.example" });
  expect(config.send_email).toEqual([{ name: "EMAIL" }]);
  expect(config.d1_databases).toEqual([{ binding: "DB", database_name: "links" }]);
  expect(config.preview_urls).toBe(true);
  for (const key of ["name", "compatibility_flags", "migrations", "queues", "triggers", "observability"] as const)
    expect(config[key]).toEqual(tracked[key]);
});

test("a change of deploy.toml is in the configuration of the next command", () => {
  set('[vars]\nMAIL_FROM = "a@go.example"');
  deploymentConfig(folder);
  set('[vars]\nMAIL_FROM = "b@go.example"');
  expect(installationOptions(undefined, folder)).toEqual([`--config=${join(folder, "wrangler.deploy.toml")}`]);
  expect(readFileSync(join(folder, "wrangler.deploy.toml"), "utf8")).toContain('MAIL_FROM = "b@go.example"');
});

test("a deployment uses the names of deploy.toml for each step", async () => {
  set('name = "links"\n[[d1_databases]]\nbinding = "DB"\ndatabase_name = "links"');
  await run();
  expect(account.takeChanges()[0]).toBe("d1 create links");
  expect(account.deployed).toContain(`--config=${join(folder, "wrangler.deploy.toml")}`);
  await run("--name", "links", "--dry-run");
  await expect(run("--name", "tern")).rejects.toThrow("Write the names into deploy.toml");
});

test("a second installation is an environment in deploy.toml", async () => {
  set(stagingRecipe());
  await run("--env", "staging");
  expect(account.takeChanges()[0]).toBe("d1 create tern-staging");
  expect(installationOptions("staging", folder)).toContain("--env=staging");
});

test("the settings in the documents are accepted", async () => {
  const page = readFileSync(join(ROOT, "docs/self-hosting.md"), "utf8");
  const [, example = ""] = /^## Settings$[^]*?```toml\n([^]*?)```/m.exec(page) ?? [];
  expect(example).toContain("MAIL_FROM");
  set(example);
  await run();
  expect(account.takeChanges().at(-1)).toBe("deploy");
});

test("a configuration that the arguments name is used without deploy.toml", async () => {
  set('name = "links"');
  await run("--config", CONFIG_FILE);
  expect(account.deployed).toEqual(expect.arrayContaining(["--config", CONFIG_FILE]));
  expect(existsSync(join(folder, "wrangler.deploy.toml"))).toBe(false);
});

test.each([
  ["a misspelled table", '[var]\nMAIL = "http"', "cannot set var. It may set alias, d1_databases,"],
  ["what belongs to the code", 'compatibility_date = "2020-01-01"', "cannot set compatibility_date."],
  ["a variable that the service does not have", '[vars]\nMAIL_FORM = "x"', "sets vars.MAIL_FORM, but"],
  ["the same in an environment", '[env.staging.vars]\nMAIL_FORM = "x"', "sets env.staging.vars.MAIL_FORM, but"],
  ["a misspelled table of an environment", "[env.staging.var]\nA = 1", "cannot set env.staging.var."],
  ["no TOML", "[vars", "cannot be read"],
  ["a list without a binding that the code needs", "d1_databases = []", "deploy.toml lacks the database DB."],
])("%s is refused before anything is created", async (_, text, problem) => {
  set(text);
  await expect(run()).rejects.toThrow(problem);
  expect(account.takeChanges()).toEqual([]);
});

test.each([
  ['SCREENING = "yes"', 'SCREENING "yes" must be empty, "on" or the URL'],
  ['SIGN_UP = "everybody"', 'SIGN_UP "everybody" must be empty, open, invited, closed or the domains'],
  ['SIGN_UP = "go.example, @acme.com"', 'SIGN_UP "go.example, @acme.com" must be empty'],
  ['NOT_RECORDED = "gpc, visits"', 'NOT_RECORDED "gpc, visits" may name gpc, orphan-visits and requests'],
  ['CLICK_RETENTION_DAYS = "90"', 'CLICK_RETENTION_DAYS "90" must be two whole days from 7 to 730'],
  ['WRANGLER_DEV = "on"', "WRANGLER_DEV is for your own machine."],
  ['WEBHOOK_ALLOWED_PRIVATE_HOSTS = "127.0.0.1"', "WEBHOOK_ALLOWED_PRIVATE_HOSTS is for your own machine."],
  ['ACCOUNT_LINKS_PER_MINUTE = "1.000"', 'ACCOUNT_LINKS_PER_MINUTE "1.000" must be a whole number from 100 to 100000'],
  ["ACCOUNT_LINKS_PER_MINUTE = 1000", "ACCOUNT_LINKS_PER_MINUTE 1000 must be text, in quotes"],
  ['ANONYMOUS_LINKS_PER_MINUTE = "none"', 'ANONYMOUS_LINKS_PER_MINUTE "none" must be a whole number from 0 to 100000'],
  ['WEBHOOK_MAX_FAILURES = "0"', 'WEBHOOK_MAX_FAILURES "0" must be a whole number from 1'],
  ['DESTINATION_WATCH = "yes"', 'DESTINATION_WATCH "yes" must be empty, on or off (docs/destination-watch.md).'],
  ['DNS_OVER_HTTPS_URL = ""', 'DNS_OVER_HTTPS_URL "" must be a URL that begins with https://'],
  ['PASSWORD_RANGE_URL = "api.example"', 'PASSWORD_RANGE_URL "api.example" must be empty or a URL'],
  ['SECURITY_CONTACT = "a@go.example; b@go.example"', 'b@go.example" must be empty, or e-mail addresses or URLs'],
  ['CLOUDFLARE_SAAS_ZONE_ID = "go.example"', 'CLOUDFLARE_SAAS_ZONE_ID "go.example" must be empty or the id of a zone'],
  ['MAIL_FROM = "Tern tern@go.example"', 'MAIL_FROM "Tern tern@go.example" must be empty or a sender'],
  ['MAIL_FROM = "Tern <tern@localhost>"', 'MAIL_FROM "Tern <tern@localhost>" must be empty or a sender'],
  ['MAIL_FROM = "a@go.example"', "nothing could send the mails. Add [[send_email]]"],
  [`CLOUDFLARE_SAAS_ZONE_ID = "${"0".repeat(32)}"`, "npm run wrangler -- secret put CLOUDFLARE_SAAS_TOKEN"],
])("refuses %s before anything is created, and says what is right", async (setting, message) => {
  set(`[vars]\n${setting}\n`);
  await expect(run()).rejects.toThrow(message);
  expect(account.takeChanges()).toEqual([]);
});

test("mails need the binding or the secret, which the Worker may have or get with the deployment", async () => {
  set('[vars]\nMAIL_FROM = "Tern <a@go.example>"');
  account.secrets.set("MAIL_API_TOKEN", "secret");
  await run();
  account.secrets.delete("MAIL_API_TOKEN");
  const file = join(folder, "secrets.json");
  writeFileSync(file, JSON.stringify({ ENCRYPTION_KEYS: "k1:mine" }));
  await expect(run("--secrets-file", file)).rejects.toThrow("nothing could send the mails");
  writeFileSync(file, JSON.stringify({ MAIL_API_TOKEN: "secret" }));
  await run("--secrets-file", file);
  expect(account.takeChanges().filter((change) => change === "deploy")).toHaveLength(2);
});

test("every variable of wrangler.toml is in the table of the documents, and its default is accepted", async () => {
  const page = readFileSync(join(ROOT, "docs/configuration.md"), "utf8");
  const names = Array.from(page.matchAll(/^\| `([A-Z_]+)` \| .* \| .* \|$/gm), ([, name]) => name);
  const { vars } = unstable_readConfig({ config: CONFIG_FILE });
  expect(Object.keys(vars).toSorted()).toEqual(names.toSorted());
  await run();
  expect(account.takeChanges().at(-1)).toBe("deploy");
});
