import { invalidField } from "../platform/http/errors.ts";
import { readPage, toPage } from "../platform/http/pagination.ts";
import { requireShort } from "../platform/http/passed-call.ts";
import { DELETED_LINK_KEPT_MS } from "../limits.ts";
import { syncClickCounters } from "./click-counters.ts";
import type { Links, ListQuery } from "./list-contract.ts";
import { readFilter } from "./list-filter.ts";
import { listDeleted, parseDeletedLink } from "./store/deleted-links.ts";
import { findCreators } from "./store/creators.ts";
import * as store from "./store/list.ts";
import { toLink } from "./store/row.ts";
import type { RequestContext } from "../platform/auth/principal.ts";
import { MAX_COUNTED_LINKS } from "./limits.ts";

/** Returns a page of the account's links. */
export async function listLinks(context: RequestContext, query: ListQuery): Promise<Links> {
  if (query.deleted !== undefined) return listDeletedLinks(context, query);
  const { now, baseUrl } = context;
  const { sort = "createdAt", order = "desc", count = false, creators = false } = query;
  const list = `links.${sort}.${order}`;
  const page = readPage(query, list);
  const filter = await readFilter(context, query);
  await syncClickCounters(context);
  const { rows, matches } = await store.listLinks(context, filter, { sort, order }, page, count);
  requireShort(context, rows);
  const { items, nextCursor } = toPage(rows, page, list, (row) => store.cursorKey(sort, row));
  return {
    links: items.map((row) => toLink(row, baseUrl, now)),
    nextCursor,
    ...countOf(matches),
    ...(creators && { creators: await findCreators(context.env.DB, items) }),
  };
}

/** Returns a page of the account's deleted links that can be restored, with their counters as they were at the deletion. */
async function listDeletedLinks(context: RequestContext, query: ListQuery): Promise<Links> {
  const { deleted: _, limit: _limit, cursor: _cursor, page: _page, count = false, creators, ...others } = query;
  const path = Object.keys(others)[0];
  if (path !== undefined) throw invalidField(path, "not_together", { field: "deleted" });
  const { now, baseUrl } = context;
  const page = readPage(query, "links.deleted");
  const { rows, matches } = await listDeleted(context, page, now - DELETED_LINK_KEPT_MS, count);
  requireShort(context, rows);
  const { items, nextCursor } = toPage(rows, page, "links.deleted", (row) => `${row.id}=${row.deleted_at}`);
  const links = items.map(parseDeletedLink);
  const deletesAt = (index: number) => (items[index]?.deleted_at ?? 0) + DELETED_LINK_KEPT_MS;
  return {
    links: links.map((row, index) => Object.assign(toLink(row, baseUrl, now), { deletesAt: deletesAt(index) })),
    nextCursor,
    ...countOf(matches),
    ...(creators === true && { creators: await findCreators(context.env.DB, links) }),
  };
}

/** The `count` of a list; nothing if the links were not counted (null). */
function countOf(matches: number | null): Pick<Links, "count"> {
  if (matches === null) return {};
  return { count: { value: Math.min(matches, MAX_COUNTED_LINKS), isExact: matches <= MAX_COUNTED_LINKS } };
}
