import { invalidRequest } from "../http/errors.ts";
import { toStoredDomain } from "./domain.ts";
import type { FilterQuery, ListQuery } from "./list-contract.ts";

/** The filters of a list of links. Those that are undefined match every link. */
export type ListFilter = Pick<
  ListQuery,
  "search" | "slug" | "url" | "externalId" | "status" | "verdict" | "destination"
> & {
  /** '' is the service's own domain. */
  domain: string | undefined;
  archived: "exclude" | "include" | "only";
  tags: readonly string[];
  tagMode: "any" | "all";
  /** Unix milliseconds. `until` is exclusive. */
  created: { from: number | undefined; until: number | undefined };
};

/** Matches all links of an account. */
export const ALL_LINKS: ListFilter = {
  search: undefined,
  slug: undefined,
  url: undefined,
  externalId: undefined,
  status: undefined,
  verdict: undefined,
  destination: undefined,
  domain: undefined,
  archived: "include",
  tags: [],
  tagMode: "any",
  created: { from: undefined, until: undefined },
};

/** Reads the filters of a request. Throws a 400 if they contradict each other. */
export function toFilter(query: FilterQuery, baseUrl: string): ListFilter {
  const { tag: tags = [], tagMode, createdAfter, createdBefore, archived = "exclude" } = query;
  if (tagMode !== undefined && tags.length === 0)
    throw invalidRequest([{ path: "tagMode", message: "needs at least one tag" }]);
  if (createdAfter !== undefined && createdBefore !== undefined && createdAfter >= createdBefore)
    throw invalidRequest([{ path: "createdBefore", message: "must be later than createdAfter" }]);
  const domain = query.domain === undefined ? undefined : toStoredDomain(query.domain, baseUrl);
  const { search, slug, url, externalId, status, verdict, destination } = query;
  const created = { from: createdAfter, until: createdBefore };
  const others = { archived, domain, created, tags, tagMode: tagMode ?? ("any" as const) };
  return { search, slug, url, externalId, status, verdict, destination, ...others };
}
