import { parseLinkPath, type LinkPath } from "./path.ts";
import { ANY_SLUG_PATTERN, isNested } from "../platform/lib/slug.ts";

// What mail programs, chats and sentences put before or behind a short URL: punctuation, quotes, spaces, `&utm_source=…`.

/** The path of a link between characters that no slug begins or ends with. */
interface StrayPath extends LinkPath {
  /** Parameters that follow the slug without a question mark. Raw, '' if there are none. */
  query: string;
}

/**
 * Each part has other characters than its neighbours, so that a long path is read in linear time. A dot in front is left
 * out: scanners look for files such as `/.env`, and no sentence has one there.
 */
const STRAY = /^(?!\.)([^\w-]*)([\w-]+(?:\/[\w-]+)*)([^\w&?#-]*)(?:[&?]([^#]*))?(?:#.*)?$/su;

/** Reads a path that is no slug as it stands. Null if no link can be meant. */
export function parseStrayPath(path: string): StrayPath | null {
  const [, head = "", slug = "", tail = "", rest = ""] = STRAY.exec(decode(path)) ?? [];
  if (!ANY_SLUG_PATTERN.test(slug)) return null;
  // Beside a slug with slashes, an empty segment makes another path.
  if (isNested(slug) && (head.includes("/") || tail.includes("//"))) return null;
  return { slug, preview: tail.includes("+"), query: toQuery(rest) };
}

/** Reads the path as redirects do: as it stands, else without stray characters. */
export function readLinkPath(path: string): LinkPath | null {
  return parseLinkPath(path) ?? parseStrayPath(path);
}

/** The http or https URL of a text that people paste: with or without a scheme, and what stood before it. Null: it is none. */
export function parsePastedUrl(text: string): URL | null {
  const bare = text.replace(/^[^\p{L}\p{N}]+/u, "");
  // `localhost:8787/spring` has a port and no scheme.
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(bare) ? bare : `https://${bare}`);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

/** Percent-decoded as the URL standard does it, which takes broken encodings too. */
function decode(path: string): string {
  return new URLSearchParams(`=${path.replaceAll("+", "%2B").replaceAll("&", "%26")}`).get("") ?? "";
}

/** The parameters of a text such as `utm_source=a&amp;utm_medium=b`, percent-encoded. */
function toQuery(text: string): string {
  const parameters = `&${text}`.replaceAll("&amp;", "&").split("&");
  return encodeURI(parameters.filter((parameter) => /^[\w.-]+=/.test(parameter)).join("&"));
}
