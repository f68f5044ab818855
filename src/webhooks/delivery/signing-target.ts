import { open } from "../../platform/lib/encryption.ts";
import { signingSecretsOf } from "../store/secrets.ts";
import type { WebhookFormat } from "../formats.ts";
import type { TargetRow } from "../store/row.ts";

/** The URL that events are sent to, in which format, and the secrets that sign them. */
export interface SigningTarget {
  url: string;
  format: WebhookFormat;
  /** The valid secrets, newest first. */
  secrets: readonly string[];
}

/** Decrypts the secrets that are valid at `now`. Throws if the Worker lacks their encryption key. */
export async function toSigningTarget(row: TargetRow, encryptionKeys: string, now: number): Promise<SigningTarget> {
  const sealed = signingSecretsOf(row, now);
  const secrets = await Promise.all(sealed.map((secret) => open(encryptionKeys, secret, row.id)));
  return { url: row.url, format: row.format, secrets };
}
