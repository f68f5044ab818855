import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findRuntime } from "../../tools/bench/load/process.ts";
import type { BulkJob } from "../../src/links/bulk-jobs/contract.ts";
import { DAY_MS } from "../../src/limits.ts";
import { newIds } from "../../src/platform/lib/uuid.ts";
import { sequenceOf } from "../../src/links/store/sequence.ts";
import { until } from "../support/until.ts";
import { createAccount } from "./support/accounts.ts";
import { startService, type Service } from "./support/service.ts";

// The Worker is killed three times while 2,000 links are changed, and three times while that is undone.

const LINKS = 2_000;
const KILLS = 3;
/** A limit for a test that hangs. */
const TIMEOUT_MS = 400_000;

const state = mkdtempSync(join(tmpdir(), "tern-bulk-"));
let service: Service<"only">;

beforeAll(async () => {
  service = await startService({ only: "one" }, { state });
});
afterAll(async () => {
  await service.stop();
  rmSync(state, { recursive: true, force: true });
});

async function insertLinks(accountId: number): Promise<void> {
  const now = Date.now() - 60_000;
  const ids = Array.from({ length: LINKS / 100 }, (_, page) => newIds(now + page, 100)).flat();
  const rows = ids.map((id, index) => [sequenceOf(id), id, `slug-${index}`]);
  await service.db
    .prepare(
      `INSERT INTO links (seq, id, account_id, domain, slug, url, title, status, redirect_status, created_at, updated_at)
       SELECT CAST(value ->> 0 AS INTEGER), value ->> 1, ?2, '', value ->> 2, 'https://example.com/' || (value ->> 2),
         'A title', 'active', 302, ?3, ?3 FROM json_each(?1)`,
    )
    .bind(JSON.stringify(rows), accountId, now)
    .run();
}

async function storedLinks(): Promise<unknown[]> {
  const { results } = await service.db.prepare("SELECT * FROM links ORDER BY id").all<{ updated_at: number }>();
  return results.map((row) => Object.assign(row, { updated_at: 0 }));
}

/** The number of links by their number of `link.update` events. */
async function countEvents(): Promise<Record<string, number>> {
  const { results } = await service.db
    .prepare(
      `SELECT events, count(*) AS links FROM (
         SELECT count(*) AS events FROM deliveries WHERE type = 'link.update' GROUP BY body ->> '$.data.id') GROUP BY events`,
    )
    .all<{ events: number; links: number }>();
  return Object.fromEntries(results.map(({ events, links }) => [events, links]));
}

/** A few calls come from each address, so that no limit of calls is reached. */
const CALLS_PER_ADDRESS = 8;
let calls = 0;
const headersFor = (key: string) => ({
  Authorization: `Bearer ${key}`,
  "Content-Type": "application/json",
  "CF-Connecting-IP": `203.0.113.${Math.floor(calls++ / CALLS_PER_ADDRESS) % 250}`,
});

async function readJob(key: string, id: string): Promise<BulkJob> {
  const answer = await service.isolates.only.get(`/api/bulk/${id}`, headersFor(key));
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return (answer.json() as { job: BulkJob }).job;
}

async function post(key: string, path: string, body?: object): Promise<BulkJob> {
  const answer = await service.isolates.only.request("POST", path, {
    headers: headersFor(key),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
  return (answer.json() as { job: BulkJob }).job;
}

/** Kills the Worker at three moments of the current phase of the job, and returns the job once it is inactive. */
async function killWhile(key: string, id: string, status: BulkJob["status"]): Promise<BulkJob> {
  for (let kill = 0; kill < KILLS; kill++) {
    await until(async () => {
      const job = await readJob(key, id);
      return job.status === status && job.progress.done > (kill / (KILLS + 1)) * LINKS;
    });
    expect((await readJob(key, id)).status).toBe(status);
    process.kill(findRuntime(), "SIGKILL");
    await service.stop();
    service = await startService({ only: "one" }, { state });
  }
  await until(async () => (await readJob(key, id)).status !== status);
  return readJob(key, id);
}

it(
  "changes and undoes each of 2,000 links once, with one event, although the Worker is killed six times",
  { timeout: TIMEOUT_MS },
  async () => {
    const { accountId, key } = await createAccount(service.db);
    await insertLinks(accountId);
    const before = await storedLinks();
    await service.db
      .prepare(
        `INSERT INTO webhooks (id, account_id, url, host, events, secret, secret_start, status, resume_at, created_at)
         SELECT '01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f', ?1, 'https://hooks.example/', 'hooks.example', '["link.update"]',
           'x', 'x', 'active', ?2, 0`,
      )
      // Nothing is sent.
      .bind(accountId, Date.now() + DAY_MS)
      .run();
    const body = { filter: {}, changes: { addTags: ["killed"], expiresAt: Date.now() - 1 } };
    const { id } = await post(key, "/api/bulk", body);
    expect(await killWhile(key, id, "running")).toMatchObject({
      status: "done",
      progress: { done: LINKS, total: LINKS },
      changed: LINKS,
      unchanged: 0,
      failed: 0,
    });
    const changed = await service.db
      .prepare(`SELECT count(*) AS n FROM links WHERE tags = '["killed"]' AND expires_at IS NOT NULL`)
      .first("n");
    expect(changed).toBe(LINKS);
    expect(await countEvents()).toEqual({ 1: LINKS });

    await post(key, `/api/bulk/${id}/undo`);
    expect(await killWhile(key, id, "undoing")).toMatchObject({ status: "undone", undone: LINKS, notUndone: 0 });
    expect(await storedLinks()).toEqual(before);
    expect(await countEvents()).toEqual({ 2: LINKS });
  },
);
