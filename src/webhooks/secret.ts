import { fromBase64, seal, toBase64 } from "../platform/lib/encryption.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
const VISIBLE_CHARS = 8;
const SECRET_CHARS = PREFIX.length + 44;

/** A new signing secret: `whsec_` and 32 random bytes in standard base64. */
function generateSecret(): string {
  return PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** Generates a secret, with its stored form for the webhook `id`. */
export async function newSecret({ ENCRYPTION_KEYS }: Pick<Env, "ENCRYPTION_KEYS">, id: string) {
  const secret = generateSecret();
  return { secret, sealedSecret: await seal(ENCRYPTION_KEYS, secret, id), secretStart: startOf(secret) };
}

/** The first characters of a secret, which stay visible. */
function startOf(secret: string): string {
  return secret.slice(0, VISIBLE_CHARS);
}

/** The masked form of the secret with these first characters. */
export function mask(start: string): string {
  return start + "*".repeat(SECRET_CHARS - VISIBLE_CHARS);
}

/** The decoded bytes, which are the signing key of Standard Webhooks. */
export function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  return fromBase64(secret.slice(PREFIX.length));
}
