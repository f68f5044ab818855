import { SESSION_COOKIE } from "../../platform/lib/cookie-names.ts";
import { bodyResponse, type PageRequest } from "./page.ts";

// What the pages with files of the service have in common: the home page, the dashboard and the documents.

/** What stands for the nonce in the files. */
const NONCE = "__NONCE__";

/** What stands for whether the visitor may be signed in: `true` or `false`. */
const SESSION = "__SESSION__";

/**
 * Responds with a page. Its policy allows requests to this origin only, and no code but that of the service's files. `ancestors`: the
 * sites that may show it in a frame.
 */
export function browserPage(
  incoming: PageRequest,
  file: string,
  headers: Record<string, string>,
  ancestors = "'none'",
): Response {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(NONCE_BYTES))));
  const page = file.replaceAll(NONCE, nonce).replace(SESSION, String(hasSession(incoming.request)));
  return bodyResponse(incoming, page, 200, "text/html; charset=utf-8", {
    "Content-Security-Policy": policy(nonce, ancestors),
    // Each response has its own nonce and names the files of the current version. Browsers may keep it to go back.
    "Cache-Control": "private, no-cache",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    ...headers,
  });
}

const SESSION_PAIR = new RegExp(`(?:^|; )(?:__Host-)?${SESSION_COOKIE}=`);
/** Whether the browser may be signed in. */
export const hasSession = ({ headers }: Request): boolean => SESSION_PAIR.test(headers.get("Cookie") ?? "");

const NONCE_BYTES = 16;

function policy(nonce: string, ancestors: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${ancestors}`,
  ].join("; ");
}
