import { syncClickCounters } from "../../links/click-counters.ts";
import { Link } from "../../links/contract.ts";
import { findLinks } from "../../links/store/links.ts";
import type { ListFilter } from "../../links/list-filter.ts";
import { listLinks } from "../../links/store/list.ts";
import { toLink, type LinkRow } from "../../links/store/row.ts";
import { EXPORT_IDS, type ExportedLinks } from "./export.ts";
import { fieldColumns, toPage, type SourceContext, type SourcePage, type TableSource } from "./source.ts";
import { EXPORT_PAGE_RECORDS } from "./limits.ts";

/** The links of the account, the newest first. */
export function linkSource(links: ExportedLinks, pageSize = EXPORT_PAGE_RECORDS): TableSource<Link> {
  return {
    name: "links",
    columns: fieldColumns(Object.keys(Link.shape)),
    async read(context, after) {
      if (after === null) await syncClickCounters(context);
      return links === null
        ? readListed(context, pageSize, after as number | null)
        : readMatching(context, links, pageSize, after as string | null);
    },
  };
}

async function readMatching(
  context: SourceContext,
  filter: ListFilter,
  limit: number,
  after: string | null,
): Promise<SourcePage<Link>> {
  const { from, until = Infinity } = filter.created;
  const created = { from, until: Math.min(until, context.createdAt + 1) };
  const page = { limit, offset: 0, after, afterValue: null };
  const order = { sort: "createdAt", order: "desc" } as const;
  const { rows } = await listLinks(context, { ...filter, created }, order, page, false);
  return toPage(
    rows,
    limit,
    ({ id }) => id,
    (row) => toRecord(context, row),
  );
}

/** `after` is the number of ids that were read. */
async function readListed(context: SourceContext, limit: number, after: number | null): Promise<SourcePage<Link>> {
  const ids = (context.records.readItems(EXPORT_IDS, 0) ?? []) as string[];
  const end = (after ?? 0) + limit;
  const rows = await findLinks(context.db, ids.slice(end - limit, end));
  // A link may have been deleted since the start.
  const own = rows.filter(({ account_id }) => account_id === context.principal.accountId);
  own.sort((a, b) => (a.id < b.id ? 1 : -1));
  return { records: own.map((row) => toRecord(context, row)), next: end < ids.length ? end : null, waitMs: 0 };
}

function toRecord({ baseUrl, now }: SourceContext, row: LinkRow): Link {
  return toLink(row, baseUrl, now);
}
