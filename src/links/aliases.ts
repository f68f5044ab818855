import type { LinkRow } from "./store/row.ts";

/** The slug of a link and its aliases. */
export function slugsOf({ slug, aliases }: Pick<LinkRow, "slug" | "aliases">): string[] {
  return [slug, ...(JSON.parse(aliases ?? "[]") as string[])];
}
