import { hashPassword, storedForms } from "../platform/lib/password.ts";
import { sign } from "../platform/lib/hmac.ts";
import { tagOf } from "../platform/lib/password-tag.ts";
import type { LinkRow } from "./store/row.ts";

/** The password as the link stores it: as now if it is the same one, so that cookies stay valid. */
export async function toStoredPassword(
  encryptionKeys: string,
  { id, password_hash: present }: Pick<LinkRow, "id" | "password_hash">,
  password: string,
): Promise<string> {
  const forms = present === null ? [] : await storedForms(encryptionKeys, id, password);
  const isSame = present !== null && forms.some(({ start, end }) => present === start + tagOf(present) + end);
  return isSame ? present : hashPassword(encryptionKeys, id, password);
}

/** Replaces the password by a keyed hash, so that the stored fingerprint of the request does not help to guess it. */
export async function withoutPassword<T extends { password?: string | null | undefined }>(
  input: T,
  encryptionKeys: string,
): Promise<T> {
  if (input.password == null) return input;
  return { ...input, password: await sign(encryptionKeys, "fingerprint of a password", input.password) };
}
