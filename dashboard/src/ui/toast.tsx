import { useSyncExternalStore } from "react";
import { lazyPart } from "../lib/lazy-part.ts";
import { useShortcut } from "../lib/shortcuts.ts";
import { texts } from "../texts/index.ts";
import type { ShownToast, ToastContent } from "./toast-list.tsx";

/** What renders the toasts. */
const ToastList = lazyPart(() => import("./toast-list.tsx").then(({ ToastList }) => ToastList));

const MAX_SHOWN = 3;

let shown: readonly ShownToast[] = [];
let nextId = 1;
let canShow = false;
const listeners = new Set<() => void>();

function change(toasts: readonly ShownToast[]): void {
  shown = toasts;
  tellListeners();
}

function tellListeners(): void {
  for (const listener of listeners) listener();
}

/** Loads the code of toasts, which the first one needs. A message about the connection has no other time to load it. */
export async function preloadToasts(): Promise<void> {
  try {
    await ToastList.preload();
    canShow = true;
    tellListeners();
  } catch {
    // The next toast tries it again.
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a short message at the edge of the window. */
export function showToast(content: ToastContent): void {
  void preloadToasts();
  change([...shown, { ...content, id: nextId++ }].slice(-MAX_SHOWN));
}

export function hideToast(name: string): void {
  change(shown.filter((toast) => toast.name !== name));
}

/** For the end of a session or a change of the account. */
export function dismissToasts(): void {
  change([]);
}

function dismiss(id: number): void {
  change(shown.filter((toast) => toast.id !== id));
}

/** Renders the toasts. Ctrl+Z undoes what the newest one offers to undo; it runs no other actions. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  const isLoaded = useSyncExternalStore(subscribe, () => canShow);
  const undoable = toasts.findLast(({ action }) => action?.label === texts.ui.undo);
  useShortcut(undoable && "Ctrl+z", { label: texts.ui.undo, group: texts.shell.general, inDialogs: true }, () => {
    if (undoable === undefined) return;
    dismiss(undoable.id);
    undoable.action?.run();
  });
  return isLoaded && <ToastList toasts={toasts} onDismiss={dismiss} />;
}
