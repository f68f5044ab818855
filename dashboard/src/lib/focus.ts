/** Moves the focus to the first of the form's fields that is wrong. */
export function focusOn(form: HTMLFormElement, wrong: Record<string, boolean>): void {
  const name = Object.keys(wrong).find((each) => wrong[each]);
  const field = name === undefined ? null : form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}

/** Moves the focus to the only field of the form. */
export function focusOnly(form: HTMLFormElement): void {
  form.querySelector("input")?.focus();
}
