/** Where a link was at its old service. */
export interface ShortUrl {
  /** In lower case and Punycode, with the port if it has one. */
  host: string;
  slug: string;
}

/** Hosts whose short URLs may have a path in front of the slug. */
const LAST_PART_HOSTS = new Set(["bit.ly", "bitly.com", "j.mp"]);

/** The host and slug of a short URL, with or without its scheme; null if the text is none. */
export function parseShortUrl(text: string): ShortUrl | null {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null || url.host === "") return null;
  const slug = toSlug(url.pathname);
  if (slug === "") return null;
  return { host: url.host, slug: LAST_PART_HOSTS.has(url.host) ? (slug.split("/").at(-1) as string) : slug };
}

/** The slug of a path such as `/sale` or `sale/`. */
export function toSlug(path: string): string {
  const slug = path.trim().replace(/^\/+/, "").replace(/\/+$/, "");
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

/** The host that a text names, with or without a scheme; null if it names none. */
export function parseHost(text: string): string | null {
  const host = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)?.host ?? "";
  // Shlink writes DEFAULT.
  return /[.:]/.test(host) || host === "localhost" ? host : null;
}
