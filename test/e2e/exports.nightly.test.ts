import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BlobReader, TextWriter, ZipReader } from "@zip.js/zip.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findRuntime } from "../../tools/bench/load/process.ts";
import { ClickMessageBuilder } from "../../src/click-log/capture/message.ts";
import type { ExportState } from "../../src/moving/exports/export.ts";
import { newId, newIds } from "../../src/platform/lib/uuid.ts";
import { sequenceOf } from "../../src/links/store/sequence.ts";
import { hashToken, newToken } from "../../src/platform/lib/token.ts";
import { until } from "../support/until.ts";
import { createAccount } from "./support/accounts.ts";
import { expectSmallHeaps, traceHeaps } from "./support/heap.ts";
import { startService, type Service } from "./support/service.ts";

// An account with 5,000 links and 50,000 clicks is exported, while the Worker is killed twice. Then files of 10,000 links
// and of QR codes are written, while it is killed three times for each.

const LINKS = 5_000;
const FILE_LINKS = 10_000;
const CODES = 1_000;
const CLICKS = 50_000;
const CLICKS_PER_MESSAGE = 200;
const ORIGIN = "https://tern.test";
/** A limit for a test that hangs. */
const TIMEOUT_MS = 400_000;

const state = mkdtempSync(join(tmpdir(), "tern-exports-"));
const cookie = newToken();
let service: Service<"only">;

beforeAll(async () => {
  traceHeaps();
  service = await startService({ only: "one" }, { state });
});
afterAll(async () => {
  await service.stop();
  rmSync(state, { recursive: true, force: true });
});

async function signIn(accountId: number): Promise<string> {
  const [user, now] = [newId(Date.now()), Date.now()];
  await service.db.batch([
    service.db
      .prepare("INSERT INTO users VALUES (?1, 'ann@example.com', 'ann@example.com', 'Ann', NULL, 0, '', NULL, NULL)")
      .bind(user),
    service.db
      .prepare("INSERT INTO sessions VALUES (?1, ?2, ?3, ?4, ?4, ?4, '', '', '', NULL, NULL, NULL, NULL)")
      .bind(newId(now), await hashToken(cookie), user, now),
    service.db.prepare("INSERT INTO memberships VALUES (?1, ?2, 'owner', 0)").bind(accountId, user),
  ]);
  const uuid = await service.db
    .prepare("SELECT uuid FROM accounts WHERE id = ?1")
    .bind(accountId)
    .first<string>("uuid");
  return uuid ?? "";
}

async function insertLinks(accountId: number, count: number): Promise<string[]> {
  const now = Date.now() - 60_000;
  const ids = Array.from({ length: count / 100 }, (_, page) => newIds(now + page, 100)).flat();
  const rows = ids.map((id, index) => [sequenceOf(id), id, `slug-${accountId}-${index}`]);
  await service.db
    .prepare(
      `INSERT INTO links (seq, id, account_id, domain, slug, url, title, status, redirect_status, created_at, updated_at)
       SELECT CAST(value ->> 0 AS INTEGER), value ->> 1, ?2, '', value ->> 2, 'https://example.com/' || (value ->> 2),
         'A title', 'active', 302, ?3, ?3 FROM json_each(?1)`,
    )
    .bind(JSON.stringify(rows), accountId, now)
    .run();
  return ids;
}

async function storeClicks(accountId: number, links: readonly string[]): Promise<void> {
  for (let first = 0; first < CLICKS; first += CLICKS_PER_MESSAGE) {
    const builder = new ClickMessageBuilder();
    for (let n = first; n < first + CLICKS_PER_MESSAGE; n++) {
      const link = links[Math.floor(n / 37) % LINKS] ?? "";
      // A click that is older than a week is not stored.
      const at = Date.now() - (n % 6) * 86_400_000;
      const target = { location: "https://example.com/" };
      const agent = `Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/${100 + (n % 40)}.0`;
      builder.add([at, link, accountId, target, `203.0.113.${n % 250}`, agent, "", "DE", "BE", "Berlin", "EU", 0]);
    }
    const message = { id: String(first), timestamp: new Date(), attempts: 1, body: builder.toMessage() };
    expect((await service.handOut("tern-clicks", [message])).outcome).toBe("ok");
  }
}

const headersFor = (account: string) => ({ Cookie: `__Host-tern=${cookie}`, "X-Account-Id": account, Origin: ORIGIN });

async function readState(account: string, id: string): Promise<ExportState> {
  const answer = await service.isolates.only.get(`/api/account/exports/${id}`, headersFor(account));
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return (answer.json() as { export: ExportState }).export;
}

async function killAndRestart(logLines: string[]): Promise<void> {
  process.kill(findRuntime(), "SIGKILL");
  await service.stop();
  logLines.push(...service.logLines);
  service = await startService({ only: "one" }, { state });
}

function download(path: string, headers: Record<string, string>): Promise<{ length: number; file: Buffer }> {
  const { hostname, port } = service.isolates.only.address;
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers: { Host: "tern.test", ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ length: Number(response.headers["content-length"]), file: Buffer.concat(chunks) }),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
}

