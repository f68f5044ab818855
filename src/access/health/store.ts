import type { HealthState } from "./contract.ts";

const NO_TABLE = /no such table/;

/** Returns the version of the tables; null if there are none. Throws if the database does not respond. */
export async function readSchemaVersion(db: D1Database): Promise<number | null> {
  const version = () => db.prepare("SELECT max(version) AS version FROM schema_migrations").first<number>("version");
  return withTables(version, null);
}

/** Returns the hashes of two link passwords: of the first and of the last key, by their ids. None without passwords or tables. */
export async function samplePasswordHashes(db: D1Database): Promise<string[]> {
  const sample = db.prepare(
    `SELECT min(password_hash) AS hash FROM links WHERE password_hash IS NOT NULL
     UNION SELECT max(password_hash) FROM links WHERE password_hash IS NOT NULL`,
  );
  const rows = await withTables(async () => (await sample.all<{ hash: string | null }>()).results, []);
  return rows.flatMap(({ hash }) => hash ?? []);
}

/** An encrypted secret, and the context that it was encrypted with. */
export interface StoredSecret {
  sealed: string;
  context: string;
}

/**
 * Returns what is encrypted of the oldest and of the newest webhook and shared page: samples for the oldest and the newest
 * key. None if there are no such rows or no tables.
 */
export async function sampleSecrets(db: D1Database): Promise<StoredSecret[]> {
  const sample = db.prepare(
    `SELECT secret AS sealed, id AS context FROM webhooks
     WHERE id IN ((SELECT min(id) FROM webhooks), (SELECT max(id) FROM webhooks))
     UNION ALL SELECT token, id FROM shared_pages
     WHERE id IN ((SELECT min(id) FROM shared_pages), (SELECT max(id) FROM shared_pages))`,
  );
  return withTables(async () => (await sample.all<StoredSecret>()).results, []);
}

/** Replaces the latest state. */
export async function storeHealth(db: D1Database, state: HealthState, now: number): Promise<void> {
  await db
    .prepare(
      `INSERT INTO health_reports (id, checked_at, report) VALUES (1, ?1, ?2)
       ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at, report = excluded.report`,
    )
    .bind(now, JSON.stringify(state))
    .run();
}

/** The state that the latest run of the cron found; null: there is none. */
export async function readHealth(db: D1Database): Promise<{ state: HealthState; checkedAt: number } | null> {
  const row = await db
    .prepare("SELECT checked_at, report FROM health_reports WHERE id = 1")
    .first<{ checked_at: number; report: string }>();
  return row === null ? null : { state: JSON.parse(row.report) as HealthState, checkedAt: row.checked_at };
}

/** The result of the query; `none` if the database has no tables. */
async function withTables<T>(query: () => Promise<T>, none: T): Promise<T> {
  try {
    return await query();
  } catch (error) {
    if (error instanceof Error && NO_TABLE.test(error.message)) return none;
    throw error;
  }
}
