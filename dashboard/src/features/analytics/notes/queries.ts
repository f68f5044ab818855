import { queryOptions, useQuery } from "@tanstack/react-query";
import { toTagKey } from "#src/platform/lib/tag-key.ts";
import { MAX_PAGE_SIZE_ITEMS } from "#src/limits.ts";
import type { CreateNote, Note, UpdateNote } from "#src/clicks/notes/contract.ts";
import { call } from "#dashboard/api/client.ts";
import { queryClient } from "#dashboard/api/query-client.ts";
import { useAnalytics } from "../context.ts";
import type { Sums } from "../queries.ts";
import type { Source } from "../source.ts";
import type { Filters } from "../view.ts";

export type { Note };

const NOTES = ["notes"] as const;

/** All notes of the account. Their number is limited (src/clicks/notes/limits.ts). */
const notesQuery = queryOptions({
  queryKey: NOTES,
  queryFn: async ({ signal }) => {
    const notes: Note[] = [];
    let cursor: string | null = null;
    do {
      const query = { limit: MAX_PAGE_SIZE_ITEMS, cursor };
      const page: { notes: Note[]; nextCursor: string | null } = await call("GET", "/api/notes", { query, signal });
      notes.push(...page.notes);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return notes;
  },
});

export interface ShownNotes {
  /** Oldest first; empty as long as they are not known. */
  notes: readonly Note[];
  error: Error | null;
  retry: () => void;
}

/** The notes of the period that are about the links of the view. Shared pages have none. */
export function useNotes({ start, end }: Pick<Sums, "start" | "end">): ShownNotes {
  const { source, view } = useAnalytics();
  const { data, error, refetch } = useQuery({ ...notesQuery, enabled: source.kind !== "shared" });
  const notes = (data ?? [])
    .filter((note) => note.at >= start && note.at < end && isAbout(note, source, view.filters))
    .toSorted((a, b) => a.at - b.at);
  return { notes, error, retry: () => void refetch() };
}

/** Whether a note is about links that are counted. One about a tag or link is left out where others are chosen. */
function isAbout({ linkId, tag }: Pick<Note, "linkId" | "tag">, source: Source, filters: Filters): boolean {
  const tags = source.kind === "link" ? source.link.tags : filters.tag;
  const links = source.kind === "link" ? [source.link.id] : filters.linkIds;
  if (linkId !== null) return links === undefined ? tags === undefined : links.includes(linkId);
  if (tag === null) return true;
  return tags === undefined ? links === undefined : tags.some((each) => toTagKey(each) === toTagKey(tag));
}

const readAgain = () => queryClient.invalidateQueries({ queryKey: NOTES });

export async function createNote(body: CreateNote): Promise<Note> {
  const { note } = await call<{ note: Note }>("POST", "/api/notes", { body });
  await readAgain();
  return note;
}

export async function updateNote(id: string, body: UpdateNote): Promise<void> {
  await call("PATCH", `/api/notes/${id}`, { body });
  await readAgain();
}

export async function deleteNote(id: string): Promise<void> {
  await call("DELETE", `/api/notes/${id}`);
  await readAgain();
}
