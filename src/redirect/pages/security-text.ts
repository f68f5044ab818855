import type { IncomingRequest } from "../request-url.ts";
import { errorPage } from "./error-page.ts";
import { bodyResponse } from "./page.ts";
import { SECURITY_TEXT_TTL_MS } from "../limits.ts";

/** The service domain's `/.well-known/security.txt` (RFC 9116). 404 without a contact. */
export async function securityText(incoming: IncomingRequest, { BASE_URL, SECURITY_CONTACT }: Env): Promise<Response> {
  const contacts = (SECURITY_CONTACT ?? "").split(",").flatMap((text) => parseContact(text) ?? []);
  if (contacts.length === 0) return errorPage(incoming, "not_found");
  const lines = contacts.map((contact) => `Contact: ${contact}`);
  // The operator confirms the contact by running the service, so the file does not expire while it runs.
  lines.push(`Expires: ${new Date(Date.now() + SECURITY_TEXT_TTL_MS).toISOString()}`);
  if (BASE_URL !== "") lines.push(`Canonical: ${BASE_URL}/.well-known/security.txt`);
  return bodyResponse(incoming, `${lines.join("\n")}\n`, 200, "text/plain; charset=utf-8", {
    "Cache-Control": "public, max-age=86400",
  });
}

/** The contact as a URI, or null if it is neither an e-mail address nor a URL with https, mailto or tel. */
export function parseContact(text: string): string | null {
  const contact = text.trim();
  const uri = /^[^\s:/@]+@[^\s:/@]+$/.test(contact) ? `mailto:${contact}` : contact;
  return /^(https:\/\/|mailto:|tel:)\S+$/i.test(uri) && URL.canParse(uri) ? uri : null;
}
