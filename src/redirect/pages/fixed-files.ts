import { bodyResponse, type PageRequest } from "./page.ts";
import { APP_ASSOCIATION_MAX_AGE_SECONDS } from "../limits.ts";

// The files that every short domain has.

/** A JSON file of a custom domain. */
export function jsonFile(incoming: PageRequest, text: string): Response {
  return bodyResponse(incoming, text, 200, "application/json", {
    "Cache-Control": `public, max-age=${APP_ASSOCIATION_MAX_AGE_SECONDS}`,
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
