import { toBase64Url, fromBase64Url } from "../../platform/lib/base64url.ts";
import { fromBase64, toBase64 } from "../../platform/lib/encryption.ts";
import { sign, verifySignature } from "../../platform/lib/hmac.ts";

// The URL in a mail that ends its report without a session. Its token is the report's id and a signature.

const PURPOSE = "stop of a report by mail";

export async function stopUrl(env: Pick<Env, "ENCRYPTION_KEYS">, baseUrl: string, id: string): Promise<string> {
  const signature = toBase64Url(fromBase64(await sign(env.ENCRYPTION_KEYS, PURPOSE, id)));
  return `${baseUrl}/api/account/mail-reports/stop?token=${id}.${signature}`;
}

/** The id of the report in a token; null: it was not signed here. */
export async function mailReportOfToken(env: Pick<Env, "ENCRYPTION_KEYS">, token: string): Promise<string | null> {
  const [id = "", signature = ""] = token.split(".");
  return (await verifySignature(env.ENCRYPTION_KEYS, PURPOSE, id, toPadded(signature))) ? id : null;
}

function toPadded(signature: string): string {
  try {
    return toBase64(fromBase64Url(signature));
  } catch {
    return "";
  }
}
