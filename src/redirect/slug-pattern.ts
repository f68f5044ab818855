import { MAX_SLUG_CHARS } from "../limits.ts";

/** The form of a slug: letters, digits, `-` and `_`. */
export const SLUG_PATTERN = new RegExp(`^[A-Za-z0-9_-]{1,${MAX_SLUG_CHARS}}$`);

/** The form in which slugs are compared, as `slug_key` in schema.sql. Only a custom domain can be case-sensitive. */
export function toSlugKey(slug: string, isCaseSensitive: boolean): string {
  return isCaseSensitive ? slug : slug.toLowerCase();
}
