import { texts } from "../texts/index.ts";
import { explainError } from "./notice.tsx";
import { showToast } from "./toast.tsx";

/**
 * Says that something was changed. The toast has a button for `undo` if it can be undone. A mutation with an undo calls it
 * in its `mutationFn`: its `onSuccess` is that of the newest render, which knows only the new value.
 */
export function showChange(title: string, undo?: () => Promise<unknown>): void {
  showToast({
    title,
    ...(undo !== undefined && { action: { label: texts.ui.undo, run: () => void undo().catch(showProblem) } }),
  });
}

/** Says why something that has no place for errors of its own failed. */
export function showProblem(error: unknown): void {
  showToast({ kind: "problem", title: explainError(error) });
}
