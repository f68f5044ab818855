import { useLayoutEffect, useRef } from "react";
import type { Shortcut } from "./shortcut.ts";
import { readStored, store, useStored } from "./storage.ts";
import { takesText } from "./type-ahead.ts";
import { isComposing } from "./composing.ts";

interface Registered extends Shortcut {
  /** Whether it has effect while a dialog, a panel or a menu is open. */
  inDialogs: boolean;
  run: (event: KeyboardEvent) => void;
}

/** The last one that is registered for some keys wins. */
const registered: Registered[] = [];

export function listShortcuts(): readonly Shortcut[] {
  return registered;
}

/**
 * Calls `run` when the keys are pressed outside of a text field. Undefined keys switch it off. `inDialogs` is for the
 * shortcuts of a dialog itself: those of the page behind it have no effect.
 */
export function useShortcut(
  keys: string | undefined,
  { label, group, inDialogs = false }: { label: string; group: string; inDialogs?: boolean },
  run: (event: KeyboardEvent) => void,
): void {
  const latest = useRef(run);
  // The keys have effect as soon as it is shown what they act on.
  useLayoutEffect(() => {
    latest.current = run;
  });
  useLayoutEffect(() => {
    if (keys === undefined) return undefined;
    const shortcut: Registered = { keys, label, group, inDialogs, run: (event) => latest.current(event) };
    registered.push(shortcut);
    return () => void registered.splice(registered.indexOf(shortcut), 1);
  }, [keys, label, group, inDialogs]);
}

const CHARACTER_KEYS = "character-keys";

/** Whether shortcuts of characters alone, such as "c", have effect. Speech input and slips of the hand can press them (WCAG 2.1.4). */
export function useCharacterKeys(): [boolean, (isOn: boolean) => void] {
  return [useStored(CHARACTER_KEYS) !== "off", (isOn) => store(CHARACTER_KEYS, isOn ? null : "off")];
}

/** Whether the keys are characters alone: "c", "?" or "g l". */
export const areCharacters = (keys: string): boolean => keys.split(" ").every((key) => key.length === 1);

/** How long the second key of two in a row may take. */
const SEQUENCE_MS = 1_000;
let first = { key: "", at: 0 };

/** In a text field these select, undo and so on, as everywhere. */
const EDITS_TEXT = /^Ctrl\+[acvxyz]$/;

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || isComposing(event)) return;
  const key = nameOf(event);
  if (takesText(event.target) && !worksWhileTyping(key)) return;
  const now = Date.now();
  const sequence = now - first.at < SEQUENCE_MS ? `${first.key} ${key}` : undefined;
  first = { key, at: now };
  const shortcut = findLast(sequence) ?? findLast(key);
  if (shortcut === undefined) {
    // The browser's own Ctrl+K would leave the dialog for the address bar.
    if (key.startsWith("Ctrl+") && isRegistered(key) && !takesText(event.target)) event.preventDefault();
    return;
  }
  first = { key: "", at: 0 };
  event.preventDefault();
  shortcut.run(event);
});

function nameOf({ key, code, altKey, ctrlKey, metaKey }: KeyboardEvent): string {
  const hasControl = ctrlKey || metaKey;
  // With Alt, `key` is another character on some keyboards.
  if (altKey && !hasControl && /^Key[A-Z]$/.test(code)) return `Alt+${code.slice(3).toLowerCase()}`;
  return `${hasControl ? "Ctrl+" : ""}${key.length === 1 ? key.toLowerCase() : key}`;
}

function worksWhileTyping(key: string): boolean {
  return (/^(Ctrl|Alt)\+/.test(key) && !EDITS_TEXT.test(key)) || key === "Escape";
}

const isRegistered = (keys: string): boolean => registered.some((shortcut) => shortcut.keys === keys);

function findLast(keys: string | undefined): Registered | undefined {
  if (keys === undefined || (areCharacters(keys) && readStored(CHARACTER_KEYS) === "off")) return undefined;
  const isCovered = document.querySelector("[role=dialog], [role=menu]") !== null;
  return registered.findLast((shortcut) => shortcut.keys === keys && (shortcut.inDialogs || !isCovered));
}
