/** More in one statement would exceed the time limits of a slow machine. */
const MAX_LINKS_PER_STATEMENT = 100_000;

/** Inserts the links `<prefix><first>` to `<prefix><last>` without an account: a million in about ten seconds. */
export async function insertLinks(
  db: D1Database,
  { prefix, first, last, url }: { prefix: string; first: number; last: number; url: string },
): Promise<void> {
  const statement = db.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT CAST(?2 AS INTEGER) UNION ALL SELECT n + 1 FROM numbers WHERE n < ?3)
     INSERT INTO links (id, domain, slug, url, status, redirect_status, created_at, updated_at)
     SELECT printf('00000000-0000-7000-8000-%012x', n), '', ?1 || n, ?4, 'active', 302, 0, 0 FROM numbers`,
  );
  for (let from = first; from <= last; from += MAX_LINKS_PER_STATEMENT)
    await statement.bind(prefix, from, Math.min(from + MAX_LINKS_PER_STATEMENT - 1, last), url).run();
}
