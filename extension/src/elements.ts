/** Returns the element with this id. */
export function element<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`There is no element ${id}.`);
  return found as Kind;
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
