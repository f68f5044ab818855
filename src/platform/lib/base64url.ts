import { fromBase64, toBase64 } from "./encryption.ts";

// Base64 for URLs and WebAuthn, without padding (RFC 4648, section 5).

export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Throws if the text is not base64. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}
