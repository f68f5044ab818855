import { newIds } from "../../../src/lib/uuid.ts";
import { MAX_PAGE_SIZE_ITEMS } from "../../../src/limits.ts";
import { MAX_NOTE_CHARS, MAX_NOTES_PER_ACCOUNT } from "../../../src/notes/limits.ts";
import { NOW } from "../../instrumented/year.ts";
import type { FilledAccount } from "../account.ts";
import { randomText } from "../bodies.ts";
import type { WorstCall } from "./call.ts";

// The notes of the filled account.

const PATH = "/api/notes";

const longNote = () => JSON.stringify({ at: NOW, text: randomText(MAX_NOTE_CHARS) });

/** Gives the account exactly this number of the longest notes; returns their ids. */
async function fillNotes({ server, accountId }: FilledAccount, count: number): Promise<string[]> {
  const ids = newIds(NOW, count);
  const insert = server.db.prepare(
    `INSERT INTO notes (id, account_id, at, text, created_at, updated_at)
     SELECT value, ?2, ?4, ?3, ?4, ?4 FROM json_each(?1)`,
  );
  await server.db.batch([
    server.db.prepare("DELETE FROM notes WHERE account_id = ?1").bind(accountId),
    insert.bind(JSON.stringify(ids), accountId, randomText(MAX_NOTE_CHARS), NOW),
  ]);
  return ids;
}

const ofNote = (method: "PATCH" | "DELETE"): WorstCall => ({
  what: "a note of many",
  prepare: async (account) => {
    const [id] = await fillNotes(account, MAX_NOTES_PER_ACCOUNT);
    return { method, path: `${PATH}/${id}`, ...(method === "PATCH" && { body: longNote() }) };
  },
  isScarce: true,
});

export const noteCalls = {
  "POST /api/notes": [
    {
      what: "the last note",
      prepare: async (account) => {
        await fillNotes(account, MAX_NOTES_PER_ACCOUNT - 1);
        return { method: "POST", path: PATH, body: longNote() };
      },
      isScarce: true,
    },
  ],
  "GET /api/notes": [
    {
      what: "a page of the longest notes",
      prepare: async (account) => {
        await fillNotes(account, MAX_NOTES_PER_ACCOUNT);
        return { method: "GET", path: `${PATH}?limit=${MAX_PAGE_SIZE_ITEMS}` };
      },
    },
  ],
  "PATCH /api/notes/:id": [ofNote("PATCH")],
  "DELETE /api/notes/:id": [ofNote("DELETE")],
} satisfies Record<string, WorstCall[]>;
