import { useSyncExternalStore } from "react";

/** `browser`: for all pages that are open, and for later ones. `tab`: for this tab, until it is closed. */
export type Place = "browser" | "tab";

/** What the browser refuses to store, because it is full or the person forbids it. It lasts as long as the page. */
const unstored = new Map<string, string | null>();

const listeners = new Set<() => void>();
addEventListener("storage", () => {
  for (const listener of listeners) listener();
});

const storageOf = (place: Place): Storage => (place === "browser" ? localStorage : sessionStorage);

export function readStored(name: string, place: Place = "browser"): string | null {
  const kept = unstored.get(`${place} ${name}`);
  if (kept !== undefined) return kept;
  try {
    return storageOf(place).getItem(name);
  } catch {
    return null;
  }
}

/** What the names of an account's drafts begin with. */
export const draftsOf = (accountId: string): string => `draft:${accountId}:`;

/** Whether the browser has something whose name begins so. */
export function hasStored(start: string): boolean {
  try {
    return (
      [...unstored.keys()].some((name) => name.startsWith(`browser ${start}`)) ||
      namesOf(localStorage).some((name) => name.startsWith(start))
    );
  } catch {
    return false;
  }
}

const namesOf = (storage: Storage): string[] =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");

/** Stores a small setting; null removes it. */
export function store(name: string, value: string | null, place: Place = "browser"): void {
  try {
    if (value === null) storageOf(place).removeItem(name);
    else storageOf(place).setItem(name, value);
    unstored.delete(`${place} ${name}`);
  } catch {
    unstored.set(`${place} ${name}`, value);
  }
  for (const listener of listeners) listener();
}

export function useStored(name: string, place: Place = "browser"): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => readStored(name, place),
  );
}

/** The object of a stored JSON text. Empty if there is none, or if the text is broken. */
export function parseStored(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The choices of a stored list that still exist, in their order; the defaults if no list is stored. */
export function readChoices<Choice>(
  stored: unknown,
  all: readonly Choice[],
  defaults: readonly Choice[],
): readonly Choice[] {
  return Array.isArray(stored) ? all.filter((choice) => stored.includes(choice)) : defaults;
}
