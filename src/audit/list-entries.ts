import type { AccountContext } from "../context.ts";
import type { Page } from "../http/pagination.ts";
import { listAuditEntries, namesAt, type StoredEntry } from "./store/entries.ts";

/**
 * The entries of the account, newest first; one more than the page holds. Where its links are in another database than the core (ADR
 * 0042), that has the entries of links, domains and webhooks, and the core has those of keys and members and the names of persons.
 */
export async function listEntries(
  { env, db, principal: { accountId } }: Pick<AccountContext, "env" | "db" | "principal">,
  page: Page,
): Promise<StoredEntry[]> {
  if (db === env.DB) return listAuditEntries(env.DB, accountId, page);
  const end = page.offset + page.limit;
  const first = { ...page, offset: 0, limit: end };
  const [ofCore, own] = await Promise.all([env.DB, db].map((each) => listAuditEntries(each, accountId, first)));
  const byPersons = (own ?? []).filter((entry) => entry.actor_type === "user");
  const names = await namesAt(
    env.DB,
    byPersons.map((entry) => ({ id: entry.actor_id, time: entry.created_at })),
  );
  for (const [n, entry] of byPersons.entries()) entry.actor_name = names[n] ?? null;
  const all = [...(ofCore ?? []), ...(own ?? [])].sort((a, b) => (a.id < b.id ? 1 : -1));
  return all.slice(page.offset, end + 1);
}
