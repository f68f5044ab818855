/** What the extension knows: the origin of the service, and the API key or an empty text. */
export interface Settings {
  service: string;
  key: string;
}

/** Null: nothing was saved yet. The key stays in this browser: `storage.local` is not synchronised. */
export async function readSettings(): Promise<Settings | null> {
  const { service, key } = await chrome.storage.local.get<Partial<Settings>>(["service", "key"]);
  return service === undefined ? null : { service, key: key ?? "" };
}

export function saveSettings(settings: Settings): Promise<void> {
  return chrome.storage.local.set(settings);
}

/** Returns the origin of what a person typed. Throws with a sentence that says what to do. */
export function readOrigin(text: string): string {
  const typed = text.trim();
  const url = URL.parse(/^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error("Write the URL of the service, such as https://go.example.");
  const isLocal = url.hostname === "localhost" || url.hostname === "127.0.0.1";
  if (url.protocol === "http:" && !isLocal)
    throw new Error("The service needs https: a key must not be sent in the clear.");
  return url.origin;
}

/** The pattern of the permission that lets the extension call the service. Patterns have no ports. */
export function permissionFor(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}/*`;
}
