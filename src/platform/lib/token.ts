import { toBase64Url } from "./base64url.ts";
import { sha256Hex } from "./hash.ts";
import { TOKEN_BYTES } from "../../limits.ts";

/** A new random token of 256 bits, in base64url without padding. */
export function newToken(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
}

/** The stored form of a token, by which it is found. */
export function hashToken(token: string): Promise<string> {
  return sha256Hex(token);
}
