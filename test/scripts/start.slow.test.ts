import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { generateKey } from "../../src/auth/key.ts";
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

test("with --split the full Worker's cron runs, and the redirect Worker serves links that its API made", async () => {
  const folder = temporaryFolder();
  const command: [string, ...string[]] = [process.execPath, "scripts/start.ts", "--split"];
  const service = await startService(join(folder, "state"), join(folder, "key"), command);
  onTestFinished(() => service.stop());
  const { slug } = await postLink(service, "/api/links");
  const visit = await fetch(`${service.origin}/${slug}`, { redirect: "manual" });
  expect(visit.headers.get("location")).toBe("https://example.com/a/page");
  const page = await (await fetch(`${service.origin}/app`)).text();
  const script = await fetch(`${service.origin}${/"(\/_app\/[^"]+\.js)"/.exec(page)?.[1]}`);
  expect([script.status, script.headers.get("content-type")]).toEqual([200, expect.stringContaining("javascript")]);
});

test("if wrangler ends by itself, its message and exit code are passed on", async () => {
  const folder = temporaryFolder();
  const args = ["--persist-to", join(folder, "state"), "--port=0", "--assets=/no/such/folder"];
  const { exitCode, errors } = await runScript("start.ts", args, { TERN_DEMO_KEY_FILE: join(folder, "key") });
  expect(exitCode).toBe(1);
  expect(errors).toMatch(/does not exist/);
  expect(errors.trimEnd()).toMatch(/wrangler dev ended unexpectedly with exit code 1\.$/);
});
