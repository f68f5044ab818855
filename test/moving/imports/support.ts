import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { Import } from "../../../src/moving/imports/schemas.ts";
import { buildRequest, call, jsonOf, send } from "../../support/api.ts";

const IMPORTS = "/api/imports";

const ACTIVE: ReadonlySet<string> = new Set(["reading", "running", "undoing"]);

export function csvOf(...rows: (string | number | null)[][]): string {
  const cell = (value: string | number | null) => `"${String(value ?? "").replaceAll('"', '""')}"`;
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

export function sendFile(key: string, file: BodyInit, type = "text/csv", query = "", headers = {}): Promise<Response> {
  const request = buildRequest("POST", IMPORTS + query, { key, headers: { "Content-Type": type, ...headers } });
  return send(new Request(request, { method: "POST", body: file }));
}

async function upload(
  key: string,
  file: BodyInit,
  { source, type = "text/csv" }: { source?: string; type?: string } = {},
): Promise<Import> {
  const query = source === undefined ? "" : `?source=${source}`;
  const response = await sendFile(key, file, type, query);
  const json = await jsonOf<{ import: Import }>(response);
  expect([response.status, json]).toMatchObject([202, { import: { status: "reading", error: null } }]);
  return json.import;
}

export async function readImport(key: string, id: string): Promise<Import> {
  return (await jsonOf<{ import: Import }>(await call("GET", `${IMPORTS}/${id.toUpperCase()}`, { key }))).import;
}

/** Waits until the import is inactive. Its alarms fire by themselves. */
async function rested(key: string, id: string): Promise<Import> {
  return vi.waitUntil(
    async () => {
      const found = await readImport(key, id);
      return ACTIVE.has(found.status) ? null : found;
    },
    { timeout: 60_000, interval: 50 },
  );
}

/** Uploads a file and waits until it is read. */
export async function prepare(key: string, file: BodyInit, options?: Parameters<typeof upload>[2]): Promise<Import> {
  return rested(key, (await upload(key, file, options)).id);
}

export async function configure(key: string, id: string, body: object): Promise<Import> {
  const response = await call("PATCH", `${IMPORTS}/${id}`, { key, body });
  expect(response.status).toBe(200);
  return rested(key, id);
}

export async function act(key: string, id: string, action: string): Promise<{ status: number; import: Import }> {
  const response = await call("POST", `${IMPORTS}/${id}/${action}`, { key });
  return { status: response.status, import: (await jsonOf<{ import: Import }>(response)).import };
}

/** Starts an import that is ready, or undoes one, and waits until it ends. */
export async function finish(key: string, id: string, action: "start" | "undo" | "resume" = "start"): Promise<Import> {
  expect((await act(key, id, action)).status).toBe(202);
  return rested(key, id);
}

/** The lines of the failures. */
export async function failuresOf(key: string, id: string): Promise<string[]> {
  const response = await call("GET", `${IMPORTS}/${id}/failures`, { key });
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8"]);
  return (await response.text()).split("\r\n").slice(0, -1);
}

/** How often each kind of problem occurs. */
export function problemsOf({ problems }: Import): Record<string, number> {
  return Object.fromEntries(problems.map(({ kind, count }) => [kind, count]));
}

export async function storedLinks(accountId: number): Promise<Record<string, unknown>[]> {
  const query = "SELECT * FROM links WHERE account_id = ?1 ORDER BY slug COLLATE BINARY";
  return (await env.DB.prepare(query).bind(accountId).all()).results;
}
