import { toBase64Url } from "../../platform/lib/base64url.ts";
import { sha256Hex } from "../../platform/lib/hash.ts";
import { TOKEN_BYTES } from "../../limits.ts";

/** The cookie of a browser that has shortened links without a key. Only its hash is stored. */
export const CLAIM_COOKIE = "tern-claims";

const FORM = /^[\w-]{43}$/;

/** The cookie of the browser, or a new one if it has none of the right form. */
export function claimSecretOf(cookie: string | undefined): string {
  if (cookie !== undefined && FORM.test(cookie)) return cookie;
  return toBase64Url(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
}

/** The form in which the secret is stored. */
export function hashClaimSecret(secret: string): Promise<string> {
  return sha256Hex(secret);
}
