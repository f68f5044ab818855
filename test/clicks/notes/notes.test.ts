import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import type { Note } from "../../../src/clicks/notes/contract.ts";
import { MAX_NOTE_CHARS, MAX_NOTES_PER_ACCOUNT } from "../../../src/clicks/notes/limits.ts";
import { call, createAccount, createLink, jsonOf, runCron, type ErrorJson } from "../../support/api.ts";
import type { Job } from "../../../src/links/tags/job-contract.ts";
import { changeTag } from "../../links/tags/support.ts";

type Answer = { status: number; note: Note; notes: Note[]; nextCursor: string } & ErrorJson;

const NOW = 1_900_000_000_000;

async function api(key: string, method: string, path = "", body?: unknown): Promise<Answer> {
  const response = await call(method, `/api/notes${path}`, { key, body });
  return { status: response.status, ...(await jsonOf<Omit<Answer, "status">>(response)) };
}

const dump = async () => (await env.DB.prepare("SELECT * FROM notes").all()).results;

it("creates, lists, changes and deletes notes", async () => {
  const { key } = await createAccount();
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  const link = await createLink(key, { tags: ["Sale"] });
  const { status, note } = await api(key, "POST", "", { at: 1_790_000_000_000, text: "  Cafe\u0301 opened " });
  expect([status, note]).toEqual([
    201,
    {
      id: expect.any(String),
      at: 1_790_000_000_000,
      text: "Café opened",
      linkId: null,
      tag: null,
      createdAt: NOW,
      updatedAt: NOW,
    },
  ]);
  vi.setSystemTime(NOW + 1);
  const ofLink = await api(key, "POST", "", { at: "2026-10-01", text: "Printed", linkId: link.id });
  expect(ofLink.note).toMatchObject({ at: Date.UTC(2026, 9, 1), linkId: link.id, tag: null });
  vi.setSystemTime(NOW + 2);
  const ofTag = await api(key, "POST", "", { at: "2026-10-01T12:30+02:00", text: "Sale began", tag: "SALE" });
  expect(ofTag.note).toMatchObject({ at: Date.UTC(2026, 9, 1, 10, 30), linkId: null, tag: "Sale" });

  const first = await api(key, "GET", "?limit=2");
  expect(first.notes).toEqual([ofTag.note, ofLink.note]);
  expect(await api(key, "GET", `?limit=2&cursor=${first.nextCursor}`)).toEqual({
    status: 200,
    notes: [note],
    nextCursor: null,
  });

  const changed = await api(key, "PATCH", `/${note.id}`, { text: "Closed" });
  expect(changed.note).toEqual({ ...note, text: "Closed", updatedAt: NOW + 2 });
  // The version increases although the clock stands still.
  const moved = await api(key, "PATCH", `/${note.id}`, { at: 0 });
  expect(moved.note).toEqual({ ...changed.note, at: 0, updatedAt: NOW + 3 });
  // What changes nothing is no change.
  expect(await api(key, "PATCH", `/${note.id}`, { text: "Closed" })).toEqual(moved);

  expect(await api(key, "DELETE", `/${note.id}`)).toEqual({ status: 200, success: true });
  expect((await api(key, "DELETE", `/${note.id}`)).status).toBe(404);
  expect((await api(key, "PATCH", `/${note.id}`, { at: 1 })).status).toBe(404);
  expect((await api(key, "GET")).notes).toEqual([ofTag.note, ofLink.note]);
});

it("follows the tag of a note, and ends with its link", async () => {
  const { key } = await createAccount();
  const link = await createLink(key, { tags: ["Sale"] });
  const ofTag = (await api(key, "POST", "", { at: 1, text: "x", tag: "sale" })).note;
  const ofLink = (await api(key, "POST", "", { at: 1, text: "x", linkId: link.id })).note;
  await changeTag(key, async () => {
    const response = await call("PATCH", "/api/tags/sale", { key, body: { name: "Promotion" } });
    return { status: response.status, ...(await jsonOf<{ job: Job }>(response)) };
  });
  const [, renamed] = (await api(key, "GET")).notes;
  expect(renamed).toMatchObject({ id: ofTag.id, tag: "Promotion" });
  expect(renamed?.updatedAt).toBeGreaterThan(ofTag.updatedAt);

  await call("DELETE", `/api/links/${link.id}`, { key });
  expect((await api(key, "GET")).notes).toEqual([ofLink, renamed]);
  await runCron(Date.now() + 7 * DAY_MS + HOUR_MS + MINUTE_MS);
  expect((await api(key, "GET")).notes).toEqual([renamed]);
});

