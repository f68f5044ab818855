import type { RequestContext } from "../platform/auth/principal.ts";
import { starterOf } from "../platform/auth/still-allowed.ts";
import { invalidField } from "../platform/http/errors.ts";
import { VERDICT_STATES } from "../redirect/verdict.ts";
import { toStoredDomain } from "./domain.ts";
import { MAX_LEFT_OUT_LINKS } from "./limits.ts";
import { NOT } from "./not.ts";
import { LINK_STATUSES, ME, type FilterQuery, type LinkStatus, type ListQuery } from "./list-contract.ts";
import { countTagged } from "./tags/store/tags.ts";

type VerdictState = (typeof VERDICT_STATES)[number];

/** The filters of a list of links. Those that are undefined, and lists that are empty, match every link. */
export type ListFilter = Pick<ListQuery, "search" | "slug" | "url" | "externalId" | "destination"> & {
  /** '' is the service's own domain. */
  domains: readonly string[];
  /** Never empty: links with one of these. */
  statuses: readonly LinkStatus[] | undefined;
  verdicts: readonly VerdictState[] | undefined;
  archived: "exclude" | "include" | "only";
  tags: readonly string[];
  tagMode: "any" | "all";
  /** Links that have one of these are left out. */
  withoutTags: readonly string[];
  /** Ids of keys and users: links that one of these created. */
  creators: readonly string[];
  /** Links that one of these created are left out. */
  withoutCreators: readonly string[];
  /** Unix milliseconds. `until` is exclusive. */
  created: { from: number | undefined; until: number | undefined };
};

/** Matches all links of an account. */
export const ALL_LINKS: ListFilter = {
  search: undefined,
  slug: undefined,
  url: undefined,
  externalId: undefined,
  destination: undefined,
  domains: [],
  statuses: undefined,
  verdicts: undefined,
  archived: "include",
  tags: [],
  tagMode: "any",
  withoutTags: [],
  creators: [],
  withoutCreators: [],
  created: { from: undefined, until: undefined },
};

/** Reads the filters of a request. Throws a 400 if they contradict each other, or would make a page read too many links. */
export async function readFilter({ db, baseUrl, principal }: RequestContext, query: FilterQuery): Promise<ListFilter> {
  const {
    search,
    slug,
    url,
    externalId,
    destination,
    tagMode,
    createdAfter,
    createdBefore,
    archived = "exclude",
  } = query;
  const { named: tags, leftOut: withoutTags } = splitMarked(query.tag ?? []);
  const { named: creators, leftOut: withoutCreators } = splitMarked(
    (query.createdBy ?? []).map((value) => (value.endsWith(ME) ? value.replace(ME, starterOf(principal).id) : value)),
  );
  if (creators.length > 0 && creators.every((id) => withoutCreators.includes(id)))
    throw invalidField("createdBy", "all_left_out");
  if (tagMode !== undefined && tags.length === 0) throw invalidField("tagMode", "needs", { field: "tag" });
  if (createdAfter !== undefined && createdBefore !== undefined && createdAfter >= createdBefore)
    throw invalidField("createdBefore", "not_after", { field: "createdAfter" });
  const filter: ListFilter = {
    search,
    slug,
    url,
    externalId,
    destination,
    archived,
    tags,
    withoutTags,
    creators: creators.filter((id) => !withoutCreators.includes(id)),
    withoutCreators,
    tagMode: tagMode ?? "any",
    domains: [...new Set(query.domain)].map((domain) => toStoredDomain(domain, baseUrl)),
    statuses: chosenOf("status", LINK_STATUSES, query.status),
    verdicts: chosenOf("verdict", VERDICT_STATES, query.verdict),
    created: { from: createdAfter, until: createdBefore },
  };
  if (withoutTags.length > 0 && (await countTagged(db, principal.accountId, withoutTags)) > MAX_LEFT_OUT_LINKS)
    throw invalidField("tag", "too_many_left_out", { max: MAX_LEFT_OUT_LINKS });
  return filter;
}

/** Values with the mark in front are left out. */
function splitMarked(values: readonly string[]): { named: string[]; leftOut: string[] } {
  return {
    named: values.filter((value) => !value.startsWith(NOT)),
    leftOut: values.filter((value) => value.startsWith(NOT)).map((value) => value.slice(NOT.length)),
  };
}

/** Those of all values that the filter names, without those that it leaves out; undefined: all of them. */
function chosenOf<T extends string>(path: string, all: readonly T[], given: readonly string[] | undefined) {
  if (given === undefined) return undefined;
  const { named, leftOut } = splitMarked(given);
  const chosen = all.filter((value) => (named.length === 0 || named.includes(value)) && !leftOut.includes(value));
  if (chosen.length === 0) throw invalidField(path, "all_left_out");
  return chosen.length === all.length ? undefined : chosen;
}
