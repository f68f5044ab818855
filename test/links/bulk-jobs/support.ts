import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { BulkJob } from "../../../src/links/bulk-jobs/contract.ts";
import type { Link } from "../../../src/links/contract.ts";
import { call, jsonOf } from "../../support/api.ts";

export const BULK = "/api/bulk";

const ACTIVE: ReadonlySet<string> = new Set(["reading", "running", "undoing"]);

export async function startJob(key: string, body: object): Promise<BulkJob> {
  const response = await call("POST", BULK, { key, body });
  const json = await jsonOf<{ job: BulkJob }>(response);
  expect([response.status, json]).toMatchObject([202, { job: { status: "reading", error: null } }]);
  return json.job;
}

export async function readJob(key: string, id: string): Promise<BulkJob> {
  return (await jsonOf<{ job: BulkJob }>(await call("GET", `${BULK}/${id.toUpperCase()}`, { key }))).job;
}

/** Waits until the job is inactive. Its alarms fire by themselves. */
export async function finish(key: string, id: string): Promise<BulkJob> {
  return vi.waitUntil(
    async () => {
      const job = await readJob(key, id);
      return ACTIVE.has(job.status) ? null : job;
    },
    { timeout: 60_000, interval: 50 },
  );
}

export async function runJob(key: string, body: object): Promise<BulkJob> {
  return finish(key, (await startJob(key, body)).id);
}

export async function act(key: string, id: string, action: string): Promise<{ status: number; job: BulkJob }> {
  const response = await call("POST", `${BULK}/${id}/${action}`, { key });
  return { status: response.status, job: (await jsonOf<{ job: BulkJob }>(response)).job };
}

export async function undoJob(key: string, id: string): Promise<BulkJob> {
  expect((await act(key, id, "undo")).status).toBe(202);
  return finish(key, id);
}

/** The failures, each as "id,code of the fault". Their sentences are for people. */
export async function failuresOf(key: string, id: string): Promise<string[]> {
  const response = await call("GET", `${BULK}/${id}/failures`, { key });
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8"]);
  const [heading, ...lines] = (await response.text()).split("\r\n").slice(0, -1);
  expect(heading).toBe("id,reason,fault");
  return lines.map((line) => line.replace(/,.*,/, ","));
}

/** The account's links as they are stored, by id, without what each change of a link changes. */
export async function storedLinks(accountId: number): Promise<Map<string, Record<string, unknown>>> {
  const { results } = await env.DB.prepare("SELECT * FROM links WHERE account_id = ?1 ORDER BY id")
    .bind(accountId)
    .all<Record<string, unknown> & { id: string }>();
  return new Map(results.map((row) => [row.id, { ...row, updated_at: 0 }]));
}

/** Creates links 100 at a time. */
export async function createLinks(key: string, count: number, fields: (n: number) => object = () => ({})) {
  const created: Link[] = [];
  for (let first = 0; first < count; first += 100) {
    const links = Array.from({ length: Math.min(100, count - first) }, (_, n) => ({
      url: `https://example.com/${first + n}`,
      ...fields(first + n),
    }));
    const response = await call("POST", "/api/links/bulk", { key, body: { links } });
    const { results } = await jsonOf<{ results: { link: Link }[] }>(response);
    created.push(...results.map(({ link }) => link));
  }
  return created;
}

/** The types of the events of each link, in the order of their creation. */
export async function eventsOf(): Promise<Map<string, string[]>> {
  const { results } = await env.DB.prepare(
    "SELECT body ->> '$.data.id' AS link, type FROM deliveries ORDER BY event_id",
  ).all<{
    link: string;
    type: string;
  }>();
  const events = new Map<string, string[]>();
  for (const { link, type } of results) events.set(link, [...(events.get(link) ?? []), type]);
  return events;
}