it("has the tag that its tag became a part of, and keeps a tag that is deleted", async () => {
  const { key } = await createAccount();
  await createLink(key, { slug: "one", tags: ["Sale", "Print"] });
  await createLink(key, { slug: "two", tags: ["Promotion"] });
  const noteOf = async (tag: string) => (await api(key, "POST", "", { at: 1, text: tag, tag })).note;
  const [merged, target, deleted] = [await noteOf("sale"), await noteOf("promotion"), await noteOf("print")];
  const send = async (method: string, tag: string, body?: object) =>
    changeTag(key, async () => {
      const response = await call(method, `/api/tags/${tag}`, { key, body });
      expect(response.status).toBe(202);
      return jsonOf<{ job: Job }>(response);
    });

  await send("PATCH", "sale", { name: "promotion" });
  const { notes } = await api(key, "GET");
  expect(notes.map(({ text, tag }) => [text, tag])).toEqual([
    ["print", "Print"],
    ["promotion", "Promotion"],
    ["sale", "promotion"],
  ]);
  expect(notes[2]?.updatedAt).toBeGreaterThan(merged.updatedAt);
  expect(notes.slice(0, 2)).toEqual([deleted, target]);

  // Nothing else happens to the notes of a deleted tag. They are those of a tag that is named so later.
  await send("DELETE", "print");
  expect((await api(key, "GET")).notes).toEqual(notes);
  const again = { at: 2, text: "again", tag: "print" };
  expect((await api(key, "POST", "", again)).status).toBe(400);
  expect((await api(key, "PATCH", `/${deleted.id}`, { text: "Printed" })).note).toMatchObject({ tag: "Print" });
  await createLink(key, { slug: "three", tags: ["PRINT"] });
  expect((await api(key, "POST", "", again)).note).toMatchObject({ tag: "PRINT" });
  await send("PATCH", "print", { name: "Paper" });
  expect((await api(key, "GET")).notes.map(({ tag }) => tag)).toEqual(["Paper", "Paper", "Promotion", "promotion"]);
  expect((await api(key, "DELETE", `/${deleted.id}`)).status).toBe(200);
});

it("refuses what is no note, and links and tags that the account does not have", async () => {
  const { key } = await createAccount();
  const other = await createAccount();
  const theirs = await createLink(other.key, { tags: ["theirs"] });
  const ours = await createLink(key, { tags: ["ours"] });
  const before = await dump();
  for (const [body, path] of [
    [{ text: "x" }, "at"],
    [{ at: "yesterday", text: "x" }, "at"],
    [{ at: -1, text: "x" }, "at"],
    [{ at: 1 }, "text"],
    [{ at: 1, text: " " }, "text"],
    [{ at: 1, text: "two\nlines" }, "text"],
    [{ at: 1, text: "x".repeat(MAX_NOTE_CHARS + 1) }, "text"],
    [{ at: 1, text: "x", linkId: theirs.id }, "linkId"],
    [{ at: 1, text: "x", linkId: "none" }, "linkId"],
    [{ at: 1, text: "x", tag: "theirs" }, "tag"],
    [{ at: 1, text: "x", tag: "ours", linkId: ours.id }, "tag"],
  ] as const) {
    const { status, details } = await api(key, "POST", "", body);
    expect([body, status, details?.map((each) => each.path)]).toEqual([body, 400, [path]]);
  }
  expect((await api(key, "PATCH", `/${newId(1)}`, {})).status).toBe(400);
  expect(await dump()).toEqual(before);
});

it("keeps the limit, also under parallel requests", async () => {
  const { key, accountId } = await createAccount();
  const ids = Array.from({ length: MAX_NOTES_PER_ACCOUNT - 2 }, (_, n) => newId(1_000_000_000_000 + n));
  await env.DB.prepare(
    `INSERT INTO notes (id, account_id, at, text, created_at, updated_at)
     SELECT value, ?2, 1, 'x', 1, 1 FROM json_each(?1)`,
  )
    .bind(JSON.stringify(ids), accountId)
    .run();
  const answers = await Promise.all([1, 2, 3].map((at) => api(key, "POST", "", { at, text: "x" })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(answers.find(({ status }) => status === 409)).toMatchObject({ code: "limit_reached" });
  await api(key, "DELETE", `/${ids[0]}`);
  expect((await api(key, "POST", "", { at: 1, text: "x" })).status).toBe(201);
});
