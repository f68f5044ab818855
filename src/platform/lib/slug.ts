import { MAX_SLUG_CHARS } from "../../limits.ts";

/** The form of a plain slug: letters, digits, `-` and `_`. */
export const SLUG_PATTERN = new RegExp(`^[A-Za-z0-9_-]{1,${MAX_SLUG_CHARS}}$`);

/** Segments of these characters with single slashes between them, of any length. */
export const SEGMENTS_PATTERN = /^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*$/;

/** The form of any slug: a plain one, or a nested one. */
export const ANY_SLUG_PATTERN = new RegExp(`(?=^.{1,${MAX_SLUG_CHARS}}$)${SEGMENTS_PATTERN.source}`);

/** Whether the slug has slashes, which only links at a custom domain with `nestedSlugs` have. */
export function isNested(slug: string): boolean {
  return slug.includes("/");
}

/** The same in SQL, as in the indexes of schema.sql. The argument is SQL too. */
export function isNestedSql(slug: string): string {
  return `instr(${slug}, '/') > 0`;
}

/** The slug in the name of a file. No slug has a dot, so those in place of slashes keep names apart. */
export function toFileName(slug: string): string {
  return slug.replaceAll("/", ".");
}

/** The form in which slugs are compared. Only a custom domain can be case-sensitive. */
export function toSlugKey(slug: string, isCaseSensitive: boolean): string {
  return isCaseSensitive ? slug : slug.toLowerCase();
}

/** The same in SQL, as in schema.sql. The arguments are SQL too. NULL stands for a domain that is not case-sensitive. */
export function slugKeySql(slug: string, isCaseSensitive: string): string {
  return `iif(${isCaseSensitive}, ${slug}, lower(${slug}))`;
}
