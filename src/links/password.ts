import { hashPassword } from "../lib/password.ts";
import { sign } from "../lib/hmac.ts";

/** The column of a link's `password` as a request gives it: undefined leaves it as it is, null removes it. */
export async function toPasswordHash<T extends string | null | undefined>(
  password: T,
): Promise<string | Exclude<T, string>> {
  return typeof password === "string" ? hashPassword(password) : (password as Exclude<T, string>);
}

/** The request with a keyed hash in place of its password: what is kept of it must not help to guess. */
export async function withoutPassword<T extends { password?: string | null | undefined }>(
  input: T,
  encryptionKeys: string,
): Promise<T> {
  if (input.password == null) return input;
  return { ...input, password: await sign(encryptionKeys, "fingerprint of a password", input.password) };
}
