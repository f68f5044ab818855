/** Copies a text. Returns false if the browser refuses it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Copies something that is not there yet. To be called in the event handler itself: some browsers allow copying only then.
 * Returns false if the browser refuses it, or if the content does not come.
 */
export async function copyLater(type: "text/plain" | "image/png", content: Promise<string | Blob>): Promise<boolean> {
  const blob = content.then((value) => (typeof value === "string" ? new Blob([value], { type }) : value));
  try {
    await navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
    return true;
  } catch {
    // Older browsers take no promises.
    return blob.then(
      (value) => (type === "text/plain" ? value.text().then(copyText) : false),
      () => false,
    );
  }
}

/** The text of the clipboard; null if the browser would have to ask the person. */
export async function readAllowedClipboard(): Promise<string | null> {
  try {
    const { state } = await navigator.permissions.query({ name: "clipboard-read" as PermissionName });
    return state === "granted" ? await navigator.clipboard.readText() : null;
  } catch {
    return null;
  }
}

/** The text of the clipboard, after the browser has asked the person; null if it is refused. */
export async function readClipboard(): Promise<string | null> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return null;
  }
}
