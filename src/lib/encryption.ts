/**
 * Encryption at rest: AES-GCM under one of the operator's keys. `keys` is `<id>:<32 bytes in base64>`, several
 * separated by commas: the first encrypts, all decrypt, so a key is replaced by putting a new one before it.
 */

/** Bytes as both Node's and the Worker's WebCrypto take them. */
type Bytes = Uint8Array<ArrayBuffer>;

const IV_BYTES = 12;
const KEY_BYTES = 32;

/** Encrypts the text for `context`, which it must be opened with: a value that is moved elsewhere does not open. */
export async function seal(keys: string, text: string, context: string): Promise<string> {
  const [first] = readKeys(keys);
  if (first === undefined) throw new Error("ENCRYPTION_KEYS holds no key");
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(parameters(iv, context), await importKey(first.bytes), encode(text));
  return [first.id, toBase64(iv), toBase64(new Uint8Array(sealed))].join(".");
}

/** The text that {@link seal} was given. */
export async function open(keys: string, sealed: string, context: string): Promise<string> {
  const [id = "", iv = "", text = ""] = sealed.split(".");
  const key = readKeys(keys).find((known) => known.id === id);
  if (key === undefined) throw new Error(`ENCRYPTION_KEYS lacks the key "${id}", with which a value was encrypted`);
  const opened = await crypto.subtle.decrypt(
    parameters(fromBase64(iv), context),
    await importKey(key.bytes),
    fromBase64(text),
  );
  return new TextDecoder().decode(opened);
}

/** A key of its own, in the form that {@link seal} takes. */
export function generateEncryptionKey(id: string): string {
  return `${id}:${toBase64(crypto.getRandomValues(new Uint8Array(KEY_BYTES)))}`;
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

export function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

export function readKeys(keys: string | undefined): { id: string; bytes: Bytes }[] {
  return (keys ?? "")
    .split(",")
    .filter((key) => key.trim() !== "")
    .map((key) => {
      const [, id = "", text = ""] = /^([\w-]+):([\w+/]+=*)$/.exec(key.trim()) ?? [];
      const bytes = fromBase64(text);
      if (bytes.byteLength !== KEY_BYTES) throw new Error("ENCRYPTION_KEYS must hold <id>:<32 bytes in base64>");
      return { id, bytes };
    });
}

function importKey(bytes: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

function parameters(iv: Bytes, context: string) {
  return { name: "AES-GCM", iv, additionalData: encode(context) };
}

function encode(text: string): Bytes {
  return Uint8Array.from(new TextEncoder().encode(text));
}
