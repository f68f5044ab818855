/** Returns the element with this id. */
export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`There is no element ${id}.`);
  return found;
}

export function inputField(id: string): HTMLInputElement {
  const found = element(id);
  if (!(found instanceof HTMLInputElement)) throw new Error(`The element ${id} is no field.`);
  return found;
}

/** Runs an action while its form or button is disabled, and shows the sentence of an error. */
export async function run(controls: HTMLElement, action: () => Promise<void>): Promise<void> {
  const message = element("message");
  message.textContent = "";
  message.classList.remove("bad");
  controls.inert = true;
  try {
    await action();
  } catch (error) {
    message.classList.add("bad");
    message.textContent = (error as Error).message;
  } finally {
    controls.inert = false;
  }
}
