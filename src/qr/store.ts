import type { AccountChange } from "../access/audit/change.ts";
import { Batch, addCheck } from "../platform/database/batch.ts";
import { allOf, holds, Parameters } from "../platform/database/parameters.ts";

/** The style of the account's domain with this name as JSON. Reads one row. */
export async function findStyle(db: D1Database, accountId: number, domain: string): Promise<string | null> {
  return db
    .prepare("SELECT qr_style FROM domains WHERE account_id = ?1 AND domain = ?2")
    .bind(accountId, domain)
    .first<string>("qr_style");
}

/** The styles of the account's domains as JSON. Reads one row for each domain, up to MAX_DOMAINS_PER_ACCOUNT. */
export async function listStyles(db: D1Database, accountId: number): Promise<{ domain: string; qr_style: string }[]> {
  const { results } = await db
    .prepare("SELECT domain, qr_style FROM domains WHERE account_id = ?1 AND qr_style IS NOT NULL")
    .bind(accountId)
    .all<{ domain: string; qr_style: string }>();
  return results;
}

/** Replaces the style of the account's domain. Returns "demoted" if the caller may not do so any more, null if there is no such domain. */
export async function updateStyle(
  db: D1Database,
  { accountId, now, isAllowed, record }: AccountChange,
  id: string,
  style: string | null,
): Promise<"updated" | "demoted" | null> {
  const batch = new Batch(db);
  const check = addCheck(batch, isAllowed);
  const isOwn = holds`id = ${id} AND account_id = ${accountId}`;
  record(batch, "domain.update", id, allOf(isAllowed, holds`EXISTS (SELECT 1 FROM domains WHERE ${isOwn})`));
  const parameters = new Parameters([style, now]);
  const set = batch.add(
    `UPDATE domains SET qr_style = ?1, updated_at = max(?2, updated_at + 1)
     WHERE ${allOf(isOwn, isAllowed)(parameters)} RETURNING 1 AS updated`,
    parameters.values,
  );
  await batch.commit();
  if (check.first === undefined) return "demoted";
  return set.first === undefined ? null : "updated";
}
