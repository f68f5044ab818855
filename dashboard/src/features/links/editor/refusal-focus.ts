import { useEffect, useState, type RefObject } from "react";
import type { LinkForm } from "./form.ts";

/**
 * Shows what is wrong after a save that has failed: scrolls to the first field with an error and focuses it, or the
 * notice above the fields. Returns whether the error is at no field, so that only the notice can show it.
 */
export function useRefusalFocus(
  fields: RefObject<HTMLElement | null>,
  notices: RefObject<HTMLElement | null>,
  { refusals, conflict }: LinkForm,
): boolean {
  const [unplaced, setUnplaced] = useState<number | null>(null);
  useEffect(() => {
    if (refusals === 0) return;
    const wrong = conflict === null ? fields.current?.querySelector<HTMLElement>("[aria-invalid=true]") : null;
    if (wrong === null || wrong === undefined) setUnplaced(refusals);
    const shown = wrong ?? notices.current;
    // Where it is, both its label and its message are in sight.
    shown?.scrollIntoView({ block: "center" });
    shown?.focus({ preventScroll: true });
    // oxlint-disable-next-line react/exhaustive-deps -- once for each refusal
  }, [refusals]);
  return unplaced === refusals;
}
