import { BlobReader, TextWriter, ZipReader } from "@zip.js/zip.js";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { ExportState } from "../../../src/moving/exports/export.ts";
import type { Browser } from "../../identity/people/support.ts";
import { call } from "../../support/api.ts";
import { whileHeld } from "../../support/d1-client.ts";

export const EXPORTS = "/api/account/exports";

/** Reads a ZIP file with another implementation, which compares the checksums. Returns the texts by name. */
export async function unzip(file: ArrayBuffer): Promise<Map<string, string>> {
  const reader = new ZipReader(new BlobReader(new Blob([file])), { useWebWorkers: false, checkSignature: true });
  const texts = new Map<string, string>();
  for (const entry of await reader.getEntries()) {
    if (entry.directory) throw new Error(`${entry.filename} is a directory`);
    texts.set(entry.filename, await entry.getData(new TextWriter()));
  }
  await reader.close();
  return texts;
}

/** The records of a file with JSON lines. */
export function linesOf<T = Record<string, unknown>>(texts: Map<string, string>, name: string): T[] {
  const text = texts.get(name);
  if (text === undefined) throw new Error(`there is no ${name}`);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as T);
}

export async function startExport(browser: Browser, headers = {}): Promise<ExportState> {
  const { status, body } = await browser.send("POST", EXPORTS, { headers });
  expect([status, body]).toMatchObject([202, { export: { status: "pending", size: null, error: null } }]);
  return body["export"] as ExportState;
}

/** Waits until the export is no longer running. Its alarms fire by themselves. */
export async function finish(
  browser: Browser,
  id: string,
  headers = {},
  beforeRead = async (): Promise<void> => {},
): Promise<ExportState> {
  return vi.waitUntil(
    async () => {
      await beforeRead();
      const { body } = await browser.get(`${EXPORTS}/${id}`, { headers });
      const state = body["export"] as ExportState;
      return state.status === "done" || state.status === "failed" ? state : null;
    },
    { timeout: 100_000, interval: 200 },
  );
}

export function fetchFile(browser: Browser, id: string, headers = {}, method = "GET"): Promise<Response> {
  const cookie = { Cookie: `__Host-tern=${browser.session}` };
  return call(method, `${EXPORTS}/${id}/file`, { headers: { ...cookie, ...headers } });
}

export async function personalAccount(userId: string): Promise<number> {
  const statement = env.DB.prepare("SELECT id FROM accounts WHERE personal_user_id = ?1").bind(userId);
  return (await statement.first<number>("id")) ?? 0;
}

/** Runs while exports wait at their first transaction, which records them. */
export const whileBeginHeld = <T>(run: () => Promise<T>): Promise<T> =>
  whileHeld((statements) => statements.some((each) => each.includes("audit_entries")), run);
