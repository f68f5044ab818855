import { toSlugKey } from "../../redirect/slug.ts";
import type { LinkRow } from "./row.ts";

/** A link to store, with the hosts of its destinations. */
export interface NewLink {
  row: LinkRow;
  hosts: string[];
  /** It is not stored. It keeps its place among the others, because what is recorded of a request names links by it. */
  isRefused: boolean;
}

/** The links without those that have the slug or the externalId of one before. */
export function withoutRepeated(links: readonly NewLink[]): NewLink[] {
  const seen = new Set<string>();
  return links.filter(({ row: { domain, slug, case_sensitive: caseSensitive, external_id: externalId } }) => {
    const slugKey = toSlugKey(slug, caseSensitive === 1);
    const keys = [`slug ${domain}/${slugKey}`, ...(externalId === null ? [] : [`externalId ${externalId}`])];
    const isRepeated = keys.some((key) => seen.has(key));
    for (const key of keys) seen.add(key);
    return !isRepeated;
  });
}
