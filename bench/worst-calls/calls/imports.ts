import { setTimeout as sleep } from "node:timers/promises";
import { createAccount } from "../../../test/support/accounts.ts";
import type { Ask, FilledAccount } from "../account.ts";
import type { WorstCall } from "./call.ts";
import { MAX_IMPORT_FILE_BYTES, MAX_IMPORT_ROWS } from "../../../src/imports/limits.ts";

// Imports. Their work goes on after the call, and pauses between pages.

const POLL_MS = 200;
/** Rows of a file that is read within seconds. */
const ROWS = 5_000;

interface ImportBody {
  import: { id: string; status: string };
}

/** A file of links without slugs, with titles of this length. */
function fileOf(rows: number, titleChars: number): string {
  const title = "x".repeat(titleChars);
  const lines = Array.from({ length: rows }, (_, n) => `https://example.com/${n},${title},"a,b"\n`);
  return `url,title,tags\n${lines.join("")}`;
}

const largestFile = () => fileOf(MAX_IMPORT_ROWS, Math.floor(MAX_IMPORT_FILE_BYTES / MAX_IMPORT_ROWS) - 40);

/** The upload of a file into a new account: each has a limit of imports an hour. */
async function upload({ server }: FilledAccount, file: string): Promise<Ask & { key: string }> {
  const { key } = await createAccount(server.db);
  return { method: "POST", path: "/api/imports", key, body: file, headers: { "Content-Type": "text/csv" } };
}

/** Uploads a file. Returns the path of its import and the key once it is ready. */
async function prepareImport(account: FilledAccount, file: string): Promise<{ path: string; key: string }> {
  const request = await upload(account, file);
  const { key } = request;
  const started = await account.ask<ImportBody>(request);
  const path = `/api/imports/${started.import.id}`;
  await waitFor(account, { path, key }, "ready");
  return { path, key };
}

async function waitFor({ ask }: FilledAccount, { path, key }: { path: string; key: string }, status: string) {
  while ((await ask<ImportBody>({ method: "GET", path, key })).import.status !== status) await sleep(POLL_MS);
}

let finished: Promise<{ path: string; key: string }> | null = null;

/** Imports a file whose rows are all refused. */
async function fail(account: FilledAccount): Promise<{ path: string; key: string }> {
  const lines = Array.from({ length: ROWS }, (_, n) => `javascript:${n},${"x".repeat(300)}\n`);
  const found = await prepareImport(account, `url,title\n${lines.join("")}`);
  await account.ask({ method: "POST", path: `${found.path}/start`, key: found.key });
  await waitFor(account, found, "done");
  return found;
}

function read(what: string, pathOf: (path: string) => string): WorstCall {
  return {
    what,
    prepare: async (account) => {
      finished ??= fail(account);
      const { path, key } = await finished;
      return { method: "GET", path: pathOf(path), key };
    },
  };
}

/** An action on an import that is ready, after those that it needs. */
function act(action: string, ...before: string[]): WorstCall {
  return {
    what: "a file of 5,000 links; later work pauses between pages",
    prepare: async (account) => {
      const { path, key } = await prepareImport(account, fileOf(ROWS, 300));
      for (const each of before) await account.ask({ method: "POST", path: `${path}/${each}`, key });
      return { method: "POST", path: `${path}/${action}`, key };
    },
    isScarce: true,
  };
}

export const importCalls = {
  "POST /api/imports": [
    {
      what: "50 MB with 100,000 links; later work pauses between pages",
      prepare: (account) => upload(account, largestFile()),
      isScarce: true,
    },
  ],
  "GET /api/imports": [read("the imports of an account", () => "/api/imports?limit=100")],
  "GET /api/imports/:id": [read("a finished import", (path) => path)],
  "PATCH /api/imports/:id": [
    {
      what: "a file of 5,000 links; later work pauses between pages",
      prepare: async (account) => {
        const { path, key } = await prepareImport(account, fileOf(ROWS, 300));
        return { method: "PATCH", path, key, body: '{"taken":"rename"}' };
      },
      isScarce: true,
    },
  ],
  "GET /api/imports/:id/failures": [read("5,000 failures", (path) => `${path}/failures`)],
  "POST /api/imports/:id/start": [act("start")],
  "POST /api/imports/:id/pause": [act("pause", "start")],
  "POST /api/imports/:id/resume": [act("resume", "start", "pause")],
  "POST /api/imports/:id/cancel": [act("cancel", "start")],
  "POST /api/imports/:id/undo": [act("undo", "start", "cancel")],
} satisfies Record<string, WorstCall[]>;
