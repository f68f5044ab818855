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

test("--unclaimed starts without an owner: the printed code claims it, and what is claimed starts so no more", async () => {
  const folder = temporaryFolder();
  const command: [string, ...string[]] = [process.execPath, "tools/scripts/start.ts", "--unclaimed"];
  const service = await startService(join(folder, "state"), join(folder, "key"), command);
  onTestFinished(() => service.stop());
  const address = service.origin.replace("127.0.0.1", "localhost");
  expect(service.output()).toContain(`Or open ${address}/app/claim#token=${service.key}`);
  expect(service.output()).not.toContain("API key");
  const claim = (code: string) =>
    fetch(`${service.origin}/api/claim`, {
      method: "POST",
      headers: { Host: new URL(address).host, Origin: address, "Content-Type": "application/json" },
      body: JSON.stringify({ code, email: "ann@example.com", name: "Ann", password: "three quiet herons at dusk" }),
    });
  expect((await claim("00000-00000-00000-00000-00000-0")).status).toBe(400);
  expect((await claim(service.key)).status).toBe(200);
  expect((await claim(service.key)).status).toBe(409);
  await service.stop();

  const args = ["--unclaimed", "--persist-to", join(folder, "state"), "--port=0"];
  const { exitCode, errors } = await runScript("start.ts", args);
  expect([exitCode, errors]).toEqual([1, expect.stringContaining("The data has an owner already.")]);
});
