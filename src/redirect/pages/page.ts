/** The look of the pages that a short domain shows itself, and what goes with every answer that is no redirect. */

export interface Asked {
  request: Request;
  requestId: string;
}

/** Why there is no redirect: a page, or JSON for who asks for it. */
export interface Refusal {
  status: number;
  code: string;
  title: string;
  /** A sentence, or more. */
  text: string;
  /** What a page shows below it. */
  html?: string;
  headers?: Record<string, string>;
}

const STYLE =
  "body{font:1.1rem/1.6 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-content:center;grid-template-columns:minmax(0,34rem);padding:1.5rem;box-sizing:border-box;color:#14222b;background:#f7fafb}h1{font-size:1.6rem;line-height:1.3;margin:0 0 .5rem;overflow-wrap:anywhere}p{margin:0 0 .75rem;overflow-wrap:anywhere}a{color:#0b5c8a}code{font-size:.95em}form{margin-top:1.25rem}label{display:block;font-weight:600}input{display:block;width:100%;box-sizing:border-box;font:inherit;color:inherit;background:#fff;border:1px solid #6b7c86;border-radius:.4rem;padding:.5rem .75rem;margin:.25rem 0 1rem}button,.button{display:inline-block;font:inherit;font-weight:600;color:#fff;background:#0b5c8a;border:0;border-radius:.4rem;padding:.55rem 1.5rem;text-decoration:none;cursor:pointer}.where{background:#e6eef2;border-radius:.4rem;padding:.75rem;font:.95rem/1.5 ui-monospace,monospace}.more{font-size:.95rem;margin-top:1.25rem}:focus-visible{outline:3px solid #3d94c7;outline-offset:2px}@media(prefers-color-scheme:dark){body{color:#e6eef2;background:#101a20}a{color:#7cc4ec}input{background:#18262e;border-color:#8fa3ae}button,.button{color:#101a20;background:#7cc4ec}.where{background:#1c2b34}}";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const HEADERS = {
  "Content-Security-Policy": `${POLICY}; form-action 'none'`,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

// Browsers hold form-action against the redirects that follow a form too, and these lead to any site.
export const WITH_FORM = { "Content-Security-Policy": POLICY };

/** For what one visitor gets now, and nobody else or later. */
export const PRIVATE = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" };

export function refuse(incoming: Asked, { status, code, title, text, html = "", headers = {} }: Refusal): Response {
  const all = { ...PRIVATE, ...headers };
  return wantsJson(incoming.request)
    ? answerJson(incoming, { error: `${title}. ${text}`, code }, status, all)
    : answerPage(incoming, { title, html: `<p>${text}</p>${html}` }, status, all);
}

/** `title` is text; `html` and `head` are as they are to be. */
export function answerPage(
  incoming: Asked,
  { title, html, head = "" }: { title: string; html: string; head?: string },
  status: number,
  headers: Record<string, string>,
): Response {
  const name = escapeHtml(title);
  const document = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${name}</title>${head}<style>${STYLE}</style><main><h1>${name}</h1>${html}</main></html>`;
  return answer(incoming, document, status, "text/html; charset=utf-8", headers);
}

export function answerJson(
  incoming: Asked,
  body: object,
  status: number,
  headers: Record<string, string> = {},
): Response {
  return answer(incoming, JSON.stringify(body), status, "application/json", headers);
}

export function answer(
  { request, requestId }: Asked,
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

export function wantsJson(request: Request): boolean {
  const accept = request.headers.get("Accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
// They turn the direction of what comes after them, as far as the end of the page.
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/** The text for anywhere in a page or between an attribute's quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(TURNS, "").replaceAll(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
