import type { RequestContext } from "../context.ts";
import { invalidRequest } from "../http/errors.ts";
import { readPage, toPage } from "../http/pagination.ts";
import { MAX_COUNTED_LINKS } from "../limits.ts";
import { syncClickCounters } from "./click-counters.ts";
import type { FilterQuery, Links, ListQuery } from "./list-contract.ts";
import { toDomain } from "./domain.ts";
import * as store from "./store/list.ts";
import { toLink } from "./store/row.ts";

/** Returns a page of the account's links. */
export async function listLinks(context: RequestContext, query: ListQuery): Promise<Links> {
  const { now, baseUrl } = context;
  const { sort = "createdAt", order = "desc", count = false } = query;
  const list = `links.${sort}.${order}`;
  const page = readPage(query, list);
  const filter = toFilter(query, baseUrl);
  await syncClickCounters(context);
  const { rows, matches } = await store.listLinks(context, filter, { sort, order }, page, count);
  const { items, nextCursor } = toPage(rows, page, list, (row) => store.cursorKey(sort, row));
  return {
    links: items.map((row) => toLink(row, baseUrl, now)),
    nextCursor,
    ...(matches !== null && {
      count: { value: Math.min(matches, MAX_COUNTED_LINKS), isExact: matches <= MAX_COUNTED_LINKS },
    }),
  };
}

/** Throws a 400 if the filters contradict each other. */
export function toFilter(query: FilterQuery, baseUrl: string): store.ListFilter {
  const { tag: tags = [], tagMode, createdAfter, createdBefore, archived = "exclude" } = query;
  if (tagMode !== undefined && tags.length === 0)
    throw invalidRequest([{ path: "tagMode", message: "needs at least one tag" }]);
  if (createdAfter !== undefined && createdBefore !== undefined && createdAfter >= createdBefore)
    throw invalidRequest([{ path: "createdBefore", message: "must be later than createdAfter" }]);
  const domain = query.domain === undefined ? undefined : toDomain(query.domain, baseUrl);
  const { search, slug, url, externalId, status } = query;
  const created = { from: createdAfter, until: createdBefore };
  return { search, slug, url, externalId, status, archived, domain, created, tags, tagMode: tagMode ?? "any" };
}
