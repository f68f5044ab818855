import { hashPassword, storedForms } from "../lib/password.ts";
import { sign } from "../lib/hmac.ts";
import type { NewPassword } from "./store/update-sql.ts";

/** By link id, the password as each of the links stores it. */
export async function toNewPasswords(
  encryptionKeys: string,
  ids: readonly string[],
  password: string,
): Promise<Map<string, NewPassword>> {
  const passwords = new Map<string, NewPassword>();
  for (const id of ids) {
    const hash = await hashPassword(encryptionKeys, id, password);
    passwords.set(id, { hash, same: await storedForms(encryptionKeys, id, password) });
  }
  return passwords;
}

/** Replaces the password by a keyed hash, so that the stored fingerprint of the request does not help to guess it. */
export async function withoutPassword<T extends { password?: string | null | undefined }>(
  input: T,
  encryptionKeys: string,
): Promise<T> {
  if (input.password == null) return input;
  return { ...input, password: await sign(encryptionKeys, "fingerprint of a password", input.password) };
}
