/** A run of databases to which new accounts are dealt in turn. */
export interface AccountRange {
  /** The number of the first one. */
  database: number;
  /** How many. */
  spread: number;
}

/** SQL for the number of databases that accounts may be in: those that a deployment has opened. */
export const OPENED_DATABASES = `(SELECT max(n) FROM (SELECT 1 AS n UNION ALL SELECT database + spread FROM account_ranges
  UNION ALL SELECT database + 1 FROM moved_accounts))`;

/** SQL for the number of the next account. */
export const NEXT_ACCOUNT = "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'accounts'), 0) + 1";

/** Where new accounts go, and how many databases are open. */
export async function readRange(core: D1Database): Promise<AccountRange & { opened: number }> {
  const row = await core
    .prepare(
      `SELECT ${OPENED_DATABASES} AS opened, r.database, r.spread FROM (SELECT 1)
       LEFT JOIN (SELECT database, spread FROM account_ranges ORDER BY first_account_id DESC LIMIT 1) r`,
    )
    .first<{ opened: number; database: number | null; spread: number | null }>();
  return { opened: row?.opened ?? 1, database: row?.database ?? 0, spread: row?.spread ?? 1 };
}

/**
 * Accounts that are created from now on go there. Returns whether it did: not if no account was created since the last time, because
 * the row of that time may be the only one that says how many databases are open.
 */
export async function addRange(core: D1Database, { database, spread }: AccountRange): Promise<boolean> {
  const { meta } = await core
    .prepare(
      `INSERT INTO account_ranges (first_account_id, database, spread) SELECT ${NEXT_ACCOUNT}, ?1, ?2
       WHERE true ON CONFLICT (first_account_id) DO NOTHING`,
    )
    .bind(database, spread)
    .run();
  return meta.changes > 0;
}

/** The bytes of the database, which come with any answer. No row is read. */
export async function readSize(database: D1Database): Promise<number> {
  return (await database.prepare("SELECT 1").run()).meta.size_after;
}
