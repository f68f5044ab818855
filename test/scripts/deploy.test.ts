import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { resourcesOf } from "../../scripts/cloud-resources.ts";
import { LIST_OBJECTS, missingFrom, readSchema } from "../../scripts/schema.ts";
import { startCloudflare, type Cloudflare } from "./support/cloudflare.ts";
import { runScript } from "./support/command.ts";

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

async function missing() {
  const { results } = await cloudflare.account.data.prepare(LIST_OBJECTS).all<{ sql: string }>();
  return missingFrom(
    readSchema(),
    results.map(({ sql }) => sql),
  );
}

// Two, and a dead-letter queue for each.
const QUEUES = Array.from({ length: 4 }, () => "POST /queues");
const IMPORT = ["POST /d1/database/id-of-tern/import", "PUT /upload", "POST /d1/database/id-of-tern/import"];

test("an empty account gets the database, its schema, the Worker, its domain and its schedule", async () => {
  const output = await deploy("--url", URL);
  const changes = cloudflare.takeChanges();
  expect(changes.slice(0, 9)).toEqual(["POST /d1/database", ...IMPORT, ...QUEUES, "PUT /workers/scripts/tern"]);
  expect(changes).toContain("PUT /workers/scripts/tern/schedules");
  expect(await missing()).toEqual([]);
  expect(cloudflare.account.worker).toContain(`{"name":"BASE_URL","type":"plain_text","text":"${URL}"}`);
  expect(cloudflare.account.worker).toContain('{"name":"DB","type":"d1","id":"id-of-tern"}');
  expect(cloudflare.account.domains).toContain('"origins":[{"hostname":"go.example"}]');
  expect(output).toContain(`The service is at ${URL}`);
});

test("deploying again makes no second database, and touches the schema only where something is missing", async () => {
  await deploy("--url", URL);
  cloudflare.takeChanges();
  await deploy("--url", URL);
  expect(cloudflare.takeChanges()[0]).toBe("POST /workers/scripts/tern/versions");

  await cloudflare.account.data.prepare("DROP INDEX links_by_slug").run();
  await deploy("--url", URL);
  expect(cloudflare.takeChanges().slice(0, 4)).toEqual([...IMPORT, "POST /workers/scripts/tern/versions"]);
  expect(await missing()).toEqual([]);
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
  for (const [name, value] of Object.entries(cloudflare.environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  cloudflare.account.queues.add("alpha");
  const queues = {
    producers: [{ binding: "A", queue: "alpha" }],
    consumers: [{ queue: "alpha", dead_letter_queue: "omega" }],
  };
  for (const resource of resourcesOf({ d1_databases: [], queues }, [])) await resource.provide();
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
