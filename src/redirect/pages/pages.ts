import { APP_ASSOCIATION_MAX_AGE_SECONDS, UNAVAILABLE_RETRY_SECONDS } from "../../limits.ts";
import { bodyResponse, errorResponse, pageResponse, PRIVATE_HEADERS, type PageRequest } from "./page.ts";

// The fixed pages and files of a short domain. They show nothing of the request.

/** By error code. */
const ERRORS = {
  not_found: {
    status: 404,
    title: "There is no such link",
    text: "Check that the address was copied in full and typed as it was printed.",
  },
  gone: {
    status: 410,
    title: "This link has ended",
    text: "Its owner ended it, or it was made for a limited time or number of visits. Ask the person who shared it for a new one.",
  },
  method_not_allowed: {
    status: 405,
    title: "This method is not allowed",
    text: "Short links are opened with GET or HEAD.",
  },
  internal: {
    status: 500,
    title: "Something went wrong here",
    text: "This is our fault, not the link's. Please try again.",
  },
  unavailable: {
    status: 503,
    title: "This link cannot be looked up right now",
    text: "The link is not lost. Please try again in a few seconds.",
  },
} as const;

/** A small page, or JSON for clients that ask for it, that says why there is no redirect. Never cached. */
export function errorPage(
  incoming: PageRequest,
  code: keyof typeof ERRORS,
  headers: Record<string, string> = {},
): Response {
  const own: Record<string, string> = {};
  if (code === "method_not_allowed") own["Allow"] = "GET, HEAD";
  if (code === "unavailable") own["Retry-After"] = String(UNAVAILABLE_RETRY_SECONDS);
  return errorResponse(incoming, { ...ERRORS[code], code, headers: { ...own, ...headers } });
}

/** The root of a custom domain without a root URL. It does not name the software. */
export function rootPage(incoming: PageRequest): Response {
  const html = "<p>This domain is for short links. Open the complete link that you were given.</p>";
  return pageResponse(incoming, { title: "Short links", html }, 200, PRIVATE_HEADERS);
}

/** A JSON file of a custom domain. */
export function jsonFile(incoming: PageRequest, text: string): Response {
  return bodyResponse(incoming, text, 200, "application/json", {
    "Cache-Control": `public, max-age=${APP_ASSOCIATION_MAX_AGE_SECONDS}`,
  });
}

export function redirectTo(location: string, status: number, cacheControl: string, requestId: string): Response {
  return new Response(null, {
    status,
    headers: { Location: location, "Cache-Control": cacheControl, "X-Request-Id": requestId },
  });
}

export function robotsText(incoming: PageRequest, disallowed: "" | "/api/"): Response {
  return bodyResponse(incoming, `User-agent: *\nDisallow: ${disallowed}\n`, 200, "text/plain; charset=utf-8", {
    "Cache-Control": "public, max-age=86400",
  });
}

/** The wings of a tern: an icon of 32 by 32 pixels in two colours, in base64. */
const FAVICON =
  "AAABAAEAICACAAEAAQCJAAAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAEDAAAASbTotwAAAAZQTFRFEkpr////FaMMpwAAAD5JREFUeNpjYCAPsD9gf8Bg/8f+D0P9v/p/DP+BgOGH/A95BqA4O8MB9gfMDA38HxgZGPg/MEAJuQoYQQIAAOjxFYs5YL6SAAAAAElFTkSuQmCC";

export function faviconResponse(incoming: PageRequest): Response {
  const bytes = Uint8Array.from(atob(FAVICON), (character) => character.charCodeAt(0));
  return bodyResponse(incoming, bytes, 200, "image/x-icon", { "Cache-Control": "public, max-age=86400" });
}
