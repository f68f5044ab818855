import { draftsOf, readStored, store } from "#dashboard/lib/storage.ts";
import type { Link } from "#dashboard/api/types.ts";
import { emptyDraft, type Draft } from "./draft.ts";

// Drafts of links in this browser: of each account one of a new link, and one of each link that is edited.

export interface StoredDraft {
  draft: Draft;
  /** The link as it was when its editing began; null for a new one. */
  base: Link | null;
}

/** `linkId` is null for a new link. */
export function draftName(accountId: string, linkId: string | null): string {
  return `${draftsOf(accountId)}${linkId ?? "new"}`;
}

/** Returns the draft with the text that is stored. */
export function readDraft(name: string): (StoredDraft & { text: string }) | null {
  const text = readStored(name);
  if (text === null) return null;
  try {
    const { draft, base } = JSON.parse(text) as StoredDraft;
    return { draft: { ...emptyDraft(), ...draft }, base, text };
  } catch {
    return null;
  }
}

/** Stores a draft without its password. Returns the text that is stored. */
export function storeDraft(name: string, { draft, base }: StoredDraft): string {
  const text = JSON.stringify({ draft: { ...draft, password: draft.password === null ? null : "" }, base });
  store(name, text);
  return text;
}

/** Forgets the draft if this text is stored. Another one is that of another tab. */
export function forgetDraft(name: string, text: string | null): void {
  if (readStored(name) === text) store(name, null);
}
