const NO_TABLE = /no such table/;

/** Returns the version of the tables; null if there are none. Throws if the database does not respond. */
export async function readSchemaVersion(db: D1Database): Promise<number | null> {
  try {
    return await db.prepare("SELECT max(version) AS version FROM schema_migrations").first<number>("version");
  } catch (error) {
    if (error instanceof Error && NO_TABLE.test(error.message)) return null;
    throw error;
  }
}

/** Returns the hashes of two link passwords: of the first and of the last key, by their ids. None without passwords or tables. */
export async function samplePasswordHashes(db: D1Database): Promise<string[]> {
  try {
    const { results } = await db
      .prepare(
        `SELECT min(password_hash) AS hash FROM links WHERE password_hash IS NOT NULL
         UNION SELECT max(password_hash) FROM links WHERE password_hash IS NOT NULL`,
      )
      .all<{ hash: string | null }>();
    return results.flatMap(({ hash }) => hash ?? []);
  } catch (error) {
    if (error instanceof Error && NO_TABLE.test(error.message)) return [];
    throw error;
  }
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
  try {
    const { results } = await db
      .prepare(
        `SELECT secret AS sealed, id AS context FROM webhooks
         WHERE id IN ((SELECT min(id) FROM webhooks), (SELECT max(id) FROM webhooks))
         UNION ALL SELECT token, id FROM shared_pages
         WHERE id IN ((SELECT min(id) FROM shared_pages), (SELECT max(id) FROM shared_pages))`,
      )
      .all<StoredSecret>();
    return results;
  } catch (error) {
    if (error instanceof Error && NO_TABLE.test(error.message)) return [];
    throw error;
  }
}
