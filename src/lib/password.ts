import { fromBase64, toBase64 } from "./encryption.ts";

/**
 * Stored passwords have the form `scrypt$N$r$p$salt$key`, with salt and key in base64. Each hash holds its parameters, so
 * new hashes can use higher ones.
 */

/** The cost of new hashes, as OWASP recommends for 16 MiB of memory. Tests in workerd lower it (test/setup.ts). */
export const SCRYPT_COST = { N: 2 ** 14, r: 8, p: 5 };
/** The maximum memory of scrypt, which needs a little more than 16 MiB with {@link SCRYPT_COST}. */
const MAX_MEMORY_BYTES = 32 * 2 ** 20;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const key = await derive(password, salt, SCRYPT_COST);
  return ["scrypt", SCRYPT_COST.N, SCRYPT_COST.r, SCRYPT_COST.p, toBase64(salt), toBase64(key)].join("$");
}

/** Whether the hash is of this password. Compares in constant time. Throws if {@link hashPassword} did not create the hash. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = hash.split("$");
  if (scheme !== "scrypt" || salt === undefined || key === undefined) throw new Error("not a password hash");
  const expected = fromBase64(key);
  const derived = await derive(password, fromBase64(salt), { N: Number(N), r: Number(r), p: Number(p) });
  const { timingSafeEqual } = await import("node:crypto");
  return expected.byteLength === derived.byteLength && timingSafeEqual(expected, derived);
}

/** The salt of a hash. It identifies the hash and is useless for guessing the password. */
export function tagOf(hash: string): string {
  return hash.split("$")[4] ?? "";
}

/** Systems encode the same typed text differently; NFC makes them equal. */
export function normalisePassword(password: string): string {
  return password.normalize("NFC");
}

async function derive(password: string, salt: Uint8Array, cost: typeof SCRYPT_COST): Promise<Uint8Array> {
  // Loaded only when a password is hashed.
  const { scrypt } = await import("node:crypto");
  return new Promise((resolve, reject) => {
    scrypt(normalisePassword(password), salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY_BYTES }, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
