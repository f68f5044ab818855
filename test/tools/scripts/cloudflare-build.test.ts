import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { unstable_readConfig } from "wrangler";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { deploy } from "../../../tools/scripts/deploy.ts";
import { readSchema } from "../../../tools/scripts/migrations.ts";
import { CONFIG_FILE, ROOT } from "../../../tools/scripts/wrangler.ts";
import { temporaryFolder } from "./support/command.ts";
import { emptyDatabase } from "./support/database.ts";
import { FakeWrangler } from "./support/fake-wrangler.ts";
import { versionOf } from "./support/migrations.ts";

const KEY = /ENCRYPTION_KEYS: (k1:\S+)/;
const SETUP_CODE = "0123456789abcdef0123456789abcdef";

let account: FakeWrangler;
let output: string;
beforeEach(async () => {
  account = new FakeWrangler(await emptyDatabase());
  account.secrets.set("SETUP_CODE", SETUP_CODE);
  output = "";
  vi.spyOn(console, "log").mockImplementation((text: string) => void (output += `${text}\n`));
  vi.stubEnv("WORKERS_CI", "1");
  const { isTTY } = process.stdout;
  process.stdout.isTTY = false;
  return () => {
    process.stdout.isTTY = isTTY;
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  };
});

/** A build, with these settings in `deploy.toml`. Returns its log. */
async function build(settings = "", ...args: string[]): Promise<string> {
  const folder = temporaryFolder();
  if (settings !== "") writeFileSync(join(folder, "deploy.toml"), settings);
  output = "";
  await deploy(args, account.run, folder);
  return output;
}

const claim = (origin: string) =>
  account.data.prepare("UPDATE installation SET claimed_at = 1, claimed_by = 'u', origin = ?1").bind(origin).run();

test("the first build makes everything without a URL, and its log has the key and the way to claim", async () => {
  const log = await build();
  expect(account.takeChanges()).toEqual(
    expect.arrayContaining(["d1 create tern", "queues create tern-clicks", "deploy"]),
  );
  expect(await versionOf(account.data)).toBe(readSchema().version);
  expect(account.deployed).toEqual(["deploy", expect.stringMatching(/^--secrets-file=/)]);
  const key = KEY.exec(log)?.[1];
  expect(key).toMatch(/^k1:[\w+/]{43}=$/);
  expect(account.secrets.get("ENCRYPTION_KEYS")).toBe(key);
  expect(log).toMatch(/Copy this key from this log now[^]*it is nowhere else[^]*can read this log/);
  expect(log).toMatch(/Open \/app at the address on workers\.dev[^]*the setup code that you typed/);
  expect(log).not.toContain(SETUP_CODE);
  expect(await account.data.prepare("SELECT code_hash FROM installation").first("code_hash")).toBeNull();
});

test("no later build makes a key, prints one or says how to claim what is claimed", async () => {
  await build();
  const key = account.secrets.get("ENCRYPTION_KEYS");
  await claim("https://tern.someone.workers.dev");
  account.takeChanges();
  const log = await build();
  expect(account.takeChanges()).toEqual(["deploy"]);
  expect(account.deployed).toEqual(["deploy"]);
  expect(account.secrets.get("ENCRYPTION_KEYS")).toBe(key);
  expect(log).toContain("The service runs at https://tern.someone.workers.dev");
  expect(log).not.toMatch(/k1:|no owner yet/);
});

test("a key that the form gave stays, and no log has it", async () => {
  account.deployed = [];
  account.secrets.set("ENCRYPTION_KEYS", "k1:mine");
  expect(await build()).not.toContain("k1:");
  expect(account.secrets.get("ENCRYPTION_KEYS")).toBe("k1:mine");
});

test("a key is printed too if the build fails after the Worker has got it", async () => {
  account.failsAfterUpload = true;
  await expect(build()).rejects.toThrow("wrangler deploy failed");
  expect(account.secrets.get("ENCRYPTION_KEYS")).toBe(KEY.exec(output)?.[1]);
  account.failsAfterUpload = false;
  expect(await build()).not.toContain("k1:");
});

test("a Worker without the secret SETUP_CODE gets no code in the log, but the command that makes one", async () => {
  account.secrets.clear();
  expect(await build()).toMatch(/no secret SETUP_CODE[^]*npm run account -- setup-code --remote/);
});

test.each([
  ["d1", "D1"],
  ["queues", "Queues"],
  ["secret", "Workers Scripts"],
  ["deploy", "Workers Scripts"],
])(
  "a token that may not use %s fails the build, which names the permission and the way to give it",
  async (kind, right) => {
    account.denied.add(kind);
    const failure = await build().catch(String);
    expect(failure).toContain(`lacks the permission "Account, ${right}: Edit"`);
    expect(failure).toContain("Workers Scripts, D1 and Queues, Edit");
    expect(failure).toMatch(/My Profile, API Tokens[^]*retry the build/);
    expect(failure).not.toContain("wrangler login");
    expect(account.deployed).toBeNull();
  },
);

