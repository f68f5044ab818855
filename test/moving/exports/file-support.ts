import { parse } from "csv-parse/sync";
import { expect, vi } from "vitest";
import type { Export } from "../../../src/moving/exports/files/contract.ts";
import { Link } from "../../../src/links/contract.ts";
import { call, jsonOf, type CallOptions } from "../../support/api.ts";

export const FILES = "/api/exports";

type Caller = Pick<CallOptions, "key" | "headers">;

export async function startFile(caller: Caller, body: object): Promise<Export> {
  const response = await call("POST", FILES, { ...caller, body });
  const answer = await jsonOf<{ export: Export }>(response);
  expect([response.status, answer]).toMatchObject([202, { export: { status: "pending", size: null, error: null } }]);
  return answer.export;
}

/** Waits until the export is no longer running. Its alarms fire by themselves. */
export async function finishFile(
  caller: Caller,
  id: string,
  beforeRead = async (): Promise<void> => {},
): Promise<Export> {
  return vi.waitUntil(
    async () => {
      await beforeRead();
      const { export: state } = await jsonOf<{ export: Export }>(
        await call("GET", `${FILES}/${id.toUpperCase()}`, caller),
      );
      return state.status === "done" || state.status === "failed" ? state : null;
    },
    { timeout: 60_000, interval: 100 },
  );
}

/** Starts an export, waits for it and downloads its file. */
export async function exportFile(caller: Caller, body: object) {
  const { id } = await startFile(caller, body);
  const state = await finishFile(caller, id);
  expect(state).toMatchObject({ status: "done", error: null });
  const response = await call("GET", `${FILES}/${id}/file`, caller);
  const bytes = await response.arrayBuffer();
  expect([response.status, state.size, response.headers.get("Content-Length")]).toEqual([
    200,
    bytes.byteLength,
    String(bytes.byteLength),
  ]);
  return { state, response, bytes, text: new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes) };
}

const TEXTS = new Set(
  ["id", "url", "slug", "domain", "shortUrl", "title", "status", "expiredUrl", "ios", "android"].concat(
    "externalId",
    "visitors",
  ),
);

/** The links of a CSV file, read by the rules of docs/api/exports.md. */
export function readLinks(csv: string): Link[] {
  expect(csv.startsWith("\uFEFF")).toBe(true);
  const rows = parse<Record<string, string>>(csv, { bom: true, columns: true, record_delimiter: "\r\n" });
  return rows.map((row) => {
    expect(Object.keys(row)).toEqual(Object.keys(Link.shape));
    return Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, readCell(name, cell)])) as Link;
  });
}

function readCell(name: string, cell: string): unknown {
  if (cell === "") return null;
  const value = cell.startsWith("'") ? cell.slice(1) : cell;
  if (TEXTS.has(name)) return value;
  if (!name.endsWith("At")) return JSON.parse(value) as unknown;
  expect(new Date(value).toISOString()).toBe(value);
  return Date.parse(value);
}
