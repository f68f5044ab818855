/** The few pages that a short domain shows itself. Nothing of a request appears in them. */

import { APP_ASSOCIATION_MAX_AGE_SECONDS, UNAVAILABLE_RETRY_SECONDS } from "../../limits.ts";
import { answer, answerPage, PRIVATE, refuse, type Asked } from "./page.ts";

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
  const headers: Record<string, string> = {};
  if (name === "method_not_allowed") headers["Allow"] = "GET, HEAD";
  if (name === "unavailable") headers["Retry-After"] = String(UNAVAILABLE_RETRY_SECONDS);
  return refuse(incoming, { ...MESSAGES[name], headers });
}

export function homePage(incoming: Asked): Response {
  const html =
    '<p>Short links, served at the edge. Developers: the API is described in <a href="/api/openapi.json">openapi.json</a>.</p>';
  return answerPage(incoming, { title: "Tern", html }, 200, { "Cache-Control": "public, max-age=3600" });
}

/** What a custom domain shows at its root where its owner names no page. It does not say whose software this is. */
export function rootPage(incoming: Asked): Response {
  const html = "<p>This address is for short links. Follow the one that you were given, whole.</p>";
  return answerPage(incoming, { title: "Short links", html }, 200, PRIVATE);
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
