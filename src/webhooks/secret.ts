import { fromBase64, toBase64 } from "../lib/encryption.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
const SHOWN_CHARS = 8;
const SECRET_CHARS = PREFIX.length + 44;

/** A new signing secret (2.2): `whsec_` and 32 random bytes in standard base64. */
export function generateSecret(): string {
  return PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** What is shown of a secret after its creation. */
export function startOf(secret: string): string {
  return secret.slice(0, SHOWN_CHARS);
}

/** The masked form of the secret that begins like this. */
export function mask(start: string): string {
  return start + "*".repeat(SECRET_CHARS - SHOWN_CHARS);
}

/** The bytes that the Standard Webhooks specification signs with. */
export function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  return fromBase64(secret.slice(PREFIX.length));
}
