import { foldCase } from "#src/platform/lib/fold-case.ts";
import { useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { useLatest } from "../lib/latest.ts";
import { deliverTypeAhead, startTypeAhead } from "../lib/type-ahead.ts";

/** One of the things that people choose by typing a part of its label. */
export interface Choice {
  value: string;
  label: string;
  /** Beside the label, such as how often the value is used. */
  aside?: string;
}

export function isSame({ label }: Choice, text: string): boolean {
  return foldCase(label) === foldCase(text.trim());
}

/** The choices that fit the text: the one that is the text, then those that begin with it, then those that contain it. */
export function fitting<Any extends Choice>(choices: readonly Any[], text: string): Any[] {
  const needle = foldCase(text.trim());
  const rank = (choice: Any) => Number(isSame(choice, text)) + Number(foldCase(choice.label).startsWith(needle));
  return choices
    .filter(({ label, value }) => foldCase(`${label} ${value}`).includes(needle))
    .toSorted((a, b) => rank(b) - rank(a));
}

/**
 * What Enter takes, in all fields in which people type to choose: one of the choices for exactly the text that is typed.
 * The function that this returns reads them and gives them to `take`, unless they cannot be read or the text is another by
 * then.
 */
export function useChoicesFor<Any>(
  text: string,
  read: (text: string) => Promise<Any>,
  take: (choices: Any) => void,
): () => void {
  const latest = useRef<string | null>(text);
  const takeNow = useLatest(take);
  useEffect(() => {
    latest.current = text;
    return () => {
      latest.current = null;
    };
  }, [text]);
  return () =>
    void takeWhenRead(read(text.trim()), (choices) => {
      if (latest.current === text) takeNow(choices);
    });
}

/** Waits for what is read. What is typed into the field meanwhile comes after `take`. Escape ends the wait. */
export async function takeWhenRead<Any>(reading: Promise<Any>, take: (result: Any) => void): Promise<void> {
  const field = document.activeElement;
  let isWanted = true;
  const typed = startTypeAhead(() => {
    isWanted = false;
  });
  try {
    const result = await reading;
    if (isWanted) flushSync(() => take(result));
  } catch {
    // The list says what can be chosen.
  }
  if (field instanceof HTMLElement) deliverTypeAhead(typed, field);
}
