import { MAX_SLUG_CHARS } from "../../limits.ts";
import { RANDOM_SLUG_CHARS } from "../limits.ts";

// Lower case only, because most domains are not case-sensitive. No vowels, so no words. None of 0 o 1 l i, which look alike.
const ALPHABET = "23456789bcdfghjkmnpqrstvwxyz";
/** Larger bytes would make the first characters of the alphabet more likely than the others. */
const UNBIASED_BYTES = 256 - (256 % ALPHABET.length);

/** One of 28^7, about 13 billion, so other slugs cannot be guessed. */
export function randomSlug(): string {
  let slug = "";
  while (slug.length < RANDOM_SLUG_CHARS) {
    for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_SLUG_CHARS))) {
      if (byte < UNBIASED_BYTES && slug.length < RANDOM_SLUG_CHARS) slug += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return slug;
}

/** `slug-suffix`. The end of a long slug is cut off. */
export function withSuffix(slug: string, suffix: string | number): string {
  const end = `-${suffix}`;
  return slug.slice(0, MAX_SLUG_CHARS - end.length) + end;
}
