import { toSlugKey } from "../platform/lib/slug.ts";
import type { LinkRow } from "./store/row.ts";

/** The form in which a slug is compared at the domain of the link. */
export function keyOf(link: Pick<LinkRow, "case_sensitive">, slug: string): string {
  return toSlugKey(slug, link.case_sensitive === 1);
}

/** The slug of a link and its aliases. */
export function slugsOf({ slug, aliases }: Pick<LinkRow, "slug" | "aliases">): string[] {
  return [slug, ...(JSON.parse(aliases ?? "[]") as string[])];
}
