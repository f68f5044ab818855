import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyProject, runScript } from "./support/command.ts";

test("runs a command of wrangler with the settings of deploy.toml, and names the installation before", async () => {
  const clone = copyProject();
  writeFileSync(
    join(clone, "deploy.toml"),
    `name = "links"
    [env.staging]
    [[env.staging.d1_databases]]
    binding = "DB"
    database_name = "links-staging"`,
  );
  const run = (...args: string[]) =>
    runScript("wrangler-command.ts", args, { CLOUDFLARE_ACCOUNT_ID: "", CLOUDFLARE_API_TOKEN: "" }, clone);
  const { exitCode, output, errors } = await run("rollback", "--help");
  expect([exitCode, errors]).toEqual([0, 'Deployed service: Worker "links", database "tern"\n']);
  expect(output).toContain("wrangler rollback");

  // Only deploy.toml has the environment. A local database needs no account.
  const query = ["d1", "execute", "DB", "--local", "--command", "SELECT 'answer'", "--env", "staging"];
  const ofEnvironment = await run(...query);
  expect([ofEnvironment.exitCode, ofEnvironment.errors]).toEqual([
    0,
    expect.stringContaining('Worker "links-staging", database "links-staging", environment staging\n'),
  ]);
  expect(ofEnvironment.output).toContain("answer");
});

test("without a command it says how it is used", async () => {
  const { exitCode, errors } = await runScript("wrangler-command.ts", []);
  expect([exitCode, errors]).toEqual([2, expect.stringMatching(/^Usage: npm run wrangler -- COMMAND /)]);
});
