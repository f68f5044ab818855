import { MAX_SLUG_CHARS } from "../limits.ts";

/** The form of a slug: letters, digits, `-` and `_`. */
export const SLUG_PATTERN = new RegExp(`^[A-Za-z0-9_-]{1,${MAX_SLUG_CHARS}}$`);

/** The form in which slugs are compared. Only a custom domain can be case-sensitive. */
export function toSlugKey(slug: string, isCaseSensitive: boolean): string {
  return isCaseSensitive ? slug : slug.toLowerCase();
}

/** The same in SQL, as in schema.sql. The arguments are SQL too. NULL stands for a domain that is not case-sensitive. */
export function slugKeySql(slug: string, isCaseSensitive: string): string {
  return `iif(${isCaseSensitive}, ${slug}, lower(${slug}))`;
}
