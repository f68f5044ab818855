import { preferredType } from "../../lib/accept.ts";
import { escapeHtml } from "../../lib/escape-html.ts";
import type { IncomingRequest } from "../request-url.ts";

// The layout of the pages of a short domain, and the headers of every response that is not a redirect.

export type PageRequest = Pick<IncomingRequest, "request" | "requestId">;

/** An error as a page, or as JSON for clients that ask for it. */
export interface ErrorContent {
  status: number;
  code: string;
  title: string;
  /** One or more sentences. */
  text: string;
  /** Shown below the text on the page. */
  html?: string;
  headers?: Record<string, string>;
}

/** The colours are those of dashboard/src/styles.css. The pages load nothing, so they have the system's font. */
const STYLE =
  "body{font:1.1rem/1.6 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-content:center;grid-template-columns:minmax(0,34rem);padding:1.5rem;box-sizing:border-box;color:#10242e;background:#f5f7f6}h1{font-size:1.75rem;line-height:1.2;letter-spacing:-.02em;margin:0 0 .5rem;overflow-wrap:anywhere}p{margin:0 0 .75rem;overflow-wrap:anywhere}a{color:#0f5c6b}code{font-size:.95em}form{margin-top:1.25rem}label{display:block;font-weight:600}input{display:block;width:100%;box-sizing:border-box;font:inherit;color:inherit;background:#fff;border:1px solid #8a989b;border-radius:.5rem;padding:.5rem .75rem;margin:.25rem 0 1rem}button,.button{display:inline-block;font:inherit;font-weight:600;color:#fff;background:#0f5c6b;border:0;border-radius:.5rem;padding:.55rem 1.5rem;text-decoration:none;cursor:pointer}.where{background:#ebefee;border-radius:.5rem;padding:.75rem;font:.95rem/1.5 ui-monospace,monospace}.more{font-size:.95rem;margin-top:1.25rem}:focus-visible{outline:2px solid #0f5c6b;outline-offset:2px}@media(prefers-color-scheme:dark){body{color:#e9f0ef;background:#0e171c}a{color:#5cc3cf}input{background:#142027;border-color:#60757f}button,.button{color:#06222a;background:#5cc3cf}.where{background:#1a2932}:focus-visible{outline-color:#5cc3cf}}";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const HEADERS = {
  "Content-Security-Policy": `${POLICY}; form-action 'none'`,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

/** For a page with a form. Browsers apply form-action to the redirects after a form too, and these lead to any site. */
export const FORM_HEADERS = { "Content-Security-Policy": POLICY };

/** For a response that is meant for this visitor and this moment only. */
export const PRIVATE_HEADERS = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" };

export function errorResponse(incoming: PageRequest, content: ErrorContent): Response {
  const { status, code, title, text, html = "" } = content;
  const headers = { ...PRIVATE_HEADERS, ...content.headers };
  return prefersJson(incoming.request)
    ? jsonResponse(incoming, { error: `${title}. ${text}`, code }, status, headers)
    : pageResponse(incoming, { title, html: `<p>${text}</p>${html}` }, status, headers);
}

/** Escapes `title`. `html` and `head` are inserted as they are. */
export function pageResponse(
  incoming: PageRequest,
  { title, html, head = "" }: { title: string; html: string; head?: string },
  status: number,
  headers: Record<string, string>,
): Response {
  const name = escapeHtml(title);
  const document = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${name}</title>${head}<style>${STYLE}</style><main><h1>${name}</h1>${html}</main></html>`;
  return bodyResponse(incoming, document, status, "text/html; charset=utf-8", headers);
}

export function jsonResponse(
  incoming: PageRequest,
  body: object,
  status: number,
  headers: Record<string, string> = {},
): Response {
  return bodyResponse(incoming, JSON.stringify(body), status, "application/json", headers);
}

/** Leaves the body out of a response to HEAD. */
export function bodyResponse(
  { request, requestId }: PageRequest,
  body: string | Uint8Array<ArrayBuffer>,
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
