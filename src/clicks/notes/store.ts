import { Batch } from "../../platform/database/batch.ts";
import { Parameters } from "../../platform/database/parameters.ts";
import { selectPage } from "../../platform/database/rows.ts";
import { boundsOf, type Page } from "../../platform/http/pagination.ts";
import { selectSubject } from "../../links/store/subject.ts";
import type { Note, UpdateNote } from "./contract.ts";
import { MAX_NOTES_PER_ACCOUNT } from "./limits.ts";

export interface NoteRow {
  id: string;
  account_id: number;
  at: number;
  text: string;
  link_id: string | null;
  tag: string | null;
  created_at: number;
  updated_at: number;
}

const COLUMNS = "id, account_id, at, text, link_id, tag, created_at, updated_at";
const SELECT_BY_ID = `SELECT ${COLUMNS} FROM notes WHERE id = ?1`;

export function toNote(row: NoteRow): Note {
  const { id, at, text, link_id: linkId, tag, created_at: createdAt, updated_at: updatedAt } = row;
  return { id, at, text, linkId, tag, createdAt, updatedAt };
}

interface NewNote {
  id: string;
  at: number;
  text: string;
  linkId: string | undefined;
  tag: string | undefined;
  now: number;
}

/** `no_subject`: the account has no such link or tag. */
type InsertOutcome = { outcome: "created"; row: NoteRow } | { outcome: "no_subject" | "limit_reached" };

/** Stores a note. The limit and the existence of the link or tag are conditions of the INSERT. */
export async function insertNote(db: D1Database, accountId: number, note: NewNote): Promise<InsertOutcome> {
  const { id, at, text, now } = note;
  const batch = new Batch(db);
  const parameters = new Parameters([id, accountId, at, text, now, MAX_NOTES_PER_ACCOUNT]);
  batch.add(
    `INSERT INTO notes (id, account_id, at, text, created_at, updated_at, link_seq, link_id, tag, tag_key)
     SELECT ?1, ?2, ?3, ?4, ?5, ?5, ${selectSubject(accountId, note, parameters)}
       AND (SELECT count(*) FROM notes INDEXED BY notes_by_account WHERE account_id = ?2) < ?6
     ON CONFLICT (id) DO NOTHING`,
    parameters.values,
  );
  const stored = batch.add<NoteRow>(SELECT_BY_ID, [id]);
  const found = new Parameters();
  const present = batch.add(`SELECT ${selectSubject(accountId, note, found)}`, found.values);
  await batch.commitWithRetry();
  if (stored.first !== undefined) return { outcome: "created", row: stored.first };
  return { outcome: present.first === undefined ? "no_subject" : "limit_reached" };
}

/** The account's notes, newest first; one more than the page holds. */
export async function listNotes(db: D1Database, accountId: number, page: Page): Promise<NoteRow[]> {
  return selectPage(db, `SELECT ${COLUMNS} FROM notes INDEXED BY notes_by_account`, accountId, boundsOf(page));
}

/** Changes the given fields of an account's note, and returns the row with this id. A change to what it is already writes nothing. */
export async function updateNote(
  db: D1Database,
  accountId: number,
  id: string,
  { at, text }: UpdateNote,
  now: number,
): Promise<NoteRow | undefined> {
  const batch = new Batch(db);
  batch.add(
    `UPDATE notes SET at = coalesce(?3, at), text = coalesce(?4, text), updated_at = max(?5, updated_at + 1)
     WHERE id = ?1 AND account_id = ?2 AND (at <> ?3 OR text <> ?4)`,
    [id, accountId, at ?? null, text ?? null, now],
  );
  const found = batch.add<NoteRow>(SELECT_BY_ID, [id]);
  await batch.commitWithRetry();
  return found.first;
}

/** Deletes an account's note, and returns the row that had this id. */
export async function deleteNote(db: D1Database, accountId: number, id: string): Promise<NoteRow | undefined> {
  const batch = new Batch(db);
  const found = batch.add<NoteRow>(SELECT_BY_ID, [id]);
  batch.add("DELETE FROM notes WHERE id = ?1 AND account_id = ?2", [id, accountId]);
  await batch.commit();
  return found.first;
}
