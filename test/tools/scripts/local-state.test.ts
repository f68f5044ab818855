import { execFileSync, spawn } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { withLocalDatabase } from "../../../tools/scripts/local-database.ts";
import { readSchema } from "../../../tools/scripts/migrations.ts";
import { ROOT, WRANGLER, wranglerEnvironment } from "../../../tools/scripts/wrangler.ts";
import { until } from "../../support/until.ts";
import { descendants, expectAllEnded, postLink, runScript, startService, temporaryFolder } from "./support/command.ts";

const folder = temporaryFolder();
const [state, keyFile, file] = [join(folder, "state"), join(folder, "key"), join(folder, "backup.jsonl.gz")];

/** Opens the local D1 database as another process does. */
function open(stateFolder: string): DatabaseSync {
  const name = globSync("v3/d1/*/*.sqlite", { cwd: stateFolder }).find((path) => !path.includes("metadata")) ?? "";
  return new DatabaseSync(join(stateFolder, name));
}

test("one state has one service, whose address the others name, and which leaves nothing behind if it is killed", async () => {
  const first = await startService(state, keyFile);
  const address = first.origin.replace("127.0.0.1", "localhost");
  const message = `The service runs with the data in ${state}. Stop it first (npm start, at ${address})`;
  for (const [script, ...args] of [
    ["start.ts", "--port=0"],
    ["backup.ts", "--out", file],
  ] as const) {
    const { exitCode, errors } = await runScript(script, [...args, "--persist-to", state]);
    expect([exitCode, errors]).toEqual([1, expect.stringContaining(message)]);
  }
  const dev = await runWranglerDev(state);
  expect(dev.match(/The service runs/g)).toHaveLength(1);
  expect(dev).toContain(message);

  const pids = first.processes();
  first.send("SIGKILL");
  await expectAllEnded(pids);
  const second = await startService(state, keyFile);
  await second.stop();
});

test("while another process has the database locked, visitors get links of the caches, and else a 503", async () => {
  const service = await startService(state, keyFile);
  const visit = (slug: string) => fetch(`${service.origin}/${slug}`, { redirect: "manual" });
  const [seen, unseen] = [await postLink(service, "/api/links"), await postLink(service, "/api/links")];
  expect((await visit(seen.slug)).status).toBe(302);
  const database = open(state);
  database.exec("BEGIN IMMEDIATE");
  expect((await visit(seen.slug)).status).toBe(302);
  const json = { "Content-Type": "application/json" };
  const headers = { ...json, Authorization: `Bearer ${service.key}` };
  const answers = [
    await visit("no-such-link"),
    await fetch(`${service.origin}/api/links`, { headers }),
    await fetch(`${service.origin}/api/links`, { method: "POST", headers, body: '{"url":"https://example.com/"}' }),
    await fetch(`${service.origin}/api/shorten`, {
      method: "POST",
      headers: json,
      body: '{"url":"https://example.com/"}',
    }),
  ];
  for (const answer of answers) {
    expect(answer.status, answer.url).toBe(503);
    expect(await answer.text()).not.toMatch(/locked|SQLITE/i);
  }
  database.exec("ROLLBACK");
  database.close();
  expect((await visit(unseen.slug)).status).toBe(302);
  await service.stop();
});

test("a restore that is killed leaves no process that blocks the next one", async () => {
  expect((await runScript("backup.ts", ["--out", file, "--persist-to", state])).exitCode).toBe(0);
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    const restored = join(folder, signal);
    const args = ["tools/scripts/restore.ts", file, "--persist-to", restored];
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    const ended = new Promise((resolve) => child.once("close", resolve));
    // Its temporary Worker begins to run.
    await until(() => execFileSync("ps", ["-eo", "args="], { encoding: "utf8" }).includes(`--persist-to=${restored}`));
    await until(() => descendants(child.pid ?? 0).length > 2);
    const pids = descendants(child.pid ?? 0);
    child.kill(signal);
    await ended;
    await expectAllEnded(pids);
    const { exitCode, output, errors } = await runScript("restore.ts", [file, "--persist-to", restored]);
    expect(exitCode, errors).toBe(0);
    expect(output).toContain(`Restored ${file}`);
  }
});

test("commands say in a sentence that the tables are of other code", async () => {
  const other = join(folder, "other");
  await withLocalDatabase(other, async () => {});
  const database = open(other);
  database.exec("ALTER TABLE users RENAME COLUMN language TO tongue");
  database.close();
  const { version } = readSchema();
  const sentence = `The database in ${other} has version ${version}, but these are missing or differ: users. Use the code that made it.`;
  for (const [script, ...args] of [
    ["start.ts"],
    ["backup.ts", "--out", file],
    ["account.ts", "list"],
    ["restore.ts", "--release-webhooks"],
  ] as const) {
    const { exitCode, errors } = await runScript(script, [...args, "--persist-to", other]);
    expect([script, exitCode]).toEqual([script, 1]);
    expect(errors).toContain(sentence);
    expect(errors).not.toMatch(/^\s+at |no such column/m);
  }
  const dev = await runWranglerDev(other);
  expect(dev).toContain(sentence);
  expect(dev).not.toMatch(/ERROR|_process/);
});

/** Runs `wrangler dev` with a state that it refuses. Returns what it prints. */
async function runWranglerDev(stateFolder: string): Promise<string> {
  const child = spawn(
    process.execPath,
    [WRANGLER, "dev", "--port=0", "--inspector-port=0", "--persist-to", stateFolder],
    {
      cwd: ROOT,
      env: wranglerEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const output = await Promise.all([text(child.stdout), text(child.stderr)]);
  return output.join("");
}
