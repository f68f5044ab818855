import { OWN_VISITS_PATH } from "../../redirect/own-visits.ts";

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

/** The page of the own visits is at a path with a slash, and Cloudflare itself answers at the paths below `cdn-cgi`. */
const RESERVED_FIRST_SEGMENTS = new Set([OWN_VISITS_PATH.slice(0, OWN_VISITS_PATH.indexOf("/")), "cdn-cgi"]);

/**
 * Whether the slug is reserved on all domains: the only path of `redirect/path.ts` that is also a slug, all paths below it, and those
 * below {@link RESERVED_FIRST_SEGMENTS}.
 */
export function isReservedEverywhere(slug: string): boolean {
  const [first = "", ...rest] = slug.toLowerCase().split("/");
  return first === "apple-app-site-association" || (rest.length > 0 && RESERVED_FIRST_SEGMENTS.has(first));
}
