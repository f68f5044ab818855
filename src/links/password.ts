import { hashPassword } from "../lib/password.ts";
import { sign } from "../lib/hmac.ts";

/** Returns the hash to store. undefined keeps the stored password, null removes it. */
export async function toPasswordHash<T extends string | null | undefined>(
  password: T,
): Promise<string | Exclude<T, string>> {
  return typeof password === "string" ? hashPassword(password) : (password as Exclude<T, string>);
}

/** Replaces the password by a keyed hash, so that the stored fingerprint of the request does not help to guess it. */
export async function withoutPassword<T extends { password?: string | null | undefined }>(
  input: T,
  encryptionKeys: string,
): Promise<T> {
  if (input.password == null) return input;
  return { ...input, password: await sign(encryptionKeys, "fingerprint of a password", input.password) };
}
