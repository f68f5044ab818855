import { Batch } from "./batch.ts";

/**
 * The copies of accounts in the databases that have their links (ADR 0042): for foreign keys, for redirects, which stop while an account
 * is deleted, and for quotas. Triggers of schema.sql note in the core that a copy is due.
 */

/** What the copy has. Persons are in the core only, so it does not have `personal_user_id` and `deleted_with`. */
const COPIED = [
  "uuid",
  "name",
  "created_at",
  "require_mfa",
  "link_defaults",
  "disabled_at",
  "deleted_at",
  "rate_limit_factor",
  "click_shards",
  "trust_at",
  "click_retention_days",
] as const;

type AccountRow = Record<(typeof COPIED)[number] | "version" | "max_links" | "max_link_bytes", string | number | null>;

/** Returns up to `limit` accounts whose copies are due. */
export async function findDueCopies(core: D1Database, limit: number): Promise<number[]> {
  const { results } = await core
    .prepare("SELECT account_id FROM account_copies INDEXED BY account_copies_due WHERE copied < version LIMIT ?1")
    .bind(limit)
    .all<{ account_id: number }>();
  return results.map(({ account_id: accountId }) => accountId);
}

/** Copies the account as it is now. Several calls can run at the same time: an older version does not replace a newer one. */
export async function copyAccount(core: D1Database, database: D1Database, accountId: number): Promise<void> {
  const row = await core
    .prepare(
      `SELECT ${COPIED.map((column) => `a.${column}`).join(", ")}, c.version, u.max_links, u.max_link_bytes
       FROM account_copies c CROSS JOIN accounts a ON a.id = c.account_id CROSS JOIN account_usage u ON u.account_id = a.id
       WHERE c.account_id = ?1`,
    )
    .bind(accountId)
    .first<AccountRow>();
  // It was purged meanwhile.
  if (row === null) return;
  const batch = new Batch(database);
  const isNewer = "NOT EXISTS (SELECT 1 FROM account_copies WHERE account_id = ?1 AND version >= ?2)";
  const values = COPIED.map((column) => row[column]);
  batch.add(
    `INSERT INTO accounts (id, ${COPIED.join(", ")}) SELECT ?1, ${COPIED.map((_, n) => `?${n + 3}`).join(", ")} WHERE ${isNewer}
     ON CONFLICT (id) DO UPDATE SET ${COPIED.map((column) => `${column} = excluded.${column}`).join(", ")}`,
    [accountId, row.version, ...values],
  );
  batch.add(`UPDATE account_usage SET max_links = ?3, max_link_bytes = ?4 WHERE account_id = ?1 AND ${isNewer}`, [
    accountId,
    row.version,
    row.max_links,
    row.max_link_bytes,
  ]);
  batch.add(
    `INSERT INTO account_copies (account_id, version, copied) VALUES (?1, ?2, NULL)
     ON CONFLICT (account_id) DO UPDATE SET version = max(version, excluded.version)`,
    [accountId, row.version],
  );
  await batch.commitWithRetry();
  await core
    .prepare("UPDATE account_copies SET copied = max(copied, ?2) WHERE account_id = ?1")
    .bind(accountId, row.version)
    .run();
}
