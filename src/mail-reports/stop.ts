import { badRequest } from "../http/errors.ts";
import { toBase64Url, fromBase64Url } from "../lib/base64url.ts";
import { fromBase64, toBase64 } from "../lib/encryption.ts";
import { sign, verifySignature } from "../lib/hmac.ts";
import { endReport } from "./store.ts";

// The URL in a mail that ends its report without a session. Its token is the report's id and a signature.

const PURPOSE = "stop of a report by mail";

export async function stopUrl(env: Pick<Env, "ENCRYPTION_KEYS">, baseUrl: string, id: string): Promise<string> {
  const signature = toBase64Url(fromBase64(await sign(env.ENCRYPTION_KEYS, PURPOSE, id)));
  return `${baseUrl}/api/account/mail-reports/stop?token=${id}.${signature}`;
}

/** Ends the report of the token, if it is still sent. Throws a 400 for a token that was not signed here. */
export async function stopByToken(env: Env, token: string): Promise<void> {
  const [id = "", signature = ""] = token.split(".");
  if (!(await verifySignature(env.ENCRYPTION_KEYS, PURPOSE, id, toPadded(signature))))
    throw badRequest("This URL is not complete. Copy it from the mail again.");
  await endReport(env.DB, id);
}

function toPadded(signature: string): string {
  try {
    return toBase64(fromBase64Url(signature));
  } catch {
    return "";
  }
}

const page = (title: string, rest: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title><main><h1>${title}</h1>${rest}</main></html>`;

/** The form goes to the page's own URL, which has the token. */
export const STOP_PAGE = page(
  "Stop this report?",
  `<p>You will get no more of these mails.</p><form method="post"><button>Stop the report</button></form>`,
);

export const STOPPED_PAGE = page("The report is stopped", "<p>You get no more of these mails.</p>");

/** The form may be sent, and nothing else can run or load. */
export const STOP_PAGE_POLICY = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
