import type { Because } from "#src/platform/http/fault-codes.ts";
import { isOwnUrl } from "#src/platform/lib/hosts.ts";
import { destinationError, withScheme } from "#src/links/destination-url.ts";
import { SLUG_PATTERN } from "#src/platform/lib/slug.ts";

/** What the home page does with the text in its field. */
export type CheckedAddress =
  /** Shorten this URL. */
  | { kind: "destination"; url: string }
  /** The URL of a short link of this service, which needs no other one. */
  | { kind: "short"; slug: string }
  /** Another page of this service, which no link may lead to. */
  | { kind: "own" }
  /** No URL that a link can have; null: there is no text. */
  | { kind: "invalid"; because: Because | null };

/**
 * Checks the text by the rules of `POST /api/shorten` before it is sent, because each call counts against the limit, refused
 * ones too. `origin` is that of the service.
 */
export function checkAddress(text: string, origin: string): CheckedAddress {
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "invalid", because: null };
  const url = withScheme(trimmed);
  const because = destinationError(url);
  if (because !== null) return { kind: "invalid", because };
  const address = new URL(url);
  if (!isOwnUrl(address, origin)) return { kind: "destination", url: trimmed };
  const slug = slugOf(address.pathname);
  return slug === null ? { kind: "own" } : { kind: "short", slug };
}

/** The pages of the service have no links at their paths. */
const PAGES = new Set(["api", "app", "docs"]);

/** The slug in the path of a short URL, with or without the plus that shows its destination; null: no link has this path. */
function slugOf(pathname: string): string | null {
  try {
    const slug = decodeURIComponent(pathname).replace(/^\/([^/]*?)[+/]?$/, "$1");
    return SLUG_PATTERN.test(slug) && !PAGES.has(slug.toLowerCase()) ? slug : null;
  } catch {
    return null;
  }
}
