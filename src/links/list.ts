import type { RequestContext } from "../context.ts";
import { readPage, toPage } from "../http/pagination.ts";
import { syncClickCounters } from "./click-counters.ts";
import type { Link, ListQuery } from "./contract.ts";
import { toDomain } from "./domain.ts";
import * as store from "./store/list.ts";
import { toLink } from "./store/row.ts";

/** Returns a page of the account's links. */
export async function listLinks(
  context: RequestContext,
  query: ListQuery,
): Promise<{ links: Link[]; nextCursor: string | null }> {
  const { now, baseUrl } = context;
  const { search, tag, status, archived = "exclude", sort = "createdAt", order = "desc" } = query;
  const list = `links.${sort}.${order}`;
  const page = readPage(query, list);
  const domain = query.domain === undefined ? undefined : toDomain(query.domain, baseUrl);
  await syncClickCounters(context);
  const rows = await store.listLinks(context, { search, tag, status, archived, domain }, { sort, order }, page);
  const { items, nextCursor } = toPage(rows, page, list, (row) => store.cursorKey(sort, row));
  return { links: items.map((row) => toLink(row, baseUrl, now)), nextCursor };
}
