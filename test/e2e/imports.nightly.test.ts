import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findRuntime } from "../../tools/bench/load/process.ts";
import type { Import } from "../../src/moving/imports/schemas.ts";
import { until } from "../support/until.ts";
import { createAccount } from "./support/accounts.ts";
import { expectSmallHeaps, traceHeaps } from "./support/heap.ts";
import { startService, type Service } from "./support/service.ts";

// The Worker is killed twice while a file is read, three times while it is imported, and twice while that is undone.

const LINKS = 3_000;
/** Rows that cannot be imported: one of 500 each. */
const EVERY = 500;
/** A limit for a test that hangs. */
const TIMEOUT_MS = 900_000;

const state = mkdtempSync(join(tmpdir(), "tern-imports-"));
let service: Service<"only">;

const logLines: string[] = [];

beforeAll(async () => {
  traceHeaps();
  service = await startService({ only: "one" }, { state });
});
afterAll(async () => {
  await service.stop();
  rmSync(state, { recursive: true, force: true });
});

/** A file in which each row has its own destination. */
function makeFile(): string {
  const rows = Array.from({ length: LINKS }, (_, n) => {
    const url = n % EVERY === 1 ? "javascript:alert(1)" : `https://example.com/${n}`;
    const slug = n % EVERY === 2 ? `S${n - 2}` : n % 3 === 1 && n % EVERY !== 0 ? "" : `s${n}`;
    return `"2021-01-0${1 + (n % 9)} 10:00:00";"";"${slug}";"";"${url}";"A ""title""\r\nof ${n}; ${"x".repeat(50)}";"a|t${n % 7}";"1,${100 + (n % 900)}"\r\n`;
  });
  return `\u{FEFF}createdAt;domain;shortCode;shortUrl;longUrl;title;tags;visits\r\n${rows.join("")}`;
}

/** A few calls come from each address, so that no limit of calls is reached. */
const CALLS_PER_ADDRESS = 8;
let calls = 0;
const headersFor = (key: string, type = "application/json") => ({
  Authorization: `Bearer ${key}`,
  "Content-Type": type,
  "CF-Connecting-IP": `203.0.113.${Math.floor(calls++ / CALLS_PER_ADDRESS) % 250}`,
});

async function readImport(key: string, id: string): Promise<Import> {
  const answer = await service.isolates.only.get(`/api/imports/${id}`, headersFor(key));
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return (answer.json() as { import: Import }).import;
}

async function post(key: string, path: string, body = "", type?: string): Promise<Import> {
  const answer = await service.isolates.only.request("POST", path, { headers: headersFor(key, type), body });
  expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
  return (answer.json() as { import: Import }).import;
}

/** Kills the Worker at moments of a phase of the import, and returns the import once it is inactive. */
async function killWhile(
  key: string,
  id: string,
  { status, kills, total }: { status: Import["status"]; kills: number; total: number },
): Promise<Import> {
  for (let kill = 0; kill < kills; kill++) {
    await until(async () => {
      const found = await readImport(key, id);
      return found.status !== status || found.progress.done >= (kill / (kills + 1)) * total;
    });
    expect((await readImport(key, id)).status).toBe(status);
    process.kill(findRuntime(), "SIGKILL");
    logLines.push(...service.logLines);
    await service.stop();
    service = await startService({ only: "one" }, { state });
  }
  await until(async () => (await readImport(key, id)).status !== status);
  return readImport(key, id);
}

const count = (sql: string) => service.db.prepare(sql).first<number>("n");

it(
  "imports and undoes each of 3,000 links once, although the Worker is killed seven times",
  { timeout: TIMEOUT_MS },
  async () => {
    const { key } = await createAccount(service.db);
    const refused = LINKS / EVERY;
    const created = LINKS - 2 * refused;
    const { id } = await post(key, "/api/imports", makeFile(), "text/csv");
    const ready = await killWhile(key, id, { status: "reading", kills: 2, total: LINKS });
    expect(ready).toMatchObject({ status: "ready", source: "shlink", rows: LINKS });
    expect(Object.fromEntries(ready.problems.map((problem) => [problem.kind, problem.count]))).toEqual({
      invalid_url: refused,
      differs_in_case: refused,
      new_tag: 8,
    });

    await post(key, `/api/imports/${id}/start`);
    const done = await killWhile(key, id, { status: "running", kills: 3, total: LINKS });
    expect(done).toMatchObject({ status: "done", created, skipped: refused, failed: refused });
    expect(await count("SELECT count(*) AS n FROM links")).toBe(created);
    expect(await count("SELECT count(DISTINCT url) AS n FROM links")).toBe(created);
    expect(await count("SELECT links AS n FROM account_usage WHERE links > 0")).toBe(created);
    expect(await count("SELECT sum(imported_clicks >= 1100) AS n FROM links")).toBe(created);
    expect(await count("SELECT count(*) AS n FROM links WHERE title LIKE 'A \"title\" of %; xxx%'")).toBe(created);
    const failures = await service.isolates.only.get(`/api/imports/${id}/failures`, headersFor(key));
    expect(failures.text.match(/^\d+;"?(Not imported|Skipped)/gm)).toHaveLength(2 * refused);

    await post(key, `/api/imports/${id}/undo`);
    expect(await killWhile(key, id, { status: "undoing", kills: 2, total: created })).toMatchObject({
      status: "undone",
      notUndone: 0,
    });
    expect(await count("SELECT count(*) AS n FROM links")).toBe(0);
    expect(await count("SELECT count(*) AS n FROM tags")).toBe(0);
    expect(await count("SELECT count(*) AS n FROM deleted_links")).toBe(created);
    expectSmallHeaps([...logLines, ...service.logLines]);
  },
);
