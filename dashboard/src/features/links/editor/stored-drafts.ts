import { readStored, store } from "../../../lib/storage.ts";
import type { Link } from "../../../api/types.ts";
import { emptyDraft, type Draft } from "./draft.ts";

// Drafts of links in this browser: of each account one of a new link, and one of each link that is edited.

export interface StoredDraft {
  draft: Draft;
  /** The link as it was when its editing began; null for a new one. */
  base: Link | null;
}

/** `linkId` is null for a new link. */
export function draftName(accountId: string, linkId: string | null): string {
  return `draft:${accountId}:${linkId ?? "new"}`;
}

export function readDraft(name: string): StoredDraft | null {
  const text = readStored(name);
  if (text === null) return null;
  try {
    const { draft, base } = JSON.parse(text) as StoredDraft;
    return { draft: { ...emptyDraft(), ...draft }, base };
  } catch {
    return null;
  }
}

/** Passwords are not stored. */
export function storeDraft(name: string, { draft, base }: StoredDraft): void {
  store(name, JSON.stringify({ draft: { ...draft, password: draft.password === null ? null : "" }, base }));
}

export function forgetDraft(name: string): void {
  store(name, null);
}
