import { setTimeout as sleep } from "node:timers/promises";
import { createAccount } from "../../../test/support/accounts.ts";
import { insertLinksOf } from "../../growth/fill.ts";
import type { Ask, FilledAccount } from "../account.ts";
import { scarce, type WorstCall } from "./call.ts";
import { MAX_COUNTED_EXPORT_LINKS } from "../../../src/exports/limits.ts";

const PATH = "/api/exports";
const POLL_MS = 500;

const toAsk = (body: object): Ask => ({ method: "POST", path: PATH, body: JSON.stringify(body) });

/** Starts an export in a new account with as many links as a start counts. Each account has a limit of exports an hour. */
function startOf(what: string, body: object): WorstCall {
  return scarce({
    what,
    prepare: async ({ server }) => {
      const { accountId, key } = await createAccount(server.db);
      await insertLinksOf(server.db, accountId, 1, MAX_COUNTED_EXPORT_LINKS);
      return { ...toAsk(body), key };
    },
  });
}

const finished = new Map<string, Promise<string>>();

/** Returns the path of an export of the filled account, which is done. */
async function exportOnce(account: FilledAccount, body: { kind: string }): Promise<string> {
  const id = finished.get(body.kind) ?? exportFilled(account, body);
  finished.set(body.kind, id);
  return `${PATH}/${await id}`;
}

async function exportFilled(account: FilledAccount, body: object): Promise<string> {
  const { id } = (await account.ask<{ export: { id: string } }>(toAsk(body))).export;
  for (;;) {
    const read = { method: "GET", path: `${PATH}/${id}` };
    const { status } = (await account.ask<{ export: { status: string } }>(read)).export;
    if (status === "done") return id;
    if (status === "failed") throw new Error("the export of the filled account failed");
    await sleep(POLL_MS);
  }
}

export const exportCalls = {
  "POST /api/exports": [
    startOf("the start, which counts the links that a search finds; later work pauses between pages", {
      kind: "links",
      search: "example",
    }),
  ],
  "GET /api/exports": [
    {
      what: "with an export",
      prepare: async (account) => {
        await exportOnce(account, { kind: "links" });
        return { method: "GET", path: PATH };
      },
    },
  ],
  "GET /api/exports/:id": [
    {
      what: "a finished export",
      prepare: async (account) => ({ method: "GET", path: await exportOnce(account, { kind: "links" }) }),
    },
  ],
  "GET /api/exports/:id/file": [
    scarce({
      what: "all links as CSV, unpacked piece by piece",
      prepare: async (account) => ({ method: "GET", path: `${await exportOnce(account, { kind: "links" })}/file` }),
    }),
  ],
} satisfies Record<string, WorstCall[]>;
