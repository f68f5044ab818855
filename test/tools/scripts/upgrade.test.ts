import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { deploy } from "../../../tools/scripts/deploy.ts";
import { withLocalDatabase, toMigrated } from "../../../tools/scripts/local-database.ts";
import { migrate, readSchema } from "../../../tools/scripts/migrations.ts";
import { runScript, startService, temporaryFolder } from "./support/command.ts";
import { emptyDatabase } from "./support/database.ts";
import { FakeWrangler } from "./support/fake-wrangler.ts";
import { fillStatements } from "./support/filled-version.ts";
import { versionOf } from "./support/migrations.ts";
import { expectUpgraded, makeState } from "./support/old-state.ts";
import { schemaAt } from "./support/versions.ts";

// An installation of version 1 with data, upgraded by the project's commands. upgrade.nightly.test.ts has the real wrangler.

test("npm start brings a state folder of version 1 to the newest version, with its data", async () => {
  const folder = temporaryFolder();
  const [state, keyFile] = [join(folder, "state"), join(folder, "key")];
  const key = await makeState(state, keyFile);
  const service = await startService(state, keyFile);
  onTestFinished(() => service.stop());
  expect(service.key).toBe(key);
  await expectUpgraded(service, state, key);
});

test("npm start leaves a state folder of a newer version as it is, and says what to do", async () => {
  const folder = temporaryFolder();
  const [state, keyFile] = [join(folder, "state"), join(folder, "key")];
  await makeState(state, keyFile);
  const newer = readSchema().version + 1;
  await withLocalDatabase(state, (database) =>
    database.prepare(`INSERT INTO schema_migrations VALUES (${newer})`).run(),
  );
  const { exitCode, errors } = await runScript("start.ts", ["--persist-to", state], { TERN_DEMO_KEY_FILE: keyFile });
  expect(exitCode).toBe(1);
  expect(errors).toContain(`has version ${newer}, but this code knows none after ${newer - 1}. Use the newer code.`);
});

test("npm run deploy brings a database of version 1 to the newest version before it uploads the code", async () => {
  const account = new FakeWrangler(await emptyDatabase());
  account.databases.add("tern");
  await migrate(toMigrated(account.data, "The database"), schemaAt(1));
  await account.data.batch(fillStatements(1).map((sql) => account.data.prepare(sql)));
  const rows = () =>
    account.data.prepare("SELECT l.slug, a.name FROM links l JOIN accounts a ON a.id = l.account_id").all();
  const { results } = await rows();
  expect(results).toHaveLength(3);

  const secrets = join(temporaryFolder(), "secrets.json");
  writeFileSync(secrets, JSON.stringify({ ENCRYPTION_KEYS: "k1:mine" }));
  vi.spyOn(console, "log").mockReturnValue();
  await deploy(["--url", "https://go.example", "--secrets-file", secrets], account.run, temporaryFolder());
  const changes = account.takeChanges();
  const { version } = readSchema();
  expect(changes.slice(0, version - 1)).toEqual(Array.from({ length: version - 1 }, () => "d1 execute DB"));
  expect(changes.at(-1)).toBe("deploy");
  expect(changes.filter((change) => change.startsWith("d1 "))).toHaveLength(version - 1);
  expect(await versionOf(account.data)).toBe(version);
  expect((await rows()).results).toEqual(results);
});
