import type { RequestContext } from "../../platform/auth/principal.ts";
import { forbidden, limitReached, notFound } from "../../platform/http/errors.ts";
import { noSubject } from "../../links/refusal.ts";
import { isId, newId } from "../../platform/lib/uuid.ts";
import type { CreateNote, Note, UpdateNote } from "./contract.ts";
import { MAX_NOTES_PER_ACCOUNT } from "./limits.ts";
import * as store from "./store.ts";

/** Creates, changes and deletes notes of the caller's account. */

export async function createNote(
  { db, now, principal }: RequestContext,
  { at, text, linkId, tag }: CreateNote,
): Promise<Note> {
  const result = await store.insertNote(db, principal.accountId, { id: newId(now), at, text, linkId, tag, now });
  if (result.outcome === "created") return store.toNote(result.row);
  if (result.outcome === "limit_reached")
    throw limitReached("limit_reached", { resource: "note", max: MAX_NOTES_PER_ACCOUNT });
  throw noSubject({ linkId, tag });
}

export async function updateNote(
  { db, now, principal }: RequestContext,
  id: string,
  changes: UpdateNote,
): Promise<Note> {
  if (!isId(id)) throw noteNotFound();
  const row = await store.updateNote(db, principal.accountId, id, changes, now);
  return store.toNote(ownNote(row, principal.accountId));
}

export async function deleteNote({ db, principal }: RequestContext, id: string): Promise<void> {
  if (!isId(id)) throw noteNotFound();
  ownNote(await store.deleteNote(db, principal.accountId, id), principal.accountId);
}

function ownNote(row: store.NoteRow | undefined, accountId: number): store.NoteRow {
  if (row === undefined) throw noteNotFound();
  if (row.account_id !== accountId) throw forbidden("of_another_account", { resource: "note" });
  return row;
}

const noteNotFound = () => notFound("not_found", { resource: "note" });
