import { SLUG_PATTERN } from "./slug-pattern.ts";

/** What a path asks for: a link, or, with a plus at its end, where the link leads. */
export interface Asked {
  slug: string;
  plus: boolean;
}

/** Forgives what people and mail programs do to a printed link: a slash at its end, percent-encoding. Null: no link. */
export function readPath(path: string): Asked | null {
  if (SLUG_PATTERN.test(path)) return { slug: path, plus: false };
  try {
    const decoded = decodeURIComponent(path.endsWith("/") ? path.slice(0, -1) : path);
    const plus = decoded.endsWith("+");
    const slug = plus ? decoded.slice(0, -1) : decoded;
    return SLUG_PATTERN.test(slug) ? { slug, plus } : null;
  } catch {
    return null;
  }
}
