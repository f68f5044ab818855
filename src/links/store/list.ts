import type { AccountContext, CallContext } from "../../platform/context.ts";
import { Batch } from "../../platform/database/batch.ts";
import type { Page } from "../../platform/http/pagination.ts";
import { requirePassed } from "../../platform/http/passed-call.ts";
import { MAX_COUNTED_LINKS, MAX_OWN_EXPIRIES } from "../limits.ts";
import type { ListFilter } from "../list-filter.ts";
import { expireLinks, readDueLinks } from "./expiry.ts";
import { countStatement, firstPage, pageStatement, sortValue, type ListOrder, type ListRequest } from "./list-sql.ts";
import { LINK_COLUMNS, type LinkRow } from "./row.ts";

interface List {
  /** The links of the page and one link more. */
  rows: LinkRow[];
  /** The number of links on all pages, at most one more than {@link MAX_COUNTED_LINKS}; null if they were not counted. */
  matches: number | null;
}

/**
 * Returns a page of the account's links. Every combination of filters has an index in the order of creation, so a page
 * reads only its own rows. Sorted by clicks and without filters it does so too; with filters it also reads the account's
 * links that it skips.
 */
export async function listLinks(
  context: AccountContext & Partial<Pick<CallContext, "isPassed">>,
  filter: ListFilter,
  order: ListOrder,
  page: Page,
  isCounted: boolean,
): Promise<List> {
  const request = toRequest(context, filter);
  const list = pageStatement(request, order, { ...page, limit: page.limit + 1 }, LINK_COLUMNS);
  const count = countStatement(request, MAX_COUNTED_LINKS + 1);
  // The index only has the expired links that expiry.ts has made expired.
  for (;;) {
    const batch = new Batch(context.db);
    const due =
      filter.statuses?.includes("expired") === true
        ? readDueLinks(batch, context.principal.accountId, context.now)
        : null;
    const links = batch.add<LinkRow>(list.sql, list.values);
    const counted = isCounted ? batch.add<{ matches: number }>(count.sql, count.values) : null;
    await batch.commit();
    if (due === null || due.rows.length === 0) return { rows: links.rows, matches: counted?.first?.matches ?? null };
    if (due.rows.length > MAX_OWN_EXPIRIES) requirePassed({ isPassed: context.isPassed ?? true });
    await expireLinks(context, due.rows);
  }
}

/** Returns the number of the account's links that match, at most `max`. Links whose expiry the cron has not noticed yet count as active. */
export async function countLinks(context: AccountContext, filter: ListFilter, max: number): Promise<number> {
  const { sql, values } = countStatement(toRequest(context, filter), max);
  const statement = context.db.prepare(sql).bind(...values);
  return (await statement.first<number>("matches")) ?? 0;
}

/** Returns up to `limit` ids of the account's links that match, the newest first, those after `after`. */
export async function listIds(
  context: AccountContext,
  filter: ListFilter,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const list = { sort: "createdAt", order: "desc" } as const;
  const page = { ...firstPage(limit), after };
  const { sql, values } = pageStatement(toRequest(context, filter), list, page, "id");
  const { results } = await context.db
    .prepare(sql)
    .bind(...values)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

function toRequest({ now, principal: { accountId } }: AccountContext, filter: ListFilter): ListRequest {
  return { accountId, now, filter };
}

/** A link's key in a sorted list, for `nextCursor`. */
export function cursorKey(sort: ListOrder["sort"], row: LinkRow): string {
  const value = sortValue(sort, row);
  return value === null ? row.id : `${row.id}=${value}`;
}
