// Between the key or the press that opens a field and the moment when the field has the focus, people type already.

/** How long an opening may take. Whatever opens by then has failed. */
const MAX_OPENING_MS = 30_000;

export interface Opening {
  /** What was typed and pasted since. */
  text: string;
  startedAt: number;
  cancel: () => void;
}

let opening: Opening | null = null;

/**
 * Keeps what is typed and pasted from now on for the field that is opening: the next one that gets the focus, or the
 * `data-first-field` of the next dialog. Until then no key acts on the page. Escape drops the text and calls `cancel`.
 */
export function startTypeAhead(cancel: () => void): Opening {
  opening = { text: "", startedAt: Date.now(), cancel };
  return opening;
}

/** As {@link startTypeAhead}, unless the key or the press has started it already. */
export function continueTypeAhead(cancel: () => void): void {
  if (opening === null) startTypeAhead(cancel);
}

/** What was opening does not open. */
export function endTypeAhead(): void {
  opening = null;
}

/** Whether the keys go into its text, or do something there. */
export function takesText(target: EventTarget | null): target is HTMLElement {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
    !/^(checkbox|radio|button)$/.test((target as HTMLInputElement).type)
  );
}

/** Before all other listeners. */
function listen<Type extends "keydown" | "paste" | "focusin" | "pointerdown" | "popstate">(
  type: Type,
  run: (event: WindowEventMap[Type], current: Opening) => void,
): void {
  addEventListener(
    type,
    (event) => {
      if (opening !== null && Date.now() - opening.startedAt > MAX_OPENING_MS) opening = null;
      if (opening !== null) run(event, opening);
    },
    { capture: true },
  );
}

function keep(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

listen("keydown", (event, current) => {
  const { key, ctrlKey, metaKey, altKey } = event;
  const isCommand = (ctrlKey || metaKey || altKey) && !event.getModifierState("AltGraph");
  if (isCommand || key === "Shift") return;
  keep(event);
  if (key.length === 1) current.text += key;
  else if (key === "Backspace") current.text = Array.from(current.text).slice(0, -1).join("");
  else if (key === "Escape") {
    endTypeAhead();
    current.cancel();
  }
});

listen("paste", (event, current) => {
  keep(event);
  current.text += event.clipboardData?.getData("text") ?? "";
});

listen("pointerdown", endTypeAhead);

// The person has gone back.
listen("popstate", endTypeAhead);

listen("focusin", ({ target }, current) => {
  const dialog = target instanceof Element ? target.closest("[role=dialog], [role=menu]") : null;
  const field = takesText(target) ? target : dialog?.querySelector<HTMLElement>("[data-first-field]");
  if (field === undefined || field === null) {
    if (dialog !== null) endTypeAhead();
    return;
  }
  // After what opened the field has placed the cursor.
  queueMicrotask(() => deliverTypeAhead(current, field));
});

/** Puts what was typed since into the field, unless something else is opening by now. */
export function deliverTypeAhead(started: Opening, field: HTMLElement): void {
  if (opening !== started) return;
  endTypeAhead();
  if (started.text === "" || !field.isConnected) return;
  field.focus();
  // Like typing: it replaces what is selected, and can be undone.
  document.execCommand("insertText", false, started.text);
}
