import { ANY_SLUG_PATTERN, SLUG_PATTERN } from "../platform/lib/slug.ts";

/** The path of a link. */
export interface LinkPath {
  slug: string;
  /** The path ends with a plus: the visitor wants to see the destination before following the link. */
  preview: boolean;
}

/**
 * Accepts what people and mail programs do to a printed link: a trailing slash and percent-encoding. Returns null if
 * no link can have this path. Whether the domain has nested slugs is not known here.
 */
export function parseLinkPath(path: string): LinkPath | null {
  if (SLUG_PATTERN.test(path)) return { slug: path, preview: false };
  try {
    const decoded = decodeURIComponent(path.endsWith("/") ? path.slice(0, -1) : path);
    const preview = decoded.endsWith("+");
    const slug = preview ? decoded.slice(0, -1) : decoded;
    return ANY_SLUG_PATTERN.test(slug) ? { slug, preview } : null;
  } catch {
    return null;
  }
}

const DOMAIN_PATHS = new Set([
  "",
  "robots.txt",
  "favicon.ico",
  "apple-app-site-association",
  ".well-known/apple-app-site-association",
  ".well-known/assetlinks.json",
]);

/** Whether every custom domain has a page or a file at this path, and so no link. */
export function isDomainPath(path: string): boolean {
  return DOMAIN_PATHS.has(path);
}

/** Whether the path of the service domain is one of the service's pages, documents and files, and so of no link. */
export function isServicePath(path: string): boolean {
  return SERVICE_PATH.test(path);
}

const SERVICE_PATH = /^(?:(?:app|docs|_app)(?:\/|$)|(?:llms\.txt)?\/?$|\.well-known\/security\.txt$)/;
