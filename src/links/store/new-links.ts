import { toSlugKey } from "../../redirect/slug-pattern.ts";
import type { LinkRow } from "./row.ts";
import type { VerifiedDomain } from "./verified-domains.ts";

/** A link to store, with the hosts of its destinations. */
export interface NewLink {
  row: LinkRow;
  hosts: string[];
}

/** The links as they are stored: only the transaction knows which domains are case-sensitive. */
export function withCaseSensitivity(links: readonly NewLink[], verified: readonly VerifiedDomain[]): NewLink[] {
  const sensitive = new Set(verified.filter((domain) => domain.case_sensitive === 1).map(({ domain }) => domain));
  return links.map((link) =>
    sensitive.has(link.row.domain) ? { ...link, row: { ...link.row, case_sensitive: 1 } } : link,
  );
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

/** As {@link withoutRepeated} if all custom domains were case-sensitive. */
export function withoutRepeatedExactly(links: readonly NewLink[]): NewLink[] {
  const asIf = links.map((link): NewLink => {
    return link.row.domain === "" ? link : { ...link, row: { ...link.row, case_sensitive: 1 } };
  });
  return withoutRepeated(asIf);
}
