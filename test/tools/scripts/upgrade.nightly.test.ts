import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toMigrated } from "../../../tools/scripts/local-database.ts";
import { migrate, readSchema } from "../../../tools/scripts/migrations.ts";
import { startCloudflare, type Cloudflare } from "./support/cloudflare.ts";
import { copyProject, runScript, temporaryFolder } from "./support/command.ts";
import { fillStatements } from "./support/filled-version.ts";
import { versionOf } from "./support/migrations.ts";
import { expectUpgraded, makeState } from "./support/old-state.ts";
import { schemaAt } from "./support/versions.ts";
import { startWranglerDev } from "./support/wrangler-dev.ts";

// As upgrade.test.ts, with the real wrangler.

let cloudflare: Cloudflare;
beforeAll(async () => {
  cloudflare = await startCloudflare();
});
afterAll(() => cloudflare.close());

test("wrangler dev brings a state folder of version 1 to the newest version, with its data", async () => {
  const clone = copyProject("dist");
  const state = join(clone, ".wrangler/state");
  const key = await makeState(state, join(clone, "key"));
  const server = await startWranglerDev([], clone, cloudflare);
  await expectUpgraded(server, state, key);
});

test("npm run deploy brings a database of version 1 to the newest version, and keeps its rows", async () => {
  const { account, environment } = cloudflare;
  account.databases.set("tern", "id-of-tern");
  await migrate(toMigrated(account.data, "The database"), schemaAt(1));
  await account.data.batch(fillStatements(1).map((sql) => account.data.prepare(sql)));
  const links = async () => (await account.data.prepare("SELECT * FROM links ORDER BY seq").all()).results;
  const before = await links();
  expect(before).toHaveLength(3);

  const secrets = join(temporaryFolder(), "secrets.json");
  writeFileSync(secrets, JSON.stringify({ ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, "d").toString("base64")}` }));
  const args = ["--url", "https://go.example", "--secrets-file", secrets];
  const { exitCode, errors } = await runScript("deploy.ts", args, environment);
  expect([exitCode, errors]).toEqual([0, ""]);
  expect(await versionOf(account.data)).toBe(readSchema().version);
  expect(await links()).toEqual(before.map((row) => expect.objectContaining(row)));
  expect(account.worker).not.toBeNull();
});
