import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { expectAllEnded, postLink, startService, temporaryFolder, type Service } from "./support/command.ts";
import { COMMAND_TIMEOUT_MS } from "../../support/command-timeout.ts";

const folder = temporaryFolder();
let service: Service;
let link: { slug: string };
afterAll(() => service.stop());

const start = async (...args: string[]) => {
  const command: [string, ...string[]] = [process.execPath, "tools/scripts/start.ts", ...args];
  service = await startService(join(folder, "state"), join(folder, "key"), command);
};

test("an empty folder becomes a running service with a key, a command to try it, and no warnings", async () => {
  await start();
  expect(service.key).toMatch(/^svc_sk_live_[0-9a-f]{64}$/);
  const command = /^curl .*$/m.exec(service.output())?.[0] ?? "";
  const response = execFileSync("sh", ["-c", `${command} --silent`], { encoding: "utf8", timeout: COMMAND_TIMEOUT_MS });
  const { slug, shortUrl } = (JSON.parse(response) as { link: { slug: string; shortUrl: string } }).link;
  expect(shortUrl).toBe(`${service.origin.replace("127.0.0.1", "localhost")}/${slug}`);
  const visit = await fetch(`${service.origin}/${slug}`, { redirect: "manual" });
  expect([visit.status, visit.headers.get("Location")]).toEqual([302, "https://example.com/"]);
  expect(service.output().match(/access to the following bindings/g)).toHaveLength(1);
  expect(service.output()).not.toMatch(/warning|deprecat|experimental|update available|telemetry/i);
});

test("the cron handler runs by itself, without a line in the output", async () => {
  await postLink(service, "/api/links", { expiresAt: Date.now() + 1_000 });
  await until(() => service.output().includes('"job":"expire_links"'));
  expect(service.output()).not.toContain("/cdn-cgi/");
});

test("Ctrl-C ends everything that was started, with exit code 0 and no stack trace", async () => {
  link = await postLink(service, "/api/shorten");
  const pids = service.processes();
  service.send("SIGINT", "group");
  expect(await service.exit).toBe(0);
  await expectAllEnded(pids);
  expect(service.output()).not.toMatch(/error|^\s+at /im);
});

test("the next start has the same key and links", async () => {
  const { key } = service;
  // It listens beyond this machine.
  await start("--ip", "0.0.0.0");
  expect(service.key).toBe(key);
  const visit = await fetch(`${service.origin}/${link.slug}`, { redirect: "manual" });
  expect(visit.headers.get("Location")).toBe("https://example.com/a/page");
});

test("the outbox is closed where the service listens beyond this machine, whatever the caller says", async () => {
  const { port } = new URL(service.origin);
  const headers = { "CF-Connecting-IP": "127.0.0.1" };
  expect((await fetch(`http://localhost:${port}/api/auth/outbox`, { headers })).status).toBe(404);
});

test("a signal to the command alone ends everything too", async () => {
  const pids = service.processes();
  service.send("SIGTERM");
  expect(await service.exit).toBe(0);
  await expectAllEnded(pids);
});
