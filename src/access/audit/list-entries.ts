import { AUDIT_FILE_PAGE_ENTRIES, MAX_SEARCHED_ENTRIES } from "./limits.ts";
import type { Page } from "../../platform/http/pagination.ts";
import { hasMoreEntries, listAuditEntries, type AuditFilter, type StoredEntry } from "./store/entries.ts";

/**
 * Whether the period of the page and the filter has so few entries that they can be searched for actions or an actor, or written as a
 * file. Without this bound, such a call could read all entries of a year to find none.
 */
export async function canSearch(db: D1Database, accountId: number, page: Page, filter: AuditFilter): Promise<boolean> {
  return !(await hasMoreEntries(db, accountId, page, filter, MAX_SEARCHED_ENTRIES));
}

/** All entries that match, newest first, in pages. */
export async function* entryPages(
  db: D1Database,
  accountId: number,
  filter: AuditFilter,
): AsyncGenerator<StoredEntry[]> {
  const page = { limit: AUDIT_FILE_PAGE_ENTRIES, offset: 0, after: null as string | null, afterValue: null };
  for (;;) {
    const found = await listAuditEntries(db, accountId, page, filter);
    const entries = found.slice(0, page.limit);
    yield entries;
    if (found.length <= page.limit) return;
    page.after = entries.at(-1)?.id ?? null;
  }
}