it(
  "has each of 5,000 links and 50,000 clicks once after the Worker was killed, with a small heap",
  { timeout: TIMEOUT_MS },
  async () => {
    const { accountId } = await createAccount(service.db);
    const account = await signIn(accountId);
    const links = await insertLinks(accountId, LINKS);
    await storeClicks(accountId, links);
    const logLines = [...service.logLines];
    const started = await service.isolates.only.request("POST", "/api/account/exports", {
      headers: headersFor(account),
    });
    expect([started.status, started.text]).toEqual([202, expect.any(String)]);
    const { id } = (started.json() as { export: ExportState }).export;
    for (const part of [0.05, 0.4]) {
      await until(async () => {
        const { progress, status } = await readState(account, id);
        return status === "running" && progress.done > part * (LINKS + CLICKS);
      });
      expect((await readState(account, id)).status).toBe("running");
      await killAndRestart(logLines);
    }
    await until(async () => (await readState(account, id)).status === "done");
    const { length, file } = await download(`/api/account/exports/${id}/file`, headersFor(account));
    expect(file.byteLength).toBe(length);

    const reader = new ZipReader(new BlobReader(new Blob([new Uint8Array(file)])), { checkSignature: true });
    const texts = new Map<string, string>();
    for (const entry of await reader.getEntries())
      if (!entry.directory) texts.set(entry.filename, await entry.getData(new TextWriter()));
    const idsIn = (name: string) =>
      (texts.get(name) ?? "")
        .split("\n")
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(new Set(idsIn("links.jsonl"))).toEqual(new Set(links));
    expect(idsIn("links.jsonl")).toHaveLength(LINKS);
    expect(new Set(idsIn("clicks.jsonl")).size).toBe(CLICKS);
    expect(idsIn("clicks.jsonl")).toHaveLength(CLICKS);
    const lines = (name: string) => (texts.get(name) ?? "").split("\r\n").length - 2;
    expect([lines("links.csv"), lines("clicks.csv")]).toEqual([LINKS, CLICKS]);

    console.log(`${file.byteLength} bytes`);
    expectSmallHeaps([...logLines, ...service.logLines]);
  },
);

async function readFileState(headers: Record<string, string>, id: string): Promise<ExportState> {
  const answer = await service.isolates.only.get(`/api/exports/${id}`, headers);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return (answer.json() as { export: ExportState }).export;
}

/** Exports while the Worker is killed at each of these shares of the records. Returns the file. */
async function exportWhileKilled(
  headers: Record<string, string>,
  body: object,
  records: number,
  logLines: string[],
): Promise<Buffer> {
  const started = await service.isolates.only.request("POST", "/api/exports", { headers, body: JSON.stringify(body) });
  expect([started.status, started.text]).toEqual([202, expect.any(String)]);
  const { id } = (started.json() as { export: ExportState }).export;
  let kills = 0;
  for (const part of [0.05, 0.3, 0.5]) {
    await until(async () => (await readFileState(headers, id)).progress.done > part * records);
    if ((await readFileState(headers, id)).status === "running") kills++;
    await killAndRestart(logLines);
  }
  expect(kills).toBeGreaterThan(0);
  await until(async () => (await readFileState(headers, id)).status === "done");
  expect((await readFileState(headers, id)).progress).toEqual({ done: records, total: records });
  const { length, file } = await download(`/api/exports/${id}/file`, headers);
  expect(file.byteLength).toBe(length);
  return file;
}

it(
  "writes each of 10,000 links and each QR code once although the Worker is killed three times",
  { timeout: TIMEOUT_MS },
  async () => {
    const { accountId, key } = await createAccount(service.db);
    const links = await insertLinks(accountId, FILE_LINKS);
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const logLines = [...service.logLines];
    const csv = await exportWhileKilled(headers, { kind: "links" }, FILE_LINKS, logLines);
    const rows = csv.toString().split("\r\n").slice(1, -1);
    expect(new Set(rows.map((row) => row.slice(0, 36)))).toEqual(new Set(links));
    expect(rows).toHaveLength(FILE_LINKS);

    await service.db
      .prepare("UPDATE links SET archived = 1 WHERE seq IN (SELECT seq FROM links WHERE account_id = ?1 LIMIT ?2)")
      .bind(accountId, FILE_LINKS - CODES)
      .run();
    const listed = await service.db
      .prepare("SELECT slug FROM links WHERE account_id = ?1 AND NOT archived")
      .bind(accountId)
      .all<{ slug: string }>();
    const names = listed.results.map(({ slug }) => `tern.test-${slug}.svg`);
    const zip = await exportWhileKilled(headers, { kind: "qr" }, names.length, logLines);
    const reader = new ZipReader(new BlobReader(new Blob([new Uint8Array(zip)])), { checkSignature: true });
    const entries = await reader.getEntries();
    expect(entries.map(({ filename }) => filename).toSorted()).toEqual(names.toSorted());
    for (const entry of entries)
      if (!entry.directory) expect(await entry.getData(new TextWriter())).toMatch(/^<svg .*<\/svg>$/);
  },
);
