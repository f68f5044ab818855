import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { generateKey } from "../../../src/platform/auth/key.ts";
import { expectAllEnded, postLink, runScript, startService, temporaryFolder } from "./support/command.ts";

test("the key works with another folder; nothing is left when npm is killed, whose shell passes no signal on", async () => {
  const folder = temporaryFolder();
  const key = generateKey();
  writeFileSync(join(folder, "key"), key);
  const service = await startService(join(folder, "state"), join(folder, "key"), ["npm", "start", "--"]);
  onTestFinished(() => service.stop());
  expect(service.key).toBe(key);
  await postLink(service, "/api/shorten");

  const pids = service.processes();
  service.send("SIGTERM");
  await service.exit;
  await expectAllEnded(pids);
});

test("if wrangler ends by itself, its message and exit code are passed on", async () => {
  const folder = temporaryFolder();
  const args = ["--persist-to", join(folder, "state"), "--port=0", "--assets=/no/such/folder"];
  const { exitCode, errors } = await runScript("start.ts", args, { TERN_DEMO_KEY_FILE: join(folder, "key") });
  expect(exitCode).toBe(1);
  expect(errors).toMatch(/does not exist/);
  expect(errors.trimEnd()).toMatch(/wrangler dev ended unexpectedly with exit code 1\.$/);
});
