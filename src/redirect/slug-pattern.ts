import { MAX_SLUG_CHARS } from "../limits.ts";

/** The form of a slug: letters, digits, `-` and `_`. */
export const SLUG_PATTERN = new RegExp(`^[A-Za-z0-9_-]{1,${MAX_SLUG_CHARS}}$`);
