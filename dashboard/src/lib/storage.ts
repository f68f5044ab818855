import { useSyncExternalStore } from "react";

// Small settings of this browser. Pages that are open at the same time share them.

const listeners = new Set<() => void>();
addEventListener("storage", () => {
  for (const listener of listeners) listener();
});

export function readStored(name: string): string | null {
  return localStorage.getItem(name);
}

/** Stores a text; null removes it. */
export function store(name: string, value: string | null): void {
  if (value === null) localStorage.removeItem(name);
  else localStorage.setItem(name, value);
  for (const listener of listeners) listener();
}

export function useStored(name: string): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => localStorage.getItem(name),
  );
}
