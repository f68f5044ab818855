import { notFound } from "../http/errors.ts";
import { isId } from "../lib/uuid.ts";
import { SLUG_PATTERN } from "../redirect/slug-pattern.ts";

/** Throws a 404 for a text that is no id. For what may be a slug or a short URL it says how to find the link. */
export function requireLinkId(text: string): void {
  if (isId(text)) return;
  const isSlug = SLUG_PATTERN.test(text);
  const bySlug = isSlug ? `If ${text} is a slug, find the link with GET /api/links?slug=${text}. ` : "";
  throw notFound(
    `There is no such link: an id is a UUID. ${bySlug}GET /api/links/by-url?url=… finds a link by its short URL.`,
  );
}
