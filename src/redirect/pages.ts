/** The few pages that a short domain shows itself. Nothing of a request appears in them. */

import { APP_ASSOCIATION_MAX_AGE_SECONDS, UNAVAILABLE_RETRY_SECONDS } from "../limits.ts";

interface Asked {
  request: Request;
  requestId: string;
}

const STYLE =
  "body{font:1.1rem/1.6 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-content:center;padding:1.5rem;box-sizing:border-box;color:#14222b;background:#f7fafb}main{max-width:34rem}h1{font-size:1.6rem;margin:0 0 .5rem}p{margin:0 0 .5rem}a{color:#0b5c8a}code{font-size:.95em}@media(prefers-color-scheme:dark){body{color:#e6eef2;background:#101a20}a{color:#7cc4ec}}";

const HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

const MESSAGES = {
  unknown: {
    status: 404,
    code: "not_found",
    title: "There is no such link",
    text: "Nothing is at this address. Check that it was copied whole and typed as it was printed.",
  },
  gone: {
    status: 410,
    code: "gone",
    title: "This link has ended",
    text: "It was made for a limited time or number of visits, and that is over. Whoever gave it to you can tell what took its place.",
  },
  method_not_allowed: {
    status: 405,
    code: "method_not_allowed",
    title: "Short links can only be followed",
    text: "This address takes GET and HEAD requests and no others.",
  },
  internal: {
    status: 500,
    code: "internal",
    title: "Something went wrong here",
    text: "It is our fault and not the link's: please try again.",
  },
  unavailable: {
    status: 503,
    code: "unavailable",
    title: "This link cannot be looked up right now",
    text: "The link is not lost: please try again in a few seconds.",
  },
} as const;

/** A small page, or JSON for who asks for it, that says why there is no redirect. Never cached. */
export function message(incoming: Asked, name: keyof typeof MESSAGES): Response {
  const { status, code, title, text } = MESSAGES[name];
  const headers: Record<string, string> = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" };
  if (status === 405) headers["Allow"] = "GET, HEAD";
  if (status === 503) headers["Retry-After"] = String(UNAVAILABLE_RETRY_SECONDS);
  return wantsJson(incoming.request)
    ? answer(incoming, JSON.stringify({ error: `${title}. ${text}`, code }), status, "application/json", headers)
    : answer(incoming, page(title, text), status, "text/html; charset=utf-8", headers);
}

export function homePage(incoming: Asked): Response {
  const text =
    'Short links, served at the edge. Developers: the API is described in <a href="/api/openapi.json">openapi.json</a>.';
  return answer(incoming, page("Tern", text), 200, "text/html; charset=utf-8", {
    "Cache-Control": "public, max-age=3600",
  });
}

/** What a custom domain shows at its root where its owner names no page. It does not say whose software this is. */
export function rootPage(incoming: Asked): Response {
  const text = "This address is for short links. Follow the one that you were given, whole.";
  return answer(incoming, page("Short links", text), 200, "text/html; charset=utf-8", {
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
  });
}

/** A JSON file of a custom domain. */
export function jsonFile(incoming: Asked, text: string): Response {
  return answer(incoming, text, 200, "application/json", {
    "Cache-Control": `public, max-age=${APP_ASSOCIATION_MAX_AGE_SECONDS}`,
  });
}

export function redirectTo(location: string, status: number, caching: string, requestId: string): Response {
  return new Response(null, {
    status,
    headers: { Location: location, "Cache-Control": caching, "X-Request-Id": requestId },
  });
}

export function robotsText(incoming: Asked, disallowed: "" | "/api/"): Response {
  return answer(incoming, `User-agent: *\nDisallow: ${disallowed}\n`, 200, "text/plain; charset=utf-8", {
    "Cache-Control": "public, max-age=86400",
  });
}

// A 32 by 32 icon of two colours: the wings of a tern.
const FAVICON =
  "AAABAAEAICACAAEAAQCJAAAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAEDAAAASbTotwAAAAZQTFRFEkpr////FaMMpwAAAD5JREFUeNpjYCAPsD9gf8Bg/8f+D0P9v/p/DP+BgOGH/A95BqA4O8MB9gfMDA38HxgZGPg/MEAJuQoYQQIAAOjxFYs5YL6SAAAAAElFTkSuQmCC";

export function faviconResponse(incoming: Asked): Response {
  const bytes = Uint8Array.from(atob(FAVICON), (character) => character.charCodeAt(0));
  return answer(incoming, bytes, 200, "image/x-icon", { "Cache-Control": "public, max-age=86400" });
}

function page(title: string, html: string): string {
  return pageOf(title, `<p>${html}</p>`);
}

/** A whole page. `style` comes after that of all pages. */
export function pageOf(title: string, html: string, style = ""): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${STYLE}${style}</style><main><h1>${title}</h1>${html}</main></html>`;
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

function wantsJson(request: Request): boolean {
  const accept = request.headers.get("Accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}
