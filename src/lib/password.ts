import { fromBase64, toBase64 } from "./encryption.ts";

/**
 * Passwords as they are stored: `scrypt$N$r$p$salt$key`, the last two in base64. Each hash names its own
 * parameters, so that those of new ones can be raised.
 */

// As OWASP recommends for 16 MiB of memory.
const COST = { N: 2 ** 14, r: 8, p: 5 };
/** What scrypt needs for {@link COST} is 16 MiB and a little; this is what it may take. */
const MAX_MEMORY_BYTES = 32 * 2 ** 20;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const key = await derive(password, salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, toBase64(salt), toBase64(key)].join("$");
}

/** Whether the password is the one that was hashed, compared in constant time. Throws where the hash is not one of {@link hashPassword}. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = hash.split("$");
  if (scheme !== "scrypt" || salt === undefined || key === undefined) throw new Error("not a hash of a password");
  const expected = fromBase64(key);
  const derived = await derive(password, fromBase64(salt), { N: Number(N), r: Number(r), p: Number(p) });
  const { timingSafeEqual } = await import("node:crypto");
  return expected.byteLength === derived.byteLength && timingSafeEqual(expected, derived);
}

/** What tells one hash from the next without being of use to guess the password: its salt. */
export function tagOf(hash: string): string {
  return hash.split("$")[4] ?? "";
}

/** The same text typed on another system is the same password. */
export function normalisePassword(password: string): string {
  return password.normalize("NFC");
}

async function derive(password: string, salt: Uint8Array, cost: typeof COST): Promise<Uint8Array> {
  // Evaluated for passwords alone.
  const { scrypt } = await import("node:crypto");
  return new Promise((resolve, reject) => {
    scrypt(normalisePassword(password), salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY_BYTES }, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
