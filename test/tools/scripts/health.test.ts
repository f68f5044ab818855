import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { showHealth } from "../../../tools/scripts/health.ts";
import { withLocalDatabase } from "../../../tools/scripts/local-database.ts";
import { DAY_MS } from "../../../src/limits.ts";
import type { HealthState } from "../../../src/access/health/contract.ts";
import { storeHealth } from "../../../src/access/health/store.ts";
import { runScript, temporaryFolder } from "./support/command.ts";
import { emptyDatabase, newDatabase } from "./support/database.ts";
import { FakeWrangler } from "./support/fake-wrangler.ts";

const OK: HealthState = {
  status: "ok",
  checks: { database: "ok", schema: "ok", encryptionKeys: "ok", durableObjects: "ok", queues: "ok" },
  schemaVersion: 1,
  problems: [],
};
const FAILED: HealthState = {
  ...OK,
  status: "failed",
  checks: { ...OK.checks, queues: "failed" },
  problems: [{ check: "queues", problem: "The queues do not respond.", fix: "See the status page." }],
};

/** What `npm run health -- --remote` prints, and its error. */
async function showRemotely(database: D1Database): Promise<{ output: string; failure: string | null }> {
  const account = new FakeWrangler(database);
  account.databases.add("tern");
  const log = vi.spyOn(console, "log").mockReturnValue();
  const failure = await showHealth(["--remote"], account.run).then(
    () => null,
    (error: Error) => error.message,
  );
  const output = log.mock.calls.join("\n");
  log.mockRestore();
  return { output, failure };
}

test("shows the parts of a local service, and exits with 1 if one fails", async () => {
  const folder = join(temporaryFolder(), "state");
  await withLocalDatabase(folder, (database) => storeHealth(database, FAILED, Date.now()));
  const { exitCode, output, errors } = await runScript("health.ts", ["--persist-to", folder]);
  expect([exitCode, errors]).toEqual([1, `Local database in ${folder}\nA part of the service fails.\n`]);
  expect(output).toContain("version of the tables: 1\n  database        ok\n");
  expect(output).toContain("  queues          failed\nqueues: The queues do not respond.\n  See the status page.\n");
});

test("--remote shows the report of the deployed service", async () => {
  const database = await newDatabase();
  await storeHealth(database, OK, Date.now());
  const { output, failure } = await showRemotely(database);
  expect(failure).toBeNull();
  expect(output).toContain("  queues          ok");
});

test("says that the cron does not run if the report is old or missing", async () => {
  const database = await newDatabase();
  expect((await showRemotely(database)).failure).toContain("no report yet");
  await storeHealth(database, OK, Date.now() - DAY_MS);
  expect((await showRemotely(database)).failure).toContain("the cron does not run");
});

test("says that the database has no tables", async () => {
  expect((await showRemotely(await emptyDatabase())).failure).toContain("no tables");
});

test("a name is wrong usage", async () => {
  await expect(showHealth(["now"])).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining("Usage: npm run health -- [--remote | --persist-to DIR] [--env NAME]"),
  });
});
