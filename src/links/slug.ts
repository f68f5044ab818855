import { RANDOM_SLUG_CHARS } from "../limits.ts";

// Slugs match without regard to case, so only lower case; no vowels, so that no word comes out; none of 0 o 1 l i.
const ALPHABET = "23456789bcdfghjkmnpqrstvwxyz";
/** Bytes from here on would make the first characters of the alphabet likelier. */
const UNBIASED_BYTES = 256 - (256 % ALPHABET.length);

/** A slug nobody can guess the neighbour of: 28^7, about 13 billion. */
export function randomSlug(): string {
  let slug = "";
  while (slug.length < RANDOM_SLUG_CHARS) {
    for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_SLUG_CHARS))) {
      if (byte < UNBIASED_BYTES && slug.length < RANDOM_SLUG_CHARS) slug += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return slug;
}

// Paths that the service has, will have, or that a visitor would take for a page of the service.
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(
  `_app about abuse account accounts admin api app apple-app-site-association assets auth billing blog contact dashboard docs domains favicon health
   help home invite legal links login logout mcp oauth pricing privacy public register robots sdk security settings signin
   signup sitemap static status support team teams terms webhooks well-known www`.split(/\s+/),
);

/** Whether the service keeps this slug for itself on its own domain. */
export function isReserved(slug: string): boolean {
  return RESERVED_SLUGS.has(slug.toLowerCase());
}

/** Whether every domain has something else there: the only path of `redirect/custom-domain.ts` that has a slug's form. */
export function isReservedEverywhere(slug: string): boolean {
  return slug.toLowerCase() === "apple-app-site-association";
}
