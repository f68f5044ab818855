import { sha256Hex } from "../../platform/lib/hash.ts";
import { MIN_SETUP_SECRET_CHARS, SETUP_CODE_BYTES } from "./limits.ts";

/** Crockford's base 32: without I, L, O and U, which people mistake for others. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const GROUP_CHARS = 5;

/** A new setup code of 128 random bits, such as `8Q2NV-…`. */
export function newSetupCode(): string {
  const bits = [...crypto.getRandomValues(new Uint8Array(SETUP_CODE_BYTES))]
    .map((byte) => byte.toString(2).padStart(8, "0"))
    .join("");
  const letters = bits.match(/.{1,5}/g) ?? [];
  const code = letters.map((letter) => ALPHABET[Number.parseInt(letter.padEnd(5, "0"), 2)]).join("");
  return (code.match(new RegExp(`.{1,${GROUP_CHARS}}`, "g")) ?? []).join("-");
}

/** The stored form of a setup code. Case, spaces and hyphens do not matter, nor whether O or 0 was typed. */
export function hashSetupCode(code: string): Promise<string> {
  return sha256Hex(`setup code ${lettersOf(code)}`);
}

/** Whether a secret of the operator's own has enough letters and digits. */
export function isLongEnough(code: string): boolean {
  return lettersOf(code).length >= MIN_SETUP_SECRET_CHARS;
}

function lettersOf(code: string): string {
  return code
    .toUpperCase()
    .replaceAll(/[^A-Z\d]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
}
