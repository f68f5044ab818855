import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { withLocalDatabase } from "../../scripts/local-database.ts";
import { isAlive, runScript, startService, temporaryFolder, until, type Service } from "./support/command.ts";
import { withVersionOne } from "./support/migrations.ts";

const DESTINATION = "https://example.com/a/page";

async function post(service: Service, path: string, body: unknown) {
  const response = await fetch(service.origin + path, {
    method: "POST",
    headers: { Authorization: `Bearer ${service.key}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { link: { slug: string } }).link;
}

async function expectAllEnded(pids: number[]) {
  expect(pids.length).toBeGreaterThan(2);
  await until(() => !pids.some(isAlive));
}

describe("a service, from its first start", () => {
  const folder = temporaryFolder();
  const state = join(folder, "state");
  let service: Service;
  let link: { slug: string };
  const start = async (...args: Parameters<typeof startService>) => (service = await startService(...args));
  afterAll(() => service.stop());

  test("an empty folder becomes a running service with a key, a command to try it, and no warnings", async () => {
    await start(state, join(folder, "key"));
    expect(service.key).toMatch(/^svc_sk_live_[0-9a-f]{64}$/);
    const command = /^curl .*$/m.exec(service.output())?.[0] ?? "";
    const answer = execFileSync("sh", ["-c", `${command} --silent`], { encoding: "utf8" });
    const { slug, shortUrl } = (JSON.parse(answer) as { link: { slug: string; shortUrl: string } }).link;
    expect(shortUrl).toBe(`${service.origin.replace("127.0.0.1", "localhost")}/${slug}`);
    const visit = await fetch(`${service.origin}/${slug}`, { redirect: "manual" });
    expect([visit.status, visit.headers.get("Location")]).toEqual([302, "https://example.com/"]);
    expect(service.output()).not.toMatch(/warning|deprecat|experimental|update available|telemetry/i);
  });

  test("the cron handler runs by itself, without a line in the output", async () => {
    await post(service, "/api/links", { url: DESTINATION, expiresAt: Date.now() + 1_000 });
    await until(() => service.output().includes('"job":"expire_links"'));
    expect(service.output()).not.toContain("/cdn-cgi/");
  });

  test("Ctrl-C ends everything that was started, with exit code 0 and no stack trace", async () => {
    link = await post(service, "/api/shorten", { url: DESTINATION });
    const pids = service.processes();
    service.send("SIGINT", "group");
    expect(await service.exit).toBe(0);
    await expectAllEnded(pids);
    expect(service.output()).not.toMatch(/error|^\s+at /im);
  });

  test("the next start has the same key and links; a signal to the command alone ends everything too", async () => {
    const { key } = service;
    await start(state, join(folder, "key"));
    expect(service.key).toBe(key);
    const visit = await fetch(`${service.origin}/${link.slug}`, { redirect: "manual" });
    expect(visit.headers.get("Location")).toBe(DESTINATION);

    const pids = service.processes();
    service.send("SIGTERM");
    expect(await service.exit).toBe(0);
    await expectAllEnded(pids);
  });

  test("the key works with another folder; nothing is left when npm is killed, whose shell passes no signal on", async () => {
    const { key } = service;
    await start(join(folder, "other"), join(folder, "key"), ["npm", "start", "--"]);
    expect(service.key).toBe(key);
    await post(service, "/api/shorten", { url: DESTINATION });

    const pids = service.processes();
    service.send("SIGTERM");
    await service.exit;
    await expectAllEnded(pids);
  });
});

describe("a service with a database of another version", () => {
  const KEY = `svc_sk_live_${"1".repeat(64)}`;

  test("serves the links that the first version left, and finds them", async () => {
    const folder = temporaryFolder();
    await withVersionOne(join(folder, "state"));
    writeFileSync(join(folder, "key"), KEY);
    const service = await startService(join(folder, "state"), join(folder, "key"));
    onTestFinished(() => service.stop());
    const visit = await fetch(`${service.origin}/poster`, { redirect: "manual" });
    expect([visit.status, visit.headers.get("Location")]).toEqual([302, "https://example.com/spring"]);
    const found = await fetch(`${service.origin}/api/links?search=spring&tag=sale`, {
      headers: { Authorization: `Bearer ${KEY}` },
    });
    expect(await found.json()).toMatchObject({ links: [{ slug: "Poster", title: "Spring sale" }] });
  });

  test("does not start with a newer one, and says what to do", async () => {
    const folder = temporaryFolder();
    const fromTheFuture = (database: D1Database) => database.prepare("INSERT INTO schema_migrations VALUES (99)").run();
    await withLocalDatabase(folder, fromTheFuture);
    const { exitCode, output, errors } = await runScript("start.ts", ["--persist-to", folder, "--port=0"]);
    expect([exitCode, output]).toEqual([1, ""]);
    expect(errors).toContain(`The database in ${folder} is of version 99`);
    expect(errors).toContain("delete that folder");
  });
});

test("a port that is taken is named, with what to do about it", async () => {
  const folder = temporaryFolder();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { exitCode, errors } = await runScript("start.ts", ["--port", String(port), "--persist-to", folder]);
  server.close();
  expect(exitCode).toBe(1);
  expect(errors).toContain(`Port ${port} is in use`);
  expect(errors).toContain("npm start -- --port NUMBER");
});

test.each(["abc", "70000", "-1"])("--port=%s is wrong usage", async (port) => {
  const { exitCode, errors } = await runScript("start.ts", [`--port=${port}`]);
  expect(exitCode).toBe(2);
  expect(errors).toMatch(/^--port must be a number from 0 to 65535/);
});

test("when wrangler ends by itself, its message and exit code are passed on", async () => {
  const folder = temporaryFolder();
  const args = ["--persist-to", join(folder, "state"), "--port=0", "--no-such-option"];
  const { exitCode, errors } = await runScript("start.ts", args, { TERN_DEMO_KEY_FILE: join(folder, "key") });
  expect(exitCode).toBe(1);
  expect(errors).toMatch(/Unknown argument/);
  expect(errors.trimEnd()).toMatch(/wrangler dev ended by itself with exit code 1\.$/);
});
