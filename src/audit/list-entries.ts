import type { AccountContext } from "../context.ts";
import type { Page } from "../http/pagination.ts";
import { AUDIT_FILE_PAGE_ENTRIES, MAX_SEARCHED_ENTRIES } from "./limits.ts";
import { hasMoreEntries, listAuditEntries, namesAt, type AuditFilter, type StoredEntry } from "./store/entries.ts";

type Source = Pick<AccountContext, "env" | "db" | "principal">;

/**
 * Whether the period of the page and the filter has so few entries that they can be searched for actions or an actor, or written as a
 * file. Without this bound, such a call could read all entries of a year to find none.
 */
export async function canSearch({ env, db, principal: { accountId } }: Source, page: Page, filter: AuditFilter) {
  const found = await Promise.all(
    [...new Set([env.DB, db])].map((each) => hasMoreEntries(each, accountId, page, filter, MAX_SEARCHED_ENTRIES)),
  );
  return !found.includes(true);
}

/** All entries that match, newest first, in pages. */
export async function* entryPages(source: Source, filter: AuditFilter): AsyncGenerator<StoredEntry[]> {
  const page = { limit: AUDIT_FILE_PAGE_ENTRIES, offset: 0, after: null as string | null, afterValue: null };
  for (;;) {
    const found = await listEntries(source, page, filter);
    const entries = found.slice(0, page.limit);
    yield entries;
    if (found.length <= page.limit) return;
    page.after = entries.at(-1)?.id ?? null;
  }
}

/**
 * The entries of the account that match, newest first; one more than the page holds. Where its links are in another database than the core (ADR
 * 0042), that has the entries of links, domains and webhooks, and the core has those of keys and members and the names of persons.
 */
export async function listEntries(
  { env, db, principal: { accountId } }: Source,
  page: Page,
  filter: AuditFilter = {},
): Promise<StoredEntry[]> {
  if (db === env.DB) return listAuditEntries(env.DB, accountId, page, filter);
  const end = page.offset + page.limit;
  const first = { ...page, offset: 0, limit: end };
  const [ofCore, own] = await Promise.all([env.DB, db].map((each) => listAuditEntries(each, accountId, first, filter)));
  const byPersons = (own ?? []).filter((entry) => entry.actor_type === "user");
  const names = await namesAt(
    env.DB,
    byPersons.map((entry) => ({ id: entry.actor_id, time: entry.created_at })),
  );
  for (const [n, entry] of byPersons.entries()) entry.actor_name = names[n] ?? null;
  const all = [...(ofCore ?? []), ...(own ?? [])].sort((a, b) => (a.id < b.id ? 1 : -1));
  return all.slice(page.offset, end + 1);
}
