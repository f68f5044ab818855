import { fromBase64, readKeys, toBase64 } from "./encryption.ts";

/**
 * Signs the text with HMAC-SHA256. The key is derived (HKDF) from the operator's first key for this purpose only; `keys`
 * has the form of `src/platform/lib/encryption.ts`.
 */
export async function sign(keys: string, purpose: string, text: string): Promise<string> {
  const [first] = readKeys(keys);
  if (first === undefined) throw new Error("ENCRYPTION_KEYS has no key");
  return signWith(first.bytes, purpose, text);
}

/** {@link sign} with one key. */
export async function signWith(key: BufferSource, purpose: string, text: string): Promise<string> {
  const signature = await crypto.subtle.sign("HMAC", await keyFor(key, purpose), encode(text));
  return toBase64(new Uint8Array(signature));
}

/** Whether {@link sign} created the signature with any of the keys. Compares in constant time. */
export async function verifySignature(
  keys: string,
  purpose: string,
  text: string,
  signature: string,
): Promise<boolean> {
  for (const { bytes } of readKeys(keys)) {
    if (await verifyWith(bytes, purpose, text, signature)) return true;
  }
  return false;
}

/** Whether {@link signWith} created the signature with the key. Compares in constant time. */
export async function verifyWith(
  key: BufferSource,
  purpose: string,
  text: string,
  signature: string,
): Promise<boolean> {
  const given = decode(signature);
  return given !== null && crypto.subtle.verify("HMAC", await keyFor(key, purpose), given, encode(text));
}

async function keyFor(bytes: BufferSource, purpose: string): Promise<CryptoKey> {
  const secret = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encode(purpose) };
  const algorithm = { name: "HMAC", hash: "SHA-256", length: 256 };
  return crypto.subtle.deriveKey(derivation, secret, algorithm, false, ["sign", "verify"]);
}

function decode(signature: string): BufferSource | null {
  try {
    return fromBase64(signature);
  } catch {
    return null;
  }
}

function encode(text: string): BufferSource {
  return new TextEncoder().encode(text);
}
