import { sha256Hex, toHex } from "../lib/hash.ts";

/** The beginning of every key. */
export const KEY_START = "svc_sk_live_";
const RANDOM_CHARS = 64;
/** The length of a key. */
export const KEY_CHARS = KEY_START.length + RANDOM_CHARS;
const KEY = new RegExp(`^${KEY_START}[0-9a-f]{${RANDOM_CHARS}}$`);

/** A new API key: 256 random bits. */
export function generateKey(): string {
  return KEY_START + toHex(crypto.getRandomValues(new Uint8Array(32)));
}

/** Whether the text has the form of a key. Other texts are rejected without a database read. */
export function isKeyShaped(text: string): boolean {
  return KEY.test(text);
}

/** The stored form of a key, by which it is found: SHA-256 in lower-case hexadecimal. */
export function hashKey(key: string): Promise<string> {
  return sha256Hex(key);
}

/** The first 8 characters, the same for every key. */
export const KEY_PREFIX = KEY_START.slice(0, 8);

/** The last four characters of a key, by which keys can be told apart in a list. */
export function lastFour(key: string): string {
  return key.slice(-4);
}
