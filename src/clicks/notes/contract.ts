import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody, operation, Success } from "../../platform/http/contract.ts";
import { Id, IdInput, idParams } from "../../platform/http/id.ts";
import { pageOf, pageQuery } from "../../platform/http/pagination.ts";
import { changesOf, lineOfProse, StartTimeInput, Timestamp } from "../../platform/http/validation.ts";
import { isId } from "../../platform/lib/uuid.ts";
import { TagName } from "../../links/fields.ts";
import { MAX_NOTE_CHARS, MAX_NOTES_PER_ACCOUNT } from "./limits.ts";
import { because } from "../../platform/http/faults.ts";

const Text = lineOfProse(MAX_NOTE_CHARS).openapi({ description: "What happened.", example: "Newsletter sent" });

export const Note = z
  .object({
    id: Id,
    at: Timestamp.openapi({ description: "When it happened, in Unix milliseconds." }),
    text: Text,
    linkId: Id.nullable().openapi({ description: "The link that the note is about; null: no single one." }),
    tag: z.string().nullable().openapi({ description: "The tag that the note is about; null: none." }),
    createdAt: Timestamp.openapi({ description: "When the note was created, in Unix milliseconds." }),
    updatedAt: Timestamp.openapi({ description: "When it last changed, in Unix milliseconds." }),
  })
  .openapi("Note", {
    description: "What happened at a time, for the charts of a link, of a tag or of all clicks.",
    example: {
      id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      at: 1_790_000_000_000,
      text: "Newsletter sent",
      linkId: null,
      tag: null,
      createdAt: 1_790_000_000_000,
      updatedAt: 1_790_000_000_000,
    },
  });
export type Note = z.infer<typeof Note>;

const at = StartTimeInput.openapi({ description: "When it happened: Unix milliseconds, ISO 8601, or a day in UTC." });

const CreateNote = z
  .strictObject({
    at,
    text: Text,
    linkId: IdInput.refine(isId, because("not_an_id", { resource: "link" }))
      .optional()
      .openapi({ description: "A link of the account." }),
    tag: TagName.optional().openapi({ description: "A tag of the account's links, in any case." }),
  })
  .refine(({ linkId, tag }) => linkId === undefined || tag === undefined, {
    path: ["tag"],
    message: because("not_together", { field: "linkId" }),
  })
  .openapi("CreateNote", {
    description: "A new note. Without `linkId` and `tag` it is about all clicks.",
    example: { at: 1_790_000_000_000, text: "Newsletter sent" },
  });
export type CreateNote = z.infer<typeof CreateNote>;

const UpdateNote = changesOf(
  "UpdateNote",
  { at: at.optional(), text: Text.optional() },
  { text: "Newsletter sent again" },
);
export type UpdateNote = z.infer<typeof UpdateNote>;

const params = idParams("note");
const oneNote = z.object({ note: Note });

export const createNote = createRoute({
  ...operation("post", "/api/notes", "Clicks", "Create note"),
  description: `An account has at most ${MAX_NOTES_PER_ACCOUNT} notes.`,
  request: jsonBody(CreateNote),
  responses: {
    201: json(oneNote, "The note."),
    ...conflicting("The account has the maximum number of notes."),
  },
});

export const listNotes = createRoute({
  ...operation("get", "/api/notes", "Clicks", "List notes"),
  description: "In the order of their creation, newest first.",
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: pageOf("notes", Note, "The notes of the page.", "A page of notes.") },
});

export const updateNote = createRoute({
  ...operation("patch", "/api/notes/{id}", "Clicks", "Update note"),
  request: { params, ...jsonBody(UpdateNote) },
  responses: { 200: json(oneNote, "The note after the change.") },
});

export const deleteNote = createRoute({
  ...operation("delete", "/api/notes/{id}", "Clicks", "Delete note"),
  request: { params },
  responses: { 200: json(Success, "The note is deleted.") },
});
