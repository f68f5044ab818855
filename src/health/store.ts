/** Throws if the database does not respond. */
export async function pingDatabase(db: D1Database): Promise<void> {
  await db.prepare("SELECT 1").run();
}
