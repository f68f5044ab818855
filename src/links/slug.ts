import { MAX_SLUG_CHARS } from "../limits.ts";
import { RANDOM_SLUG_CHARS } from "./limits.ts";

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

// Paths that the service uses or will use, or that visitors would take for a page of the service.
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(
  `_app about abuse account accounts admin api app apple-app-site-association assets auth billing blog contact dashboard docs domains favicon health
   help home invite legal links login logout mcp oauth pricing privacy public register robots sdk security settings signin
   signup sitemap static status support team teams terms webhooks well-known www`.split(/\s+/),
);

/** Whether the slug is reserved on the service's own domain. */
export function isReserved(slug: string): boolean {
  return RESERVED_SLUGS.has(slug.toLowerCase());
}

/** Whether the slug is reserved on all domains: it is the only path of `redirect/path.ts` that is also a slug. */
export function isReservedEverywhere(slug: string): boolean {
  return slug.toLowerCase() === "apple-app-site-association";
}