test("a build takes no host away from an installation that was deployed with a URL", async () => {
  await build("", "--url", "https://go.example");
  await claim("");
  account.takeChanges();
  await expect(build()).rejects.toThrow("Set the build variable TERN_URL");
  expect(account.takeChanges()).toEqual([]);
  vi.stubEnv("TERN_URL", "https://go.example");
  await build();
  expect(account.deployed).toEqual(["deploy", "--var=BASE_URL:https://go.example", "--domain=go.example"]);
});

test("a build without a URL keeps the host of the last deployment with one", async () => {
  await build();
  await build("", "--url", "https://early.example");
  expect(await account.data.prepare("SELECT origin FROM installation").first("origin")).toBe("");
  await claim("https://tern.someone.workers.dev");
  await build("", "--url", "https://go.example");
  expect(await build()).toContain("The service runs at https://go.example");
});

test("a build that is connected to another Worker than the configuration names is refused before anything is created", async () => {
  vi.stubEnv("WRANGLER_CI_OVERRIDE_NAME", "links");
  await expect(build()).rejects.toThrow('Write name = "links"');
  expect(account.takeChanges()).toEqual([]);
});

test("without a URL somebody can reach the Worker, and links without an account get no host that takes workers.dev away", async () => {
  await expect(build("workers_dev = false")).rejects.toThrow("needs workers_dev = true, or routes");
  await expect(build('[vars]\nANONYMOUS_HOST = "go.example.net"')).rejects.toThrow("needs workers_dev = true");
  await build('workers_dev = true\n[vars]\nANONYMOUS_HOST = "go.example.net"', "--dry-run");
  expect(output).toContain("--domain=go.example.net");
});

test("elsewhere a deployment without a URL is wrong usage, unless the settings have BASE_URL", async () => {
  vi.stubEnv("WORKERS_CI", "");
  for (const isTTY of [true, false]) {
    process.stdout.isTTY = isTTY;
    await expect(build()).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining("Usage:") });
  }
  await build('[vars]\nBASE_URL = "https://set.example"', "--dry-run");
  expect(output).toContain("wrangler deploy --var=BASE_URL:https://set.example --domain=set.example");
});

/** https://developers.cloudflare.com/workers/platform/deploy-buttons/ and /workers/ci-cd/builds/configuration/, as of autumn 2026. */
describe("what Cloudflare documents about the button", () => {
  const { scripts, cloudflare } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
    cloudflare: { bindings: Record<string, { description: string }> };
  };
  const config = unstable_readConfig({ config: CONFIG_FILE });
  const example = readFileSync(join(ROOT, ".dev.vars.example"), "utf8");
  const asked = Array.from(example.matchAll(/^(\w+)=(.*)$/gm), ([, name, value]) => [name, value]);

  test("it runs the scripts build and deploy, and not the build command of wrangler.toml", () => {
    expect(scripts["deploy"]).toMatch(/ tools\/scripts\/deploy\.ts$/);
    expect(scripts["build"]).toMatch(/ tools\/scripts\/build-hook\.js$/);
    expect(config.build.command).toContain("#build-hook");
  });

  test("it needs a name for each resource, and writes ids of the account itself", () => {
    const tables = parse(readFileSync(CONFIG_FILE, "utf8"));
    expect(config.d1_databases).toMatchObject([{ binding: "DB", database_name: "tern" }]);
    for (const { queue } of [...(config.queues.producers ?? []), ...(config.queues.consumers ?? [])])
      expect(queue).toMatch(/^tern-/);
    expect(JSON.stringify(tables)).not.toMatch(/"(account|database|zone|store)_id":/);
  });

  test("it makes resources of these kinds only", () => {
    const tables = Object.keys(parse(readFileSync(CONFIG_FILE, "utf8")));
    const others = ["name", "main", "compatibility_date", "compatibility_flags", "minify", "keep_names"];
    const settings = ["upload_source_maps", "preview_urls", "build", "alias", "vars", "secrets", "triggers"];
    const made = ["assets", "d1_databases", "durable_objects", "migrations", "queues"];
    expect(tables.filter((name) => ![...others, ...settings, ...made, "observability"].includes(name))).toEqual([]);
  });

  test("its form asks for every secret that the example sets, so for the setup code alone, without a default", () => {
    expect(asked).toEqual([["SETUP_CODE", ""]]);
    expect(config.secrets?.required).toEqual(["ENCRYPTION_KEYS"]);
    expect(example).toContain("# ENCRYPTION_KEYS=\n");
  });

  test("its form describes what it asks for, and what an operator may add", () => {
    expect(Object.keys(cloudflare.bindings)).toEqual(["SETUP_CODE", "ENCRYPTION_KEYS"]);
    for (const { description } of Object.values(cloudflare.bindings)) expect(description).toMatch(/`[^`]+`/);
  });

  test("it needs a name that is that of the Worker, no account and no host", () => {
    expect(config.name).toBe("tern");
    expect([config.account_id, config.routes, config.route, config.workers_dev]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(config.vars["BASE_URL"]).toBe("");
  });
});
