import { toBase64 } from "../../lib/encryption.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { TOKEN_BYTES } from "../../limits.ts";

/** A new random token of 256 bits, in base64url without padding. */
export function newToken(): string {
  const base64 = toBase64(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The stored form of a token, by which it is found. */
export function hashToken(token: string): Promise<string> {
  return sha256Hex(token);
}
