import { open, readKeys, seal } from "../../platform/lib/encryption.ts";
import { hashToken, newToken } from "../../platform/lib/token.ts";

// The token in the URL of a shared page, which opens the page. The database has its hash, by which it is found, and the
// token encrypted, so that the account can read the URL again.

/** By which src/platform/lib/log.ts recognises a token. */
const PREFIX = "share_";
const FORM = /^share_[\w-]{43}$/;

interface StoredToken {
  tokenHash: string;
  /** Encrypted for the page. */
  sealedToken: string;
}

/** Creates the token of a new page, in its stored form. */
export async function createToken(encryptionKeys: string, pageId: string): Promise<StoredToken> {
  const token = PREFIX + newToken();
  return { tokenHash: await hashToken(token), sealedToken: await seal(encryptionKeys, token, pageId) };
}

/** The URL of the page. Throws if `encryptionKeys` lacks the key of the token. */
export async function toPageUrl(
  { ENCRYPTION_KEYS }: Pick<Env, "ENCRYPTION_KEYS">,
  baseUrl: string,
  { id, token }: { id: string; token: string },
): Promise<string> {
  return `${baseUrl}/app/shared/${await open(ENCRYPTION_KEYS, token, id)}`;
}

/** Returns the stored hash of the token that a viewer sent, or null if no page can have it. */
export async function hashGivenToken(token: string): Promise<string | null> {
  return FORM.test(token) ? hashToken(token) : null;
}

/** Returns the token of the page encrypted with the first key, or null if it is so already. */
export async function resealToken(
  encryptionKeys: string,
  page: { id: string; token: string },
  token: string,
): Promise<string | null> {
  const isNewest = page.token.startsWith(`${readKeys(encryptionKeys)[0]?.id}.`);
  return isNewest ? null : seal(encryptionKeys, token, page.id);
}
