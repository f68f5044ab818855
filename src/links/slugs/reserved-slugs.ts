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
