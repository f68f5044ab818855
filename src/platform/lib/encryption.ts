/**
 * Encryption at rest with AES-GCM. `keys` are the operator's keys in the form `<id>:<32 bytes in base64>`, separated by
 * commas. The first key encrypts and all keys decrypt, so an operator rotates keys by prepending a new one.
 */

/** The type that WebCrypto accepts both in Node and in Workers. */
type Bytes = Uint8Array<ArrayBuffer>;

const IV_BYTES = 12;
const KEY_BYTES = 32;

/** Encrypts the text. {@link open} needs the same `context`, so a value that is copied to another row cannot be decrypted. */
export async function seal(keys: string, text: string, context: string): Promise<string> {
  const [first] = readKeys(keys);
  if (first === undefined) throw new Error("ENCRYPTION_KEYS has no key");
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(parameters(iv, context), await importKey(first.bytes), encode(text));
  return [first.id, toBase64(iv), toBase64(new Uint8Array(sealed))].join(".");
}

/** Decrypts the result of {@link seal}. Throws if the key, the context or the value is wrong. */
export async function open(keys: string, sealed: string, context: string): Promise<string> {
  const [id = "", iv = "", text = ""] = sealed.split(".");
  const key = readKeys(keys).find((known) => known.id === id);
  if (key === undefined) throw new Error(`ENCRYPTION_KEYS lacks the key "${id}", which encrypted a value`);
  const opened = await crypto.subtle.decrypt(
    parameters(fromBase64(iv), context),
    await importKey(key.bytes),
    fromBase64(text),
  );
  return new TextDecoder().decode(opened);
}

/** A new random key in the form that {@link seal} accepts. */
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
      if (bytes.byteLength !== KEY_BYTES)
        throw new Error("ENCRYPTION_KEYS must have the form <id>:<32 bytes in base64>");
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
