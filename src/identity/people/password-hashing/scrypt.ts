import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import { fromBase64, toBase64 } from "../../../platform/lib/encryption.ts";

/** The cost of a hash (RFC 7914): iterations, block size and parallelization. */
export interface ScryptParameters {
  n: number;
  r: number;
  p: number;
}

/** Those of new hashes, as OWASP recommends them: a quarter of a second and 16 MiB. */
export const SCRYPT_PARAMETERS: ScryptParameters = { n: 2 ** 14, r: 8, p: 5 };

export const PASSWORD_SALT_BYTES = 16;
export const PASSWORD_HASH_BYTES = 32;
/** Twice what the present parameters need. */
const MAX_MEMORY_BYTES = 32 * 1_024 * 1_024;

/** Returns the password in its stored form: `scrypt$n$r$p$salt$hash`, the last two in base64. */
export function hashPassword(password: string, parameters = SCRYPT_PARAMETERS): string {
  const salt = randomBytes(PASSWORD_SALT_BYTES);
  return toStored(parameters, salt, derive(password, salt, parameters));
}

/** Returns the stored form of a hash. */
export function toStored({ n, r, p }: ScryptParameters, salt: Uint8Array, hash: Uint8Array): string {
  return ["scrypt", n, r, p, toBase64(salt), toBase64(hash)].join("$");
}

/** Whether this is the password of the stored form. Compares in constant time. */
export function isPassword(password: string, stored: string): boolean {
  const { salt, hash, ...parameters } = parse(stored);
  return timingSafeEqual(derive(password, salt, parameters), hash);
}

/** Whether the stored form has other parameters than new ones. */
export function isOutdated(stored: string): boolean {
  const { n, r, p } = parse(stored);
  return n !== SCRYPT_PARAMETERS.n || r !== SCRYPT_PARAMETERS.r || p !== SCRYPT_PARAMETERS.p;
}

function derive(password: string, salt: Uint8Array, { n, r, p }: ScryptParameters): Uint8Array {
  return scryptSync(password, salt, PASSWORD_HASH_BYTES, { N: n, r, p, maxmem: MAX_MEMORY_BYTES });
}

function parse(stored: string) {
  const [scheme, n, r, p, salt = "", hash = ""] = stored.split("$");
  if (scheme !== "scrypt") throw new Error("a stored password has an unknown form");
  return { n: Number(n), r: Number(r), p: Number(p), salt: fromBase64(salt), hash: fromBase64(hash) };
}
