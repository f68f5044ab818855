import { preferredType } from "../../platform/lib/accept.ts";
import { escapeHtml } from "../../platform/lib/escape-html.ts";
import type { IncomingRequest } from "../request-url.ts";
import { directionOf, type Language } from "./language.ts";
import { lookOf } from "./brand.ts";
import { STYLE } from "./page-style.ts";

// The layout of the pages of a short domain, and the headers of every response that is not a redirect.

export type PageRequest = Pick<IncomingRequest, "request" | "requestId" | "brand">;

export interface Page {
  language: Language;
  title: string;
  /** Inserted as it is, like `head`. */
  html: string;
  head?: string;
  /** The page has a form. Browsers apply form-action to the redirects after a form too, and these lead to any site. */
  hasForm?: boolean;
  /** The page's script, as its hash in the policy. */
  scriptHash?: string;
}

/** For a response that is meant for this visitor and this moment only. */
export const PRIVATE_HEADERS = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" };

/** What decides between a page and JSON, and about the language of the page. */
const VARY = "Accept, Accept-Language";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** For responses without a page too. */
const HEADERS = {
  "Content-Security-Policy": `${POLICY}; form-action 'none'`,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

export function pageResponse(
  incoming: PageRequest,
  page: Page,
  status: number,
  headers: Record<string, string>,
): Response {
  const { language, html, head = "" } = page;
  const title = escapeHtml(page.title);
  const { icon, style, header } = lookOf(incoming);
  const document = `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><link rel="icon" href="${icon}">${head}<style>${STYLE}${style}</style><header>${header}</header><main><h1>${title}</h1>${html}</main></html>`;
  return bodyResponse(incoming, document, status, "text/html; charset=utf-8", {
    "Content-Security-Policy": policyOf(page, incoming.brand?.brandLogo ?? null),
    "Content-Language": language,
    Vary: VARY,
    ...headers,
  });
}

function policyOf({ hasForm = false, scriptHash }: Page, logo: string | null): string {
  const parts = [POLICY, `img-src 'self' data:${logo === null ? "" : ` ${new URL(logo).origin}`}`];
  if (scriptHash !== undefined) parts.push(`script-src '${scriptHash}'`);
  if (!hasForm) parts.push("form-action 'none'");
  return parts.join("; ");
}

export function jsonResponse(
  incoming: PageRequest,
  body: object,
  status: number,
  headers: Record<string, string> = {},
): Response {
  return bodyResponse(incoming, JSON.stringify(body), status, "application/json", { Vary: VARY, ...headers });
}

/** Leaves the body out of a response to HEAD. Null: the response has none, such as a 304. */
export function bodyResponse(
  { request, requestId }: PageRequest,
  body: string | Uint8Array<ArrayBuffer> | null,
  status: number,
  type: string,
  headers: Record<string, string>,
): Response {
  return new Response(request.method === "HEAD" ? null : body, {
    status,
    headers: { ...HEADERS, ...headers, "Content-Type": type, "X-Request-Id": requestId },
  });
}

/** Whether the client prefers JSON to a page. */
export function prefersJson(request: Request): boolean {
  return preferredType(request.headers.get("Accept"), ["text/html", "application/json"]) === "application/json";
}
