import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSchema } from "../../../tools/scripts/migrations.ts";
import { startCloudflare, type Cloudflare } from "./support/cloudflare.ts";
import { runScript, temporaryFolder } from "./support/command.ts";
import { versionOf } from "./support/migrations.ts";

// The real commands with the real wrangler, which talks to a stand-in of Cloudflare's API.

const URL = "https://go.example";
const IMPORT = ["POST /d1/database/id-of-tern/import", "PUT /upload", "POST /d1/database/id-of-tern/import"];
/** Three, and a dead-letter queue for each. */
const QUEUES = Array.from({ length: 6 }, () => "POST /queues");

let cloudflare: Cloudflare;
beforeAll(async () => {
  cloudflare = await startCloudflare();
});
afterAll(() => cloudflare.close());

async function run(script: string, ...args: string[]) {
  const { exitCode, output, errors } = await runScript(script, args, cloudflare.environment);
  expect([exitCode, errors]).toEqual([0, ""]);
  return output;
}

const KEY = `k1:${Buffer.alloc(32, "d").toString("base64")}`;

function secretsFile(): string {
  const file = join(temporaryFolder(), "secrets.json");
  writeFileSync(file, JSON.stringify({ ENCRYPTION_KEYS: KEY }));
  return file;
}

test("the first deployment without a terminal is refused, because nobody could read its key", async () => {
  const { exitCode, errors } = await runScript("deploy.ts", ["--url", URL], cloudflare.environment);
  expect(exitCode).toBe(1);
  expect(errors).toContain("nobody could read a new one");
  expect(cloudflare.takeChanges()).toEqual([]);
});

test("a step that fails ends the deployment with wrangler's message and advice", async () => {
  const environment = { ...cloudflare.environment, CLOUDFLARE_ACCOUNT_ID: "another-account" };
  const args = ["--url", URL, "--secrets-file", secretsFile()];
  const { exitCode, errors } = await runScript("deploy.ts", args, environment);
  expect(exitCode).toBe(1);
  expect(errors).toContain("/d1/database");
  expect(errors).toContain("npx wrangler login");
  expect(cloudflare.account.worker).toBeNull();
});

test("an empty account gets the database, its tables, the key, the Worker, its domain and its schedule", async () => {
  const { account } = cloudflare;
  cloudflare.takeChanges();
  const output = await run("deploy.ts", "--url", URL, "--secrets-file", secretsFile());
  const changes = cloudflare.takeChanges();
  expect(changes.slice(0, 13)).toEqual([
    "POST /d1/database",
    ...IMPORT,
    ...QUEUES,
    "POST /workers/scripts/tern/assets-upload-session",
    "POST /workers/assets/upload",
    "PUT /workers/scripts/tern",
  ]);
  const paths = [...account.assets.keys()];
  expect(paths).toEqual(expect.arrayContaining(["/pages/app.html", expect.stringMatching(/^\/_app\/assets\/app-/)]));
  // Neither the stamp nor the manifest of the build.
  expect(paths.filter((path) => !/^\/(_app|pages|documents)\/[^.]/.test(path))).toEqual([]);
  expect(changes).toContain("PUT /workers/scripts/tern/schedules");
  // The permissions of the API token in docs/builds.md are for these parts of Cloudflare's API.
  expect(changes.filter((call) => !/^(POST|PUT) \/(d1|queues|workers\/(scripts|assets)|upload)\b/.test(call))).toEqual(
    [],
  );
  expect(await versionOf(account.data)).toBe(readSchema().version);
  expect(account.worker).toContain(`{"name":"BASE_URL","type":"plain_text","text":"${URL}"}`);
  expect(account.worker).toContain('{"name":"DB","type":"d1","id":"id-of-tern"}');
  expect(account.secrets.get("ENCRYPTION_KEYS")).toBe(KEY);
  expect(account.domains).toContain('"origins":[{"hostname":"go.example"}]');
  expect(output).toContain(`The service runs at ${URL}`);
});

test("deploying again creates nothing again and keeps the key", async () => {
  const key = cloudflare.account.secrets.get("ENCRYPTION_KEYS");
  await run("deploy.ts", "--url", URL);
  expect(cloudflare.takeChanges().slice(0, 2)).toEqual([
    "POST /workers/scripts/tern/assets-upload-session",
    "POST /workers/scripts/tern/versions",
  ]);
  expect(cloudflare.account.secrets.get("ENCRYPTION_KEYS")).toBe(key);
});

test("an account is created in the deployed database", async () => {
  const args = ["create", "Ann", "--remote"];
  const { exitCode, output, errors } = await runScript("account.ts", args, cloudflare.environment);
  expect([exitCode, errors]).toEqual([0, expect.stringMatching(/^Deployed service: .*\n$/)]);
  expect(output).toMatch(/^API key: svc_sk_live_[0-9a-f]{64}$/m);
  const { results } = await cloudflare.account.data.prepare("SELECT name FROM accounts").all();
  expect(results).toEqual([{ name: "Ann" }]);
});
