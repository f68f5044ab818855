import { open } from "../../lib/encryption.ts";
import type { SigningTarget } from "./attempt.ts";

/** The columns that sending to a webhook needs. */
export interface TargetRow {
  id: string;
  url: string;
  secret: string;
  old_secret: string | null;
  old_secret_until: number | null;
}

export const TARGET_COLUMNS = "w.id, w.url, w.secret, w.old_secret, w.old_secret_until";

/** Decrypts what signs at `now`. Throws where the Worker lacks the key. */
export async function toSigningTarget(row: TargetRow, encryptionKeys: string, now: number): Promise<SigningTarget> {
  const sealed = [row.secret];
  if (row.old_secret !== null && (row.old_secret_until ?? 0) > now) sealed.push(row.old_secret);
  return { url: row.url, secrets: await Promise.all(sealed.map((secret) => open(encryptionKeys, secret, row.id))) };
}
