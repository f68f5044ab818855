import { readKeys, toBase64 } from "./encryption.ts";
import { signWith, verifyWith } from "./hmac.ts";
import { TAG_BYTES } from "./password-tag.ts";

/**
 * The passwords of links and shared pages, stored in the form `keyId.tag.hmac`. The HMAC-SHA-256 is keyed with a key that is
 * derived from one of the operator's keys and the id of the link or page, so a copy of the database alone does not help to
 * guess the password. The tag is random and identifies the password; it stays when the operator's key changes. `keys` has
 * the form of `src/platform/lib/encryption.ts`.
 */

/** Returns the password of the link or page in its stored form, under the first key. */
export async function hashPassword(
  keys: string,
  id: string,
  password: string,
  tag = toBase64(crypto.getRandomValues(new Uint8Array(TAG_BYTES))),
): Promise<string> {
  const [first] = readKeys(keys);
  if (first === undefined) throw new Error("ENCRYPTION_KEYS has no key");
  return [first.id, tag, await signWith(first.bytes, purposeOf(id), normalisePassword(password))].join(".");
}

/** Whether this is the password of the link or page. Compares in constant time. Throws if `keys` lacks the key of the hash. */
export async function isPassword(keys: string, id: string, password: string, hash: string): Promise<boolean> {
  const [keyId = "", , hmac = ""] = hash.split(".");
  const key = readKeys(keys).find((known) => known.id === keyId);
  if (key === undefined) throw new Error(`ENCRYPTION_KEYS lacks the key "${keyId}", which a password needs`);
  return verifyWith(key.bytes, purposeOf(id), normalisePassword(password), hmac);
}

/** Returns the same password under the first key, or null if it is under that key already. */
export async function rehashPassword(keys: string, id: string, password: string, hash: string): Promise<string | null> {
  const [keyId, tag] = hash.split(".");
  return readKeys(keys)[0]?.id === keyId ? null : hashPassword(keys, id, password, tag);
}

/** The stored forms of one password differ only in the tag, between `start` and `end`. */
export interface StoredForm {
  start: string;
  end: string;
}

/** Returns what the stored password of the link or page looks like if it is this one, under each of the keys. */
export async function storedForms(keys: string, id: string, password: string): Promise<StoredForm[]> {
  return Promise.all(
    readKeys(keys).map(async ({ id: keyId, bytes }) => ({
      start: `${keyId}.`,
      end: `.${await signWith(bytes, purposeOf(id), normalisePassword(password))}`,
    })),
  );
}

/** Systems encode the same typed text differently, and some type full-width letters; NFKC makes them equal. */
export function normalisePassword(password: string): string {
  return password.normalize("NFKC");
}

function purposeOf(id: string): string {
  return `password of ${id}`;
}
